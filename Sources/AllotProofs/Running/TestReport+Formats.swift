import AllotConfiguration
import AllotDefinitions

extension TestReport {
    /// Workflow commands of GitHub Actions, which annotate lines of files, and the summary.
    package var annotations: [String] {
        let folder = place?.repositoryFolder()
        let found = cases.flatMap { result in
            result.findings.map { finding in
                GitHubAnnotation(
                    .error, file: folder?.path(of: finding.place.file) ?? finding.place.file,
                    at: finding.place.position,
                    title: "allot test: \(finding.verdict.rawValue)",
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
        let cases = cases.map { result in
            JUnitDocument.Case(
                name: result.testCase.name, file: result.testCase.place.file, line: result.testCase.place.position.line,
                findings: result.findings.map { finding in
                    let details = finding.details.map { "\n\($0)" } ?? ""
                    return .init(
                        type: finding.verdict.rawValue, message: finding.message,
                        text: "\(finding.place): \(result.text(finding))\(details)")
                })
        }
        return JUnitDocument(outcome: .failure, cases: cases, warnings: warnings).lines
    }

    // MARK: JSON

    /// The report for programs: `passed`, `counts`, `cases`, `warnings` and, where requested, `coverage` and
    /// `mutation`.
    public var json: JSONValue {
        var object: JSONObject = [
            "passed": .boolean(isPassed),
            "counts": [
                "cases": .int(cases.count), "passed": .int(count(.passed)), "failed": .int(count(.failed)),
                "unproved": .int(count(.unproved)), "checks": .int(cases.reduce(0) { $0 + $1.checks }),
            ],
            "cases": .array(cases.map(json)),
            "warnings": .array(warnings.map { .string($0.description) }),
        ]
        if let gaps {
            object["coverage"] = .array(
                gaps.map {
                    [
                        "experiment": .string($0.experiment), "kind": .string($0.kind.rawValue),
                        "missing": .string($0.words),
                    ]
                })
        }
        if let mutation {
            object["mutation"] = [
                "mutants": .int(mutation.count),
                "survivors": .array(
                    mutation.survivors.map { ["name": .string($0.name), "change": .string($0.words)] }),
            ]
        }
        return .object(object)
    }

    private func json(_ result: CaseResult) -> JSONValue {
        let place = result.testCase.place
        let findings = result.findings.map { finding -> JSONValue in
            var object: JSONObject = [
                "result": .string(finding.verdict.rawValue), "line": .int(finding.place.position.line),
                "column": .int(finding.place.position.column), "message": .string(finding.message),
            ]
            if !finding.circumstances.isEmpty { object["circumstances"] = .string(finding.circumstances) }
            if let details = finding.details { object["details"] = .string(details) }
            return .object(object)
        }
        return [
            "name": .string(result.testCase.name), "file": .string(place.file), "line": .int(place.position.line),
            "column": .int(place.position.column), "result": .string(result.verdict.rawValue),
            "checks": .int(result.checks), "findings": .array(findings),
        ]
    }
}
