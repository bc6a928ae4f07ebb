import AllotConfiguration
import AllotFiles
import ArgumentParser
import CommandLineProgram

@main
struct AllotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allot", abstract: "Deterministic A/B assignment: which unit gets which variant, and why.",
        discussion: """
            Experiments are defined by files in a folder (--definitions, ALLOT_DEFINITIONS, or "Experiments"). The \
            same definitions, unit ID, attributes and instant give the same answer on every machine.

            EXIT STATUS
              0   success
              1   failure: what, where and the fix are on standard error, and with
                  --json also on standard output
              2   a command that judges has found something
              3   nothing was found, but something could not be tested
              64  a wrong command line

            EXAMPLES
              allot check                               check the definitions
              allot list --status running               what runs, and what changes next
              allot explain user-42 country=DE          why, in plain words
              allot assign users.csv -o assigned.csv    assign many users
              allot power --baseline 10% --effect 1%    how many users are needed?
              allot srm exposures.csv                   is there a sample ratio mismatch?
              allot diff main                           which users would be reassigned?
            """,
        version: ProgramVersion.text(of: "allot"),
        groupedSubcommands: groups.map { CommandGroup(name: $0, subcommands: $1) })

    private static var groups: KeyValuePairs<String, [any ParsableCommand.Type]> {
        [
            "Define": [
                InitCommand.self, CheckCommand.self, TestCommand.self, ListCommand.self, ShowCommand.self,
                CatalogCommand.self, OwnersCommand.self, GenerateCommand.self,
            ],
            "Assign": [
                AssignCommand.self, ConfigCommand.self, ExplainCommand.self, BucketCommand.self, SQLCommand.self,
                DeviceCommand.self,
            ],
            "Plan": [PowerCommand.self, SaltCommand.self, HoldoutCommand.self, SlotsCommand.self],
            "Prove": [SRMCommand.self, RerandomiseCommand.self, ExposuresCommand.self, DistributionCommand.self],
            "Change": [DiffCommand.self, HistoryCommand.self, ReweightCommand.self, RampCommand.self],
            "Move in": [ImportCommand.self, ImportVerifyCommand.self],
            "Sign": [KeysCommand.self, SignCommand.self, VerifyCommand.self],
        ]
    }

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        var command: any ParsableCommand = AllotCommand()
        do {
            try CommandLineArguments.check()
            command = try CommandLineText.command(calledBy: arguments).init()
            try CommandLineText.checkRepetition(arguments, of: type(of: command))
            BrokenPipe.becomesError()
            QuitSignal.endsTheProgram()
            command = try parseAsRoot(CommandLineArguments.withEmptyValues(arguments))
            try ProtectedFiles.check(arguments)
            try command.run()
        } catch let failure as FileError where failure.systemErrorNumber == EPIPE {
            // Such as `head`, which has read enough.
            BrokenPipe.endProgram()
        } catch let failure as UsageFailure {
            writeJSON(of: failure)
            StandardError.write("\(PrintableText(lines: failure.message(for: type(of: command))))")
            exit(withError: ExitCode.validationFailure)
        } catch {
            writeJSON(of: error)
            if exitCode(for: error).isSuccess, let script = BashCompletion.script(from: fullMessage(for: error)) {
                do { try StandardOutput.write([script]) } catch { BrokenPipe.endProgram() }
                return
            }
            end(after: error, usage: CommandLineText.explained) { CommandFailure($0).message }
        }
    }

    /// Writes an error for programs too, where the command line asks for JSON and the command has written none.
    private static func writeJSON(of error: any Error) {
        let code = exitCode(for: error)
        guard CommandLineText.asksForJSON(CommandLine.arguments.dropFirst()), !code.isSuccess, !(error is ExitCode)
        else { return }
        // The message about a wrong command line, as people read it.
        let mark = "Error: "
        func usage() -> String { String(CommandLineText.explained(mark + message(for: error)).dropFirst(mark.count)) }
        let failure = code == .failure ? CommandFailure(error) : CommandFailure(usage())
        try? StandardOutput.write([failure.json.prettyText])
    }
}
