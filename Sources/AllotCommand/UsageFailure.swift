import ArgumentParser

/// A command line that lacks something: exit 64, with the usage.
///
/// A command throws it when it runs. Errors of validation come before those of unknown options, and what is missing may be
/// what was misspelt.
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
