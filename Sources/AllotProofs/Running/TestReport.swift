import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotGit
import AllotReports

/// The results of the cases of a definitions folder.
public struct TestReport: Sendable {
    let cases: [CaseResult]
    /// The warnings about definitions, and about parts of test files without effect.
    let warnings: [DefinitionProblem]
    /// The parts that no case reaches; `nil` if coverage was not requested.
    var gaps: [CoverageGap]?
    /// The changes of definitions that were tried; `nil` if that was not requested.
    var mutation: MutationReport?
    /// The folder of definitions; `nil` if they are from none.
    let place: DefinitionsPlace?

    /// Whether every case passes, and every change of the definitions was noticed.
    public var isPassed: Bool { cases.allSatisfy { $0.verdict == .passed } && (mutation?.survivors.isEmpty ?? true) }
    func count(_ verdict: CaseResult.Verdict) -> Int { cases.count { $0.verdict == verdict } }

    /// The claims that do not hold, the parts that no case reaches, and the counts.
    package var report: Report {
        let missing = (gaps ?? []).map(\.line) + (mutation?.lines ?? [])
        let rows: [[Report.Cell]] = warnings.map { $0.cells + [""] } + cases.flatMap(\.rows)
        let columns: [Report.Column] = [.text("result"), .text("place"), .text("claim"), .text("for example")]
        return Report(
            summary, title: "Tests of definitions", isGood: isPassed, endsWithVerdict: true,
            lead: [
                .either(
                    text: warnings.map(\.description) + cases.flatMap(\.lines) + missing,
                    page: [.table(columns, rows), .list(missing)])
            ])
    }

    /// The report for people: a line for each claim that does not hold, and a summary.
    public var lines: [String] { TextRenderer().lines(report) }

    var summary: String {
        var parts = ["\(count(.passed)) passed"]
        for verdict in [CaseResult.Verdict.failed, .unproved] where count(verdict) > 0 {
            parts.append("\(count(verdict)) \(verdict.rawValue)")
        }
        let checks = cases.reduce(0) { $0 + $1.checks }
        let counts = "\(counted(cases.count, "case")), \(counted(checks, "check")): \(parts.joined(separator: ", "))"
        let coverage = gaps.map { "coverage: \($0.isEmpty ? "complete" : "\($0.count) not reached")" }
        return [counts, coverage, mutation?.summary].compactMap(\.self).joined(separator: "; ")
    }
}

extension CaseResult {
    private static let shownFindings = 3

    fileprivate var lines: [String] {
        var counts: [SourcePosition: Int] = [:]
        var lines: [String] = []
        for finding in findings {
            let count = counts[finding.place.position, default: 0] + 1
            counts[finding.place.position] = count
            guard count <= Self.shownFindings else { continue }
            lines.append("\(finding.place): \(finding.verdict.rawValue): \(text(finding))")
            if let details = finding.details { lines.append("    \(PrintableText(line: details))") }
        }
        let hidden = counts.values.reduce(0) { $0 + max(0, $1 - Self.shownFindings) }
        if hidden > 0 { lines.append("    and \(hidden) more of this case") }
        return lines
    }

    fileprivate var rows: [[Report.Cell]] {
        findings.map { finding in
            [
                Report.Cell(finding.verdict.rawValue, isBad: true), .name("\(finding.place)"),
                Report.Cell(text(finding)), Report.Cell(finding.details ?? ""),
            ]
        }
    }

    /// The name of the case, the circumstances and the message.
    func text(_ finding: Finding) -> String {
        let circumstances = finding.circumstances.isEmpty ? "" : " (\(PrintableText(finding.circumstances)))"
        return PrintableText(line: "\(PrintableText(testCase.name))\(circumstances): \(finding.message)").description
    }
}

extension TestCase.Place: CustomStringConvertible {
    var description: String { "\(PrintableText(line: file)):\(position)" }
}

