import AllotConfiguration
import AllotDefinitions
import AllotGit

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
        let cases = problems.filter { $0.severity == .error }.map { problem in
            JUnitDocument.Case(
                name: problem.path ?? "definitions", file: problem.file, line: problem.position?.line,
                findings: [.init(type: "invalid", message: problem.message, text: problem.description)])
        }
        return JUnitDocument(outcome: .error, cases: cases, warnings: problems.filter { $0.severity == .warning }).lines
    }
}
