import AllotBatch
import AllotFiles
import AllotImport
import ArgumentParser

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the experiments of another system, so that no unit changes its variant.",
        usage: PayloadImport.usage, discussion: PayloadImport.help)

    @Argument(help: "The other system.") var system: ImportSystem?
    @Argument(help: "The payload that the system's SDK downloads; - is standard input.", completion: .file())
    var payload: String?

    @Option(name: .shortAndLong, help: .value("folder", "The new folder of definitions."), completion: .directory)
    var output: String?

    @Option(
        help: .value(
            "name", "The section of the settings that flags become (default: \(PayloadImport.defaultSection))."))
    var section: String?

    @Option(help: .value("theirs=ours", "Allot's name of an attribute, such as id=user_id (repeatable)."))
    var unit: [String] = []

    @Option(help: .value("key", "The key of an encrypted payload."))
    var key: String?

    @Option(
        help: .value("hash", "The hash of flagd's fractional: daemon, also of Java, JavaScript and .NET, or cbor."))
    var fractional: FlagdHash?

    @Flag(help: "Leave out the flags that cannot be exact, and report them.")
    var skipInexact = false

    @Flag(help: "GrowthBook only: the app has no store of sticky buckets, so their fields change nothing.")
    var withoutSticky = false

    @Flag(help: "GrowthBook only: compare versions as the text that they are there, by long patterns.")
    var exactText = false

    @Option(help: .value("file", "Compare what was recorded with what is assigned."), completion: .file())
    var verify: String?

    @Option(help: .value("role=name", "The column experiment, variant or time, if it has another name (repeatable)."))
    var column: [String] = []
    @OptionGroup var csv: CSVOptions
    @OptionGroup var definitions: DefinitionsOptions
    @OptionGroup var report: ReportOptions

    func run() throws {
        try checkForm()
        do {
            if let verify {
                let at = definitions.at ?? .now
                let progress = ProgressBar(total: try? InputFile.size(ofFileAt: verify))
                defer { progress.clear() }
                let found = try VerificationReport(
                    of: verify, definitions.folder.load(at: at), at: at, units: unit, columns: column,
                    nullWords: csv.nullWords, delimiter: csv.delimiter, progress: progress.show)
                progress.clear()
                try report.write(found.lines, markdown: found.markdownLines, json: found.json)
                if !found.isExact { throw ExitCode(2) }
            } else {
                let imported = try PayloadImport(
                    of: system, section: section ?? PayloadImport.defaultSection, units: unit, key: key,
                    fractional: fractional, withoutSticky: withoutSticky, exactText: exactText,
                    skipsInexact: skipInexact
                ).run(payload, output: output).report
                try report.write(imported.lines, markdown: imported.markdownLines, json: imported.json)
                if imported.importedCount == 0 {
                    throw CommandFailure("No experiment was imported, and no folder was written.")
                }
            }
        } catch let error as ImportUsageError {
            throw UsageFailure(error.description)
        } catch let error as BatchError where error.lacksUnits {
            throw CommandFailure("\(error) with --unit COLUMN=ATTRIBUTE")
        }
    }

    /// Throws if an option is given that goes with the other form of the command.
    private func checkForm() throws {
        if output == "-" { throw UsageFailure("An import writes a folder of files; name one with --output.") }
        let importing = [
            ("the system", system != nil), ("the payload", payload != nil), ("--output", output != nil),
            ("--section", section != nil), ("--key", key != nil), ("--fractional", fractional != nil),
            ("--skip-inexact", skipInexact), ("--without-sticky", withoutSticky), ("--exact-text", exactText),
        ]
        let verifying = [
            ("--column", !column.isEmpty), ("--null", !csv.nullWords.isEmpty), ("--delimiter", csv.delimiter != .comma),
            ("--definitions", !definitions.folder.isDefault), ("--at", definitions.at != nil),
        ]
        let others = (verify == nil ? verifying : importing).filter(\.1).map(\.0).joined(separator: ", ")
        guard !others.isEmpty else { return }
        throw UsageFailure(
            verify == nil
                ? "An import goes without \(others); leave it out, or name a file with --verify."
                : "--verify imports nothing, but compares a file with --definitions; leave out \(others).")
    }
}

extension ImportSystem: ExpressibleByArgument {}
extension FlagdHash: ExpressibleByArgument {}
