import AllotAnalysis
import AllotBatch
import AllotConfiguration
import AllotDefinitions
import AllotFiles
import ArgumentParser

/// Why a command failed: exit 1, with a message that says what, where and how to fix it.
struct CommandFailure: Error {
    let message: String

    init(_ message: String) {
        self.message = "allot: \(message)"
    }

    init(_ error: DefinitionsError) {
        message =
            switch error {
            case .folder: "allot: \(error)"
            case .invalid(let problems):
                (problems.filter { $0.severity == .error }.map(\.description)
                    + ["allot: \(DefinitionProblem.summary(of: problems))"]).joined(separator: "\n")
            }
    }

    /// Several causes, each on a line of its own.
    init(listing causes: [String]) {
        message = causes.map { "allot: \($0)" }.joined(separator: "\n")
    }

    /// Adds a line to the message.
    func adding(_ line: String) -> CommandFailure {
        CommandFailure(complete: "\(message)\n\(line)")
    }

    private init(complete message: String) {
        self.message = message
    }
}

/// An error of a library whose description is the message of the command.
protocol LibraryError: Error, CustomStringConvertible {}

extension AnalysisError: LibraryError {}
extension BatchError: LibraryError {}
extension CSVError: LibraryError {}
extension ExperimentEditError: LibraryError {}
extension FileError: LibraryError {}
extension SignatureError: LibraryError {}
extension UnknownExperiment: LibraryError {}

/// Something that is missing on the command line: exit 64, with the usage.
///
/// A command throws it when it runs, because errors of validation are reported before unknown options, and the missing
/// option may be the one that was misspelt.
struct UsageFailure: Error {
    let problem: String

    init(_ problem: String) {
        self.problem = problem
    }

    /// The message, in the form of ArgumentParser's own.
    func message(for command: any ParsableCommand.Type) -> String {
        let name = "\(AllotCommand.configuration.commandName ?? "") \(command.configuration.commandName ?? "")"
        return """
            Error: \(problem)
            Usage: \(AllotCommand.usageString(for: command))
              See '\(name) --help' for more information.
            """
    }
}
