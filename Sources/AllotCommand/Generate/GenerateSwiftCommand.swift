import AllotDefinitions
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
        discussion: """
            The source has one type for each section of the base, with a typed property for each setting: its default \
            is the base value, its constraints are those of the base. It also has the keys and variants of the \
            experiments as constants, so that a tester can choose a variant on a device. If a setting is renamed or \
            removed, the app no longer compiles.

            The same definitions give the same bytes. --check is for continuous integration: it writes nothing and \
            exits with 1 if the file differs from the source that would be generated. A different revision alone does \
            not count, since experiments change more often than the part of them that an app can see.

            EXAMPLES
              allot generate swift --output Sources/App/ShopSettings.swift
              allot generate swift --check Sources/App/ShopSettings.swift
              allot generate swift --definitions Experiments --access public
            """)

    @Option(
        help: ArgumentHelp("The folder with the base configuration and the experiments.", valueName: "folder"),
        completion: .directory)
    var definitions = DefinitionsOptions.defaultFolder

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
    var output: String?

    @Option(help: "The access level of the types: public, package or internal.")
    var access = SettingsSource.Access.internal

    @Option(help: ArgumentHelp("Write nothing; compare this file instead.", valueName: "file"), completion: .file())
    var check: String?

    @OptionGroup(visibility: .hidden)
    var limits: LimitOptions

    func validate() throws {
        if output != nil, check != nil {
            throw ValidationError("--check writes nothing; leave out --output or --check.")
        }
    }

    func run() throws {
        let loaded = try limits.loader(at: .now).load(folder: definitions)
        let source = SettingsSource(
            loaded.definitions, settings: loaded.settings, revision: loaded.plan.revision, access: access)
        for note in source.notes { StandardError.write("allot: note: \(note)") }
        if let check { return try compare(check, with: source) }
        let file = try AtomicOutput(path: output ?? "-", option: "--output")
        try file.write(Array(source.text.utf8))
        try file.commit()
    }

    private func compare(_ path: String, with source: SettingsSource) throws {
        guard let bytes = try? InputFile(path: path).readAll(limit: .max) else {
            throw CommandFailure("cannot read \(path); generate it with: \(command(writing: path))")
        }
        if let line = source.firstDifference(from: bytes) {
            throw CommandFailure(
                "\(path) does not match the definitions from line \(line) on; generate it with: "
                    + command(writing: path))
        }
    }

    /// The command that writes the file, with the options of this one.
    private func command(writing path: String) -> String {
        var words = ["allot", "generate", "swift"]
        if definitions != DefinitionsOptions.defaultFolder { words += ["--definitions", definitions] }
        if access != .internal { words += ["--access", access.rawValue] }
        return (words + ["--output", path]).map(Self.shellWord).joined(separator: " ")
    }

    /// A word as shells read it.
    private static func shellWord(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-+@%:".unicodeScalars.contains($0)
        }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}

extension SettingsSource.Access: ExpressibleByArgument {}
