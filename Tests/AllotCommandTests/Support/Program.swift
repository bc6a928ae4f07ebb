import ArgumentParser
import CommandLineProgram
import Foundation
import TestSupport

@testable import AllotCommand

/// The built executable `allot`.
enum Program {
    /// Where the executable is.
    static let url = Result { try BuiltProgram("allot").url }

    /// Runs `allot` to its end.
    ///
    /// - Parameters:
    ///   - input: the bytes of standard input; none without it.
    ///   - folder: the folder to run in.
    static func run(_ arguments: [String], input: [UInt8]? = nil, in folder: URL? = nil) throws -> Outcome {
        try Outcome(of: url.get(), arguments, input: input, in: folder)
    }

    /// Parses and runs a command line in this process: for those that are refused, or that ask for help.
    ///
    /// A process for each would take most of the time of these tests; some of each kind have one, all the same.
    static func answer(_ arguments: [String]) -> Outcome {
        var command: any ParsableCommand = AllotCommand()
        do {
            command = try CommandLineText.command(calledBy: arguments).init()
            try CommandLineText.checkRepetition(arguments, of: type(of: command))
            command = try AllotCommand.parseAsRoot(CommandLineArguments.withEmptyValues(arguments))
            try command.run()
            return Outcome(status: 0)
        } catch let failure as UsageFailure {
            return Outcome(status: 64, errors: failure.message(for: type(of: command)) + "\n")
        } catch {
            let status = AllotCommand.exitCode(for: error)
            let text = AllotCommand.fullMessage(for: error, columns: 80) + "\n"
            return status.isSuccess
                ? Outcome(status: 0, output: Array(text.utf8))
                : Outcome(status: status.rawValue, errors: CommandLineText.explained(text))
        }
    }

    /// Runs a shell script in a folder; it finds the program in `$ALLOT`.
    static func shell(_ script: String, in folder: URL) throws -> Outcome {
        let own = ["ALLOT": try url.get().path, "LC_ALL": "C"]
        return try Outcome(
            of: URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder,
            environment: ProcessInfo.processInfo.environment.merging(own) { $1 })
    }
}
