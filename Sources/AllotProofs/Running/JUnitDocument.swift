import AllotAnalysis
import AllotConfiguration
import AllotDefinitions

struct JUnitDocument {
    struct Case {
        let name: String
        let file: String
        let line: Int?
        /// Empty for a test that passes.
        let findings: [Finding]
    }

    struct Finding {
        let type: String
        let message: String
        let text: String
    }

    enum Outcome: String {
        /// A test that does not pass.
        case failure
        /// Tests that cannot run.
        case error
    }

    let outcome: Outcome
    let cases: [Case]
    /// The parts that do not decide whether a test passes.
    let warnings: [DefinitionProblem]

    /// The document: a suite for each file, a test case for each case, and the warnings as the output of a suite.
    var lines: [String] {
        var files: [(name: String, cases: [Case])] = []
        for test in cases {
            if files.last?.name != test.file { files.append((test.file, [])) }
            files[files.count - 1].cases.append(test)
        }
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"allot test\" \(counts(of: cases))>",
        ]
        for file in files {
            lines.append("  <testsuite name=\(Self.attribute(file.name)) \(counts(of: file.cases))>")
            lines += file.cases.flatMap(self.lines)
            lines.append("  </testsuite>")
        }
        if !warnings.isEmpty {
            let text = warnings.map(\.description).joined(separator: "\n")
            lines += [
                "  <testsuite name=\"warnings\" \(counts(of: []))>",
                "    <system-out>\(Self.escaped(text))</system-out>", "  </testsuite>",
            ]
        }
        return lines + ["</testsuites>"]
    }

    private func counts(of cases: [Case]) -> String {
        "tests=\"\(cases.count)\" \(outcome.rawValue)s=\"\(cases.count { !$0.findings.isEmpty })\""
    }

    private func lines(_ test: Case) -> [String] {
        let line = test.line.map { " line=\"\($0)\"" } ?? ""
        let file = Self.attribute(test.file)
        let start = "    <testcase name=\(Self.attribute(test.name)) classname=\(file) file=\(file)\(line)"
        guard !test.findings.isEmpty else { return [start + "/>"] }
        let element = outcome.rawValue
        let findings = test.findings.map { finding in
            "      <\(element) type=\(Self.attribute(finding.type)) message=\(Self.attribute(finding.message))>"
                + "\(Self.escaped(finding.text))</\(element)>"
        }
        return [start + ">"] + findings + ["    </testcase>"]
    }

    private static func attribute(_ text: String) -> String { "\"\(escaped(PrintableText(line: text).description))\"" }

    /// Text in XML, without the characters that XML cannot hold.
    private static func escaped(_ text: String) -> String { HTMLText.escaped(PrintableText(lines: text).description) }
}
