import AllotConfiguration
import AllotDefinitions
import AllotGit

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
    public var isPassed: Bool {
        cases.allSatisfy { $0.verdict == .passed } && (mutation?.survivors.isEmpty ?? true)
    }

    func count(_ verdict: CaseResult.Verdict) -> Int {
        cases.count { $0.verdict == verdict }
    }

    /// The report for people: a line for each claim that does not hold, and a summary.
    public var lines: [String] {
        var lines = warnings.map(\.description) + cases.flatMap(\.lines)
        if let gaps { lines += gaps.map(\.line) }
        if let mutation { lines += mutation.lines }
        return lines + summary
    }

    var summary: [String] {
        var parts = ["\(count(.passed)) passed"]
        for verdict in [CaseResult.Verdict.failed, .unproved] where count(verdict) > 0 {
            parts.append("\(count(verdict)) \(verdict.rawValue)")
        }
        let checks = cases.reduce(0) { $0 + $1.checks }
        var lines = ["\(counted(cases.count, "case")), \(counted(checks, "check")): \(parts.joined(separator: ", "))"]
        if let gaps { lines.append("coverage: \(gaps.isEmpty ? "complete" : "\(gaps.count) not reached")") }
        if let mutation { lines.append(mutation.summary) }
        return lines
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

    /// The name of the case, the circumstances and the message.
    func text(_ finding: Finding) -> String {
        let circumstances = finding.circumstances.isEmpty ? "" : " (\(PrintableText(finding.circumstances)))"
        return PrintableText(line: "\(PrintableText(testCase.name))\(circumstances): \(finding.message)").description
    }
}

extension TestCase.Place: CustomStringConvertible {
    var description: String { "\(PrintableText(line: file)):\(position)" }
}
