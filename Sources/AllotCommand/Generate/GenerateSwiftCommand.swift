import AllotDefinitions
import AllotFiles
import AllotGenerate
import ArgumentParser
import Foundation

/// `allot generate swift`
struct GenerateSwiftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Write the settings and experiments as Swift, for AllotClient.",
        discussion: """
            One type for each section of the base, with a typed property for each setting: its default is the base value, \
            its constraints are those of the base. And the experiments' keys and variants as constants, so that a tester \
            can choose a variant on a device. A setting that is renamed or removed is an error where the app is compiled.

            The same definitions give the same bytes. --check is for continuous integration: it writes nothing and exits \
            with 1 if a file is not what would be generated. Another revision alone does not count, since experiments \
            change more often than what an app can see of them.

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

    @Option(help: "Who may use the types: public, package or internal.")
    var access = SettingsSource.Access.internal

    @Option(help: ArgumentHelp("Write nothing, and compare this file.", valueName: "file"), completion: .file())
    var check: String?

    @OptionGroup(visibility: .hidden)
    var limits: LimitOptions

    func validate() throws {
        if output != nil, check != nil {
            throw ValidationError("--check writes nothing; leave out --output or --check.")
        }
    }

    func run() throws {
        let source: SettingsSource
        do {
            let loaded = try limits.loader(at: .now).load(folder: definitions)
            source = SettingsSource(
                loaded.definitions, settings: loaded.settings, revision: loaded.plan.revision, access: access)
        } catch {
            throw CommandFailure(error)
        }
        for note in source.notes { StandardError.write("allot: note: \(note)") }
        if let check {
            try compare(check, with: source.text)
        } else {
            try write(source.text)
        }
    }

    private func write(_ text: String) throws {
        do {
            let file = try AtomicOutput(path: output ?? "-", option: "--output")
            try file.write(Array(text.utf8))
            try file.commit()
        } catch {
            throw CommandFailure(error.message)
        }
    }

    private func compare(_ path: String, with text: String) throws {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("cannot read \(path); generate it with: \(command(writing: path))")
        }
        let present = Self.withoutRevision(Array(bytes))
        let wanted = Self.withoutRevision(Array(text.utf8))
        guard present != wanted else { return }
        let line = zip(present, wanted).prefix { $0 == $1 }.count + 1
        throw CommandFailure(
            "\(path) is not what the definitions say, from line \(line) on; generate it with: \(command(writing: path))"
        )
    }

    /// The command that writes the file, with the options of this one.
    private func command(writing path: String) -> String {
        var words = ["allot", "generate", "swift"]
        if definitions != DefinitionsOptions.defaultFolder { words += ["--definitions", definitions] }
        if access != .internal { words += ["--access", access.rawValue] }
        return (words + ["--output", path]).map(Self.shellWord).joined(separator: " ")
    }

    /// A word as shells take it.
    private static func shellWord(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-+@%:".unicodeScalars.contains($0)
        }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }

    /// The lines of a file without carriage returns at their ends, which version control may add, the revision left out
    /// of its own.
    private static func withoutRevision(_ bytes: [UInt8]) -> [[UInt8]] {
        let mark = Array(SettingsSource.revisionMark.utf8)
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().map {
            index, line in
            if index == 1, line.starts(with: mark) { return mark }
            return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
    }
}

extension SettingsSource.Access: ExpressibleByArgument {}