extension TestReport {
    /// Workflow commands of GitHub Actions, which annotate lines of files, and the summary.
    package var annotations: [String] {
        let folder = place?.repositoryFolder()
        let found = cases.flatMap { result in
            result.findings.map { finding in
                GitHubAnnotation(
                    .error, file: folder?.path(of: finding.place.file) ?? finding.place.file,
                    at: finding.place.position, title: "allot test: \(finding.verdict.rawValue)",
                    result.text(finding) + (finding.details.map { "\n\($0)" } ?? ""))
            }
        }
        let notices = ((gaps ?? []).map(\.line) + (mutation?.lines ?? [])).map {
            GitHubAnnotation(.warning, file: nil, at: nil, title: "allot test", $0)
        }
        let warnings = warnings.map { GitHubAnnotation($0.located(in: folder), title: "allot test") }
        return (warnings + found + notices).map(\.description) + [summary]
    }

    // MARK: JUnit

    /// The results as JUnit XML: a suite for each file, a test case for each case.
    package var junit: [String] {
        let cases = cases.map { result -> JUnitDocument.Case in
            let findings = result.findings.map { finding in
                let details = finding.details.map { "\n\($0)" } ?? ""
                let text = "\(finding.place): \(result.text(finding))\(details)"
                return (type: finding.verdict.rawValue, message: finding.message, text: text)
            }
            let place = result.testCase.place
            return (result.testCase.name, place.file, place.position.line, findings)
        }
        return JUnitDocument(element: "failure", cases: cases, warnings: warnings).lines
    }

    // MARK: JSON

    /// The report for programs: `passed`, `counts`, `cases`, `warnings`, and `coverage` and `mutation` on request.
    public var json: JSONValue {
        var object = JSONObject(members: [
            "passed": isPassed,
            "counts": JSONValue(members: [
                "cases": cases.count, "passed": count(.passed), "failed": count(.failed), "unproved": count(.unproved),
                "checks": cases.reduce(0) { $0 + $1.checks },
            ]), "cases": cases.map(json), "warnings": warnings.map(\.description),
        ])
        object["coverage"] =
            gaps?.map {
                JSONObject(members: ["experiment": $0.experiment, "kind": $0.kind.rawValue, "missing": $0.words])
            }.json
        object["mutation"] = mutation.map {
            JSONValue(members: [
                "mutants": $0.count,
                "survivors": $0.survivors.map { JSONObject(members: ["name": $0.name, "change": $0.words]) },
            ])
        }
        return .object(object)
    }

    private func json(_ result: CaseResult) -> JSONObject {
        let place = result.testCase.place
        let findings = result.findings.map { finding in
            var object = JSONObject(members: [
                "result": finding.verdict.rawValue, "line": finding.place.position.line,
                "column": finding.place.position.column, "message": finding.message,
            ])
            if !finding.circumstances.isEmpty { object["circumstances"] = .string(finding.circumstances) }
            object["details"] = finding.details?.json
            return object
        }
        return JSONObject(members: [
            "name": result.testCase.name, "file": place.file, "line": place.position.line,
            "column": place.position.column, "result": result.verdict.rawValue, "checks": result.checks,
            "findings": findings,
        ])
    }
}

package struct CaseResult: Sendable {
    let testCase: TestCase
    /// The claims that do not hold, or are not proved, in the order of the case.
    var findings: [Finding] = []
    /// The number of tests of a claim: one for each combination of `each` and each instant.
    var checks = 0

    enum Verdict: String, Sendable { case passed, failed, unproved }

    var verdict: Verdict {
        if findings.contains(where: { $0.verdict == .failed }) { return .failed }
        return findings.isEmpty ? .passed : .unproved
    }

    struct Finding: Sendable {
        let verdict: Verdict
        let place: TestCase.Place
        /// The combination of `each`, and the instant of a period; empty without them.
        let circumstances: String
        /// The fact, and the expectation.
        let message: String
        /// The explanation, or a unit for which the claim does not hold.
        let details: String?
    }

    mutating func add(
        _ verdict: Verdict, _ claim: Claim, _ circumstances: String, _ message: String, _ details: String?
    ) {
        findings.append(
            Finding(
                verdict: verdict, place: claim.place, circumstances: circumstances, message: message, details: details))
    }
}
