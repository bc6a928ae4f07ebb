import AllotDefinitions
import AllotFiles
import ArgumentParser

/// The command `allot`.
@main
struct AllotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allot",
        abstract: "Deterministic A/B assignment: who gets which variant, and why.",
        discussion: """
            Experiments are defined by files in a folder (--definitions, default "Experiments"). The same definitions, \
            unit ID, attributes and instant give the same answer on every machine.

            EXAMPLES
              allot check                              are the definitions right?
              allot assign users.csv -o assigned.csv   the variants of many users
              allot config user-42 country=DE          what one user gets
              allot explain user-42 country=DE         why, in plain words
              allot bucket checkout-button user-42     the hash itself
              allot power --baseline 10% --effect 1%   how many users are needed?
              allot slots checkout --place 20%         is there room for another?
              allot diff old new                       who would move?
              allot reweight button green=80% ...      new shares, least movement
              allot srm exposures.csv                  is the sample ratio right?
              allot distribution --shape all           is the randomisation good?
              allot sql --dialect duckdb               assign in the warehouse
              allot keys generate --key KEY.pem        a key to sign with
              allot sign configuration.json --key ...  sign a file, or for one device
              allot verify configuration.json ...      who signed it?
              allot generate swift -o Settings.swift   the app's settings as types
            """,
        version: "0.1.0",
        subcommands: [
            CheckCommand.self, AssignCommand.self, ConfigCommand.self, ExplainCommand.self, BucketCommand.self,
            PowerCommand.self, SlotsCommand.self, DiffCommand.self, ReweightCommand.self, SRMCommand.self,
            DistributionCommand.self, SQLCommand.self, KeysCommand.self, SignCommand.self, VerifyCommand.self,
            GenerateCommand.self,
        ])

    static func main() {
        do {
            try CommandLineText.check()
            BrokenPipe.becomesError()
            try run(parseAsRoot(CommandLineText.arguments))
        } catch let failure as CommandFailure {
            StandardError.write(failure.message)
            exit(withError: ExitCode.failure)
        } catch {
            exit(withError: error)
        }
    }

    private static func run(_ parsed: any ParsableCommand) throws {
        var command = parsed
        do {
            try command.run()
        } catch let failure as UsageFailure {
            StandardError.write(failure.message(for: type(of: command)))
            throw ExitCode.validationFailure
        } catch let error as any LibraryError {
            throw CommandFailure("\(error)")
        } catch let error as DefinitionsError {
            throw CommandFailure(error)
        }
    }
}
