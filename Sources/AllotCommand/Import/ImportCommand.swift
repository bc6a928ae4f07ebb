import AllotBatch
import AllotConfiguration
import AllotFiles
import AllotImport
import ArgumentParser

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the experiments of another system, so that no unit changes its variant.",
        usage: """
            allot import <system> <payload> -o <folder> [<options>]
            allot import --verify <assigned.csv> [--definitions <folder>] [<options>]
            """,
        discussion: """
            Reads what the system's own SDKs download, because that has the exact salts and ranges, and writes \
            definitions that decide as they do: the same hash, the same salt, the same ranges. A flag becomes the \
            setting of its name in the section Flags. A flag that cannot be exact is an error that says why; with \
            --skip-inexact it is left out and reported. The report goes to standard output.

            With --verify it compares what the other system recorded with what the definitions assign, row by row: a \
            CSV file with the units' attributes, the column experiment or flag, and the column variant (a variant's \
            key, a setting's value, or nothing); --column names columns that are called otherwise, and --null a word \
            for nothing. An experiment that needed another key is found by its description, which is its old name. \
            Exit status 2 if any unit would change its variant.

            PAYLOADS
            \(payloads)

            EXAMPLES
              allot import growthbook features.json --unit id=user_id -o Moved
              curl -s "$FEATURES_URL" | allot import growthbook - -o Moved
              allot import --verify assigned.csv --unit id=user_id --column variant=group
              allot import eppo config.json --skip-inexact --markdown -o Moved > report.md
            """)

    /// A line for each system with the source of its payload.
    private static var payloads: String {
        let lines = ImportSystem.allCases.map { "  \($0.rawValue.rightPadded(to: 12))  \($0.source)" }
        return lines.joined(separator: "\n")
    }

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

    @Flag(help: "GrowthBook: the app has no store of sticky buckets, so their fields change nothing.")
    var withoutSticky = false

    @Flag(help: "GrowthBook: compare versions as the text that they are there, by long patterns.")
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
        if let verify {
            let at = definitions.at ?? .now
            let progress = ProgressBar(total: try? InputFile.size(ofFileAt: verify))
            defer { progress.clear() }
            let found: VerificationReport
            do {
                found = try VerificationReport(
                    of: verify, definitions.folder.load(at: at), at: at, prepare, progress: progress.show)
            } catch let error as BatchError where error.lacksUnits {
                throw CommandFailure("\(error) with --unit COLUMN=ATTRIBUTE")
            }
            progress.clear()
            try report.write(found.lines, markdown: found.markdownLines, json: found.json)
            if !found.isExact { throw ExitCode(2) }
        } else {
            let imported = try imported()
            try report.write(imported.lines, markdown: imported.markdownLines, json: imported.json)
            if imported.importedCount == 0 { throw CommandFailure("No flag was imported, and no folder was written.") }
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

    /// The names on both sides of each "=".
    private func names(_ pairs: [String], of option: String, example: String) throws -> [String: String] {
        var names: [String: String] = [:]
        for pair in pairs {
            guard let (name, value) = pair.namedValue, !value.isEmpty,
                names.updateValue(value, forKey: name) == nil
            else {
                throw UsageFailure(
                    "\(option) takes two names, such as \(example), each once, not \(QuotedText(pair)).")
            }
        }
        return names
    }

    // MARK: Forms

    /// Imports the payload, writes its definitions into the folder if there are any, and reports.
    private func imported() throws -> ImportReport {
        guard let system else {
            throw UsageFailure("Name the system, its payload and the new folder (-o), or a file with --verify.")
        }
        var conversion = PayloadImport(of: system)
        conversion.section = section ?? PayloadImport.defaultSection
        guard !conversion.section.isEmpty, !conversion.section.contains(".") else {
            throw UsageFailure("A section's name is not empty and contains no \".\".")
        }
        conversion.attributes = try names(unit, of: "--unit", example: "id=user_id")
        conversion.key = key
        guard fractional == nil || system == .flagd else {
            throw UsageFailure("--fractional is for flagd only; leave it out.")
        }
        conversion.flagdHash = fractional ?? conversion.flagdHash
        guard system == .growthbook || !withoutSticky && !exactText else {
            throw UsageFailure("--without-sticky and --exact-text are for growthbook only; leave them out.")
        }
        (conversion.hasStickyBuckets, conversion.keepsExactText) = (!withoutSticky, exactText)
        conversion.skipsInexact = skipInexact
        guard let payload, let output else {
            throw UsageFailure("Name the payload (- is standard input) and the new folder (-o).")
        }
        let bytes = try InputFile(path: payload).readAll(limit: .max) ?? []
        do {
            let imported = try conversion.definitions(from: bytes)
            if imported.report.importedCount > 0 { try imported.write(to: output) }
            return imported.report
        } catch ImportError.inexact(let problems) {
            throw CommandFailure(
                "\(counted(problems.count, "flag")) cannot be imported exactly (--skip-inexact leaves "
                    + "\(problems.count == 1 ? "it" : "them") out):\n\(ImportError.inexact(problems))")
        } catch ImportError.attribute(let message) {
            throw CommandFailure("\(message) (--unit)")
        } catch let error as ImportOutputError {
            throw CommandFailure("\(error); name another folder with -o")
        }
    }

    /// Applies the options to a verification.
    private func prepare(_ verification: inout BatchVerification) throws {
        verification.nullWords = csv.nullWords
        verification.delimiter = csv.delimiter
        for (column, attribute) in try names(unit, of: "--unit", example: "id=user_id") {
            guard verification.attributeColumns.updateValue(column, forKey: attribute) == nil else {
                throw UsageFailure("--unit names two columns for \(QuotedText(attribute)).")
            }
        }
        for (role, name) in try names(column, of: "--column", example: "variant=group") {
            switch role {
            case "experiment": verification.experimentColumn = name
            case "variant": verification.variantColumn = name
            case "time": verification.timeColumn = name
            default:
                throw UsageFailure("--column is for experiment, variant or time, not for \(QuotedText(role)).")
            }
        }
    }
}

extension ImportSystem: ExpressibleByArgument {}
extension FlagdHash: ExpressibleByArgument {}
