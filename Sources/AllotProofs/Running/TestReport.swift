import AllotConfiguration
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

    init(cases: [CaseResult], warnings: [DefinitionProblem], place: DefinitionsPlace?) {
        self.cases = cases
        self.warnings = warnings
        self.place = place
    }

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
