import AllotFiles
import AllotGenerate
import ArgumentParser

/// `allot generate`
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generate source code for an app from the definitions.",
        subcommands: [GenerateSwiftCommand.self])
}

/// `allot generate swift`
struct GenerateSwiftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Write the settings and experiments as Swift, for AllotClient.",
        discussion: SettingsSource.help)

    @OptionGroup
    var folder: FolderOptions

    @Option(name: .shortAndLong, help: .value("file", "The file to write; - is standard output."))
    var output: String?

    @Option(help: "The access level of the types: public, package or internal.")
    var access = SettingsSource.Access.internal

    @Option(help: .value("file", "Write nothing; compare this file instead."), completion: .file())
    var check: String?

    func validate() throws {
        if output != nil, check != nil {
            throw ValidationError("--check writes nothing; leave out --output or --check.")
        }
    }

    func run() throws {
        let loaded = try folder.load(at: .now)
        let source = SettingsSource(
            loaded.definitions, settings: loaded.settings, revision: loaded.plan.revision, access: access)
        for note in source.notes { StandardError.write("allot: note: \(note)") }
        if let check {
            let definitions = folder.definitions == FolderOptions.defaultFolder ? nil : folder.definitions
            let bytes = try? InputFile(path: check).readAll(limit: .max)
            if let problem = source.problem(of: check, bytes, definitions: definitions) {
                throw CommandFailure(problem)
            }
            return
        }
        try AtomicOutput.write(Array(source.text.utf8), to: output ?? "-", option: "--output")
    }
}

extension SettingsSource.Access: ExpressibleByArgument {}
