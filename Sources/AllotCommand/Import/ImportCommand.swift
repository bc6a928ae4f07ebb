import AllotBatch
import AllotFiles
import AllotImport
import ArgumentParser

/// `allot import`
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the experiments of another system, so that no unit changes its variant.",
        usage: """
            allot import <system> <payload> -o <folder> [<options>]
            allot import --verify <assigned.csv> [--definitions <folder>] [<options>]
            """,
        discussion: PayloadImport.help)

    @Argument(help: "The other system.")
    var system: ImportSystem?

    @Argument(help: "The payload that the system's SDK downloads; - is standard input.", completion: .file())
    var payload: String?

    @Option(name: .shortAndLong, help: .value("folder", "The new folder of definitions."), completion: .directory)
    var output: String?

    @Option(help: .value("name", "The section of the settings that flags become."))
    var section = PayloadImport.defaultSection

    @Option(
        name: .customLong("unit"),
        help: .value("theirs=ours", "Allot's name of an attribute, such as id=user_id (repeatable)."))
    var units: [String] = []

    @Option(help: .value("key", "The key of an encrypted payload."))
    var key: String?

    @Flag(help: "Leave out the flags that cannot be exact, and report them.")
    var skipInexact = false

    @Option(help: .value("file", "Compare what was recorded with what is assigned."), completion: .file())
    var verify: String?

    @Option(help: .value("column", "The column of user_id, if it has another name."))
    var unitColumn: String?

    @Option(help: .value("column", "The column of each row's own instant of evaluation (RFC 3339), instead of --at."))
    var timeColumn: String?

    @OptionGroup
    var definitions: DefinitionsOptions

    @Flag(help: "Print JSON, for programs.")
    var json = false

    @Flag(help: "Print Markdown, for a pull request.")
    var markdown = false

    func validate() throws {
        if json, markdown { throw ValidationError("--json and --markdown exclude each other.") }
        if let problem = PayloadImport.problem(ofSection: section) { throw ValidationError(problem) }
        for unit in units where unit.assignment?.value.isEmpty != false {
            throw ValidationError("--unit takes two names, such as id=user_id, not \"\(unit)\".")
        }
        if verify != nil, system != nil || output != nil || markdown {
            throw ValidationError("--verify reads definitions that have been imported; it takes no payload.")
        }
    }

    func run() throws {
        if let verify { return try self.verify(verify) }
        guard let system, let payload, let output else {
            throw UsageFailure("Name the system, its payload and the new folder (-o), or a file with --verify.")
        }
        var conversion = PayloadImport(of: system)
        conversion.section = section
        conversion.skipsInexact = skipInexact
        conversion.key = key
        for unit in units.compactMap(\.assignment) { conversion.attributes[unit.name] = unit.value }
        let file = try InputFile(path: payload)
        let imported = try conversion.definitions(from: try file.readAll(limit: .max) ?? [])
        try imported.write(to: output)
        let report = imported.report
        try StandardOutput.write(json ? [report.json.prettyText] : markdown ? report.markdownLines : report.lines)
    }

    private func verify(_ path: String) throws {
        let (plan, instant) = try definitions.load()
        var verification = BatchVerification(plan: plan, instant: instant)
        verification.unitColumn = unitColumn
        verification.timeColumn = timeColumn
        let file = try InputFile(path: path)
        let progress = ProgressBar(total: file.size)
        defer { progress.clear() }
        let result = try verification.run(file) { progress.show($0) }
        progress.clear()
        let report = VerificationReport(result)
        try StandardOutput.write(json ? [report.json.prettyText] : report.lines)
        if !result.isExact { throw ExitCode(2) }
    }
}

extension ImportSystem: ExpressibleByArgument {}
