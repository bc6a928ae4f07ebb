import AllotConfiguration
import AllotFiles
import ArgumentParser
import CommandLineProgram

/// The command `allot`.
@main
struct AllotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allot",
        abstract: "Deterministic A/B assignment: which unit gets which variant, and why.",
        discussion: """
            Experiments are defined by files in a folder (--definitions, default "Experiments"). The same definitions, \
            unit ID, attributes and instant give the same answer on every machine.

            EXAMPLES
              allot check                               check the definitions
              allot test                                run the tests of the definitions
              allot list --status running               what runs, and what changes next
              allot show buy-button                     one experiment in full
              allot catalog -o site                     the same as pages, for people
              allot assign users.csv -o assigned.csv    assign many users
              allot config user-42 country=DE           the configuration of one user
              allot explain user-42 country=DE          why, in plain words
              allot bucket buy-button user-42           hash and buckets of a unit
              allot power --baseline 10% --effect 1%    how many users are needed?
              allot slots checkout --place 20%          is there room for another?
              allot diff main                           which users would be reassigned?
              allot history buy-button                  who changed it, and who was moved?
              allot reweight buy-button --close green   new shares with few reassignments
              allot ramp free-shipping-bar 50% --from 2026-12-01T09:00Z --every 2d
                  more users, step by step
              allot srm exposures.csv                   is there a sample ratio mismatch?
              allot exposures counts allot.sqlite       how many units were exposed?
              allot distribution --shape all            check the randomisation
              allot sql --dialect duckdb                SQL that assigns in a warehouse
              allot keys generate --key my.pem          create a key for signing
              allot keys export --swift --public signing.pub.pem
                  the public key as Swift source
              allot sign configuration.json --key signing.pem
                  sign a file, or for one device
              allot verify body --signature @signature --public signing.pub.pem
                  check a signature
              allot device @link.txt                    what a tester's device uses now
              allot owners -o .github/CODEOWNERS        whose review an experiment needs
              allot import growthbook features.json -o Moved
                  move running experiments here
              allot generate swift -o Settings.swift    Swift source of an app's settings
              allot generate openfeature -o flags.json  the settings for OpenFeature
            """,
        version: ProgramVersion.text(of: "allot"),
        subcommands: [
            InitCommand.self,
            CheckCommand.self, TestCommand.self, ListCommand.self, ShowCommand.self, CatalogCommand.self,
            AssignCommand.self,
            ConfigCommand.self, ExplainCommand.self,
            BucketCommand.self, PowerCommand.self, SlotsCommand.self, DiffCommand.self, HistoryCommand.self,
            ReweightCommand.self, RampCommand.self, SRMCommand.self, ExposuresCommand.self, DistributionCommand.self,
            SQLCommand.self, OwnersCommand.self, KeysCommand.self, SignCommand.self, VerifyCommand.self,
            DeviceCommand.self, GenerateCommand.self, ImportCommand.self,
        ])

    static func main() {
        var command: any ParsableCommand = AllotCommand()
        do {
            try CommandLineText.check()
            BrokenPipe.becomesError()
            QuitSignal.endsTheProgram()
            command = try parseAsRoot(CommandLineText.arguments(CommandLine.arguments.dropFirst()))
            try command.run()
        } catch let failure as FileError where failure.code == .readerGone {
            // Such as `head`, which has read enough.
            BrokenPipe.endProgram()
        } catch let failure as UsageFailure {
            StandardError.write("\(PrintableText(lines: failure.message(for: type(of: command))))")
            exit(withError: ExitCode.validationFailure)
        } catch {
            end(after: error, usage: CommandLineText.explained) { CommandFailure($0).message }
        }
    }
}
