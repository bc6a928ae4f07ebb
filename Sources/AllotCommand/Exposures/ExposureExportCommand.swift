import AllotConfiguration
import AllotExposures
import AllotFiles
import ArgumentParser

struct ExposureExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write exposures as CSV or NDJSON, all or only new ones.",
        usage: "allot exposures export <store> [-o <file>] [<options>]",
        discussion: """
            A row is a unit's first exposure to a variant of one randomisation. Forced units and overrides on devices \
            are not to be analysed: --not-counted writes them, and only them.

            Each export ends at a cursor, which standard error names. With --since CURSOR the next one has only what \
            was stored, or was replaced by an earlier exposure, since then: load it over the old rows, by experiment, \
            salt, unit and variant. --cursor-file does so by itself: the file holds the cursor from one run to the \
            next, and is written after the output is complete. Each selection needs a file of its own.
            """)

    @OptionGroup var store: StoreArgument
    @Option(help: .value("key", "Only this experiment."), completion: .names(of: .experiments)) var experiment: String?
    @Option(help: .value("salt", "Only the randomisation of this salt.")) var salt: String?
    @Flag(help: "Write the exposures that are not counted, instead of those that are.") var notCounted = false
    @Option(help: .format) var format = ExposureFormat.csv
    @Option(help: .delimiter, transform: CSVDelimiter.init(argument:)) var delimiter = CSVDelimiter.comma
    @Option(help: .value("cursor", "Only exposures that were stored after this cursor.")) var since: Int64 = 0
    @Option(help: .value("file", "A file that holds the cursor, for one export after another.")) var cursorFile: String?
    @Option(name: .shortAndLong, help: .output, completion: .file()) var output = "-"

    func validate() throws {
        if salt != nil, experiment == nil { throw ValidationError("--salt needs --experiment.") }
        if format != .csv, delimiter != .comma { throw ValidationError("--delimiter goes with --format csv.") }
        if cursorFile != nil, since != 0 { throw ValidationError("Give --since or --cursor-file, not both.") }
        if cursorFile == "-" {
            throw ValidationError("--cursor-file names a file that the next export reads; it cannot be -.")
        }
        if since < 0 { throw ValidationError("--since takes the cursor of an earlier export, 0 or more.") }
    }

    func run() throws {
        try checkFiles()
        let selection = ExposureSelection(experiment: experiment, salt: salt, isCounted: !notCounted)
        let start = try cursorFile.map { try Self.cursor(inFile: $0, for: selection) } ?? since
        let (format, delimiter, path) = (format, delimiter, output)
        // The next export goes on after the cursor: what this one wrote must be on disk before it.
        let rules = OutputRules(isDurable: cursorFile != nil)
        let (cursor, absence) = try store.use { store in
            let output = try AtomicOutput(path: path, option: "-o", rules: rules)
            let export = try await store.export(selection, as: format, after: start, delimiter: delimiter)
            for try await chunk in export { try output.write(chunk) }
            try output.commit()
            return (export.cursor, try await store.absence(of: selection))
        }
        if let cursorFile {
            try AtomicOutput.write(
                ExportCursor(cursor, of: selection).bytes, to: cursorFile, option: "--cursor-file", rules: rules)
        }
        if let absence { StandardError.write("allot: note: \(absence)") }
        StandardError.write("the next export goes on with --since \(cursor)")
    }

    /// Throws if a file that is written is the store, or if both are the same file.
    private func checkFiles() throws {
        let written = [(path: output, option: "-o")] + (cursorFile.map { [($0, "--cursor-file")] } ?? [])
        for (path, option) in written {
            for file in ExposureStore.files(of: store.store) {
                let file = FileIdentity(path: file)
                try FileIdentity.check(output: path, option: option, isNot: file, "a file of the store")
            }
        }
        guard let cursorFile else { return }
        try FileIdentity.check(
            output: cursorFile, option: "--cursor-file", isNot: FileIdentity(output: output), "the output as well")
    }

    /// The cursor in a file; 0 if the file does not exist yet.
    private static func cursor(inFile path: String, for selection: ExposureSelection) throws -> Int64 {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile(path: path).readAll(limit: 10_000) ?? []
        } catch {
            guard error.isAbsence else { throw error }
            return 0
        }
        guard let cursor = ExportCursor(bytes)
        else { throw CommandFailure("\(path) holds no cursor; remove it for an export of all, or name another file") }
        guard cursor.isContinued(by: selection) else {
            throw CommandFailure(
                "\(path) holds the cursor of another selection, \(PrintableText(cursor.selection)), after which rows "
                    + "of this one would be missing; name another file")
        }
        return cursor.position
    }
}

extension ExposureFormat: ExpressibleByArgument {}
