import AllotConfiguration
import AllotDefinitions
import AllotFiles
import AllotGenerate
import ArgumentParser

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generate source code for an app, or OpenFeature's flag manifest, from the definitions.",
        subcommands: [GenerateSwiftCommand.self, GenerateOpenFeatureCommand.self])
}

/// The definitions to read, and the file to write from them or to check.
struct CheckedFileOptions: ParsableArguments {
    @OptionGroup var folder: FolderOptions
    @Option(name: .shortAndLong, help: .output, completion: .file()) var output = "-"
    @Option(help: .value("file", "Write nothing; exit with 2 if this file is not up to date."), completion: .file())
    var check: String?

    func validate() throws {
        if check != nil, output != "-" { throw ValidationError("--check writes nothing; leave out --output.") }
    }

    /// Writes the file of a command with options of its own, or compares the one to check.
    func finish(_ file: some GeneratedFile, by command: String, _ options: [String] = []) throws {
        for note in file.notes { StandardError.write("allot: note: \(note)") }
        guard let check else { return try AtomicOutput.write(Array(file.text.utf8), to: output, option: "-o") }
        guard let difference = file.difference(from: check, try InputFile.bytes(ofFileAt: check)) else { return }
        let definitions = folder.isDefault ? [] : ["--definitions", folder.definitions]
        let words = ["allot", "generate", command] + definitions + options + ["--output", check]
        throw CommandFailure("\(difference); generate it with: \(words.map(\.shellWord).joined(separator: " "))")
            .finding()
    }
}

struct GenerateSwiftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift", abstract: "Write the settings and experiments as Swift, for AllotClient.",
        usage: "allot generate swift [-o <file> | --check <file>] [<options>]", discussion: help)

    @OptionGroup var options: CheckedFileOptions
    @Option(help: .access) var access = SettingsSource.Access.internal

    func run() throws {
        let loaded = try options.folder.load(at: .now)
        try options.finish(
            SettingsSource(
                loaded.definitions, settings: loaded.settings, revision: loaded.plan.revision, access: access),
            by: "swift", access == .internal ? [] : ["--access", access.rawValue])
    }

    private static let help = """
        The source has one type for each section of the base, with a typed property for each setting: its default \
        is the base value, its constraints are those of the base. A setting with an enum of texts or whole numbers \
        has a Swift enum, one with a format has its type: Date, GeoPoint, Data or ConfigurationFile. It also has \
        the keys and variants of the experiments as constants, so that a tester can choose a variant on a device. \
        If a setting is renamed or removed, the app no longer compiles.

        The same definitions give the same bytes. --check is for continuous integration: it writes nothing and \
        exits with 2 if the file differs from the source that would be generated. A different revision alone does \
        not count, since experiments change more often than the part of them that an app can see.

        EXAMPLES
          allot generate swift --output Sources/App/ShopSettings.swift
          allot generate swift --check Sources/App/ShopSettings.swift
          allot generate swift --definitions Experiments --access public
        """
}

extension SettingsSource.Access: ExpressibleByArgument {}

extension ArgumentHelp {
    static var access: ArgumentHelp { "The access level in Swift: public, package or internal." }
}

struct GenerateOpenFeatureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openfeature",
        abstract: "Write the settings as OpenFeature's flag manifest, for accessors in other languages.",
        usage: "allot generate openfeature [-o <file> | --check <file>] [<options>]", discussion: help)

    @OptionGroup var options: CheckedFileOptions

    func run() throws { try options.finish(FlagManifest(options.folder.load(at: .now).settings), by: "openfeature") }

    private static let help = """
        The manifest has one flag for each setting of the base: its key is Section.Setting, as allot-server's \
        OpenFeature routes name it, its default is the base value. OpenFeature's own command line generates typed \
        accessors in many languages from it:

          openfeature generate react --manifest flags.json

        A setting that a flag cannot represent is left out with a note that says what to do: null (there is no \
        default), lists, and integers beyond 9007199254740992, which many readers of JSON round.

        The same definitions give the same bytes. --check is for continuous integration: it writes nothing and \
        exits with 2 if the file differs from the manifest that would be generated.

        EXAMPLES
          allot generate openfeature --output flags.json
          allot generate openfeature --check flags.json
        """
}
