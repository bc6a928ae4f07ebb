import AllotBatch
import AllotConfiguration
import AllotDefinitions
import AllotFiles
import ArgumentParser

/// The failure of a command: exit 1, with a message that says what, where and how to fix it.
struct CommandFailure: Error {
    /// Lines before the causes.
    private var details: [String] = []
    var causes: [String]
    private var problems: [DefinitionProblem] = []

    init(_ cause: String) { self.init([cause]) }
    init(_ causes: [String]) { self.causes = causes }

    private init(_ cause: String, _ problems: [DefinitionProblem]) {
        self.init(cause)
        details = problems.filter { $0.severity == .error }.map(\.description)
        self.problems = problems
    }

    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let failure as UsageFailure: self.init(failure.problem)
        case DefinitionsError.invalid(let problems): self.init(DefinitionProblem.summary(of: problems), problems)
        case DefinitionsError.folder(let path, let reason):
            // In the folder itself the option is easily left out.
            let name =
                ProtectedFiles.hasBase(".") ? "name this one with --definitions ." : "name another with --definitions"
            self.init("cannot read the definitions folder \(path): \(reason); \(name)")
        case DefinitionsError.tests(let problems):
            self.init(DefinitionProblem.summary(of: problems, until: "no test runs"), problems)
            // With the warnings, as the report of tests that run has them.
            details = ["\(error)"]
        case let error as CodeOwners.Invalid: self.init("\(error)", error.problems)
        case let error as CSVError: self.init("\(error)" + (error.foundDelimiter.map { ", or add \($0.option)" } ?? ""))
        case let error as BatchError where error.lacksUnits: self.init("\(error) with --unit-column")
        default: self.init("\(error)")
        }
    }

    var message: String { (details + causes.map { "allot: \(PrintableText(lines: $0))" }).joined(separator: "\n") }

    /// The failure for programs: `error`, and `problems` as `allot check` writes them.
    var json: JSONValue {
        ["error": .string(causes.joined(separator: "\n")), "problems": .array(problems.map(\.json))]
    }

    /// Says what a command that judges has found, and returns its exit status.
    func finding() -> ExitCode {
        StandardError.write(message)
        return .finding
    }
}

/// Something that is missing on the command line: exit 64, with the usage. A command throws it when it runs: errors of
/// validation come before unknown options, and the missing option may be the one that was misspelt.
struct UsageFailure: Error {
    let problem: String

    init(_ problem: String) { self.problem = problem }

    /// The message, in the form of ArgumentParser's own.
    func message(for command: any ParsableCommand.Type) -> String {
        """
        Error: \(problem)
        Usage: \(AllotCommand.usageString(for: command))
          See '\(Self.path(of: command)) --help' for more information.
        """
    }

    /// The words that a command is called by, such as `allot exposures purge`.
    static func path(of command: any ParsableCommand.Type) -> String {
        func path(from parent: any ParsableCommand.Type) -> String? {
            let name = parent.configuration.commandName ?? ""
            if parent == command { return name }
            return parent.configuration.subcommands.lazy.compactMap(path).first.map { "\(name) \($0)" }
        }
        return path(from: AllotCommand.self) ?? "allot"
    }
}
