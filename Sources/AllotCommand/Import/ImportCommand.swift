import AllotFiles
import AllotImport
import ArgumentParser

/// `allot import`
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the experiments of another system, so that no unit changes its variant.",
        usage: "allot import <system> <payload> -o <folder> [<options>]",
        discussion: PayloadImport.help)

    @Argument(help: "The other system.")
    var system: ImportSystem

    @Argument(help: "The payload that the system's SDK downloads; - is standard input.", completion: .file())
    var payload: String

    @Option(name: .shortAndLong, help: .value("folder", "The new folder of definitions."), completion: .directory)
    var output: String

    @Option(help: .value("name", "The section of the settings that flags become."))
    var section = PayloadImport.defaultSection

    @Option(
        name: .customLong("unit"),
        help: .value("theirs=ours", "Allot's name of an attribute, such as id=user_id (repeatable)."))
    var units: [String] = []

    @Flag(help: "Leave out the flags that cannot be exact, and report them.")
    var skipInexact = false

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
    }

    func run() throws {
        var conversion = PayloadImport(of: system)
        conversion.section = section
        conversion.skipsInexact = skipInexact
        for unit in units.compactMap(\.assignment) { conversion.attributes[unit.name] = unit.value }
        let file = try InputFile(path: payload)
        let imported = try conversion.definitions(from: try file.readAll(limit: .max) ?? [])
        try imported.write(to: output)
        let report = imported.report
        try StandardOutput.write(json ? [report.json.prettyText] : markdown ? report.markdownLines : report.lines)
    }
}

extension ImportSystem: ExpressibleByArgument {}
