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
        if let check { return try compare(check, with: source) }
        try AtomicOutput.write(Array(source.text.utf8), to: output ?? "-", option: "--output")
    }

    private func compare(_ path: String, with source: SettingsSource) throws {
        let problem =
            if let bytes = try? InputFile(path: path).readAll(limit: .max) {
                source.firstDifference(from: bytes).map { "\(path) does not match the definitions from line \($0) on" }
            } else { "cannot read \(path)" as String? }
        guard let problem else { return }
        // The options of this command, which writes the file without --check.
        var words = ["allot", "generate", "swift"]
        if folder.definitions != FolderOptions.defaultFolder { words += ["--definitions", folder.definitions] }
        if access != .internal { words += ["--access", access.rawValue] }
        let command = (words + ["--output", path]).map(Self.shellWord).joined(separator: " ")
        throw CommandFailure("\(problem); generate it with: \(command)")
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
