import AllotAnalysis
import AllotConfiguration
import AllotDefinitions
import AllotGit

struct JUnitDocument {
    /// A test, which passes without findings.
    typealias Case = (name: String, file: String, line: Int?, findings: [(type: String, message: String, text: String)])

    /// The element of findings: `failure`, or `error` for tests that cannot run.
    let element: String
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
        "tests=\"\(cases.count)\" \(element)s=\"\(cases.count { !$0.findings.isEmpty })\""
    }

    private func lines(_ test: Case) -> [String] {
        let line = test.line.map { " line=\"\($0)\"" } ?? ""
        let file = Self.attribute(test.file)
        let start = "    <testcase name=\(Self.attribute(test.name)) classname=\(file) file=\(file)\(line)"
        guard !test.findings.isEmpty else { return [start + "/>"] }
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

/// The report of `allot test` for programs where no case runs, because the definitions or the test files have errors.
package struct TestFault: Sendable {
    private let problems: [DefinitionProblem]
    private let folder: String

    /// Describes what ``DefinitionTests/init(folder:loader:)`` throws.
    package init(_ error: any Error, folder: String) {
        self.folder = folder
        switch error {
        case DefinitionsError.invalid(let problems), DefinitionsError.tests(let problems): self.problems = problems
        default:
            problems = [
                DefinitionProblem(severity: .error, file: folder, position: nil, message: "\(error)", path: nil)
            ]
        }
    }

    package var annotations: [String] {
        let folder = (try? DefinitionsPlace(folder))?.repositoryFolder()
        return problems.map { GitHubAnnotation($0.located(in: folder), title: "allot test").description }
            + [DefinitionProblem.summary(of: problems, until: "no test runs")]
    }

    /// An object with `passed`, which is false, and `problems`, as `allot check` writes them.
    package var json: JSONValue { ["passed": false, "problems": .array(problems.map(\.json))] }

    /// The errors as JUnit XML: a test case that has an error for each of them.
    package var junit: [String] {
        let cases = problems.filter { $0.severity == .error }.map { problem -> JUnitDocument.Case in
            (
                problem.path ?? "definitions", problem.file, problem.position?.line,
                [("invalid", problem.message, problem.description)]
            )
        }
        return JUnitDocument(element: "error", cases: cases, warnings: problems.filter { $0.severity == .warning })
            .lines
    }
}
