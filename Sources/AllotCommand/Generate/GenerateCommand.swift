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

/// The definitions to generate from, and the file to write or to check.
struct GenerateOptions: ParsableArguments {
    @OptionGroup
    var folder: FolderOptions

    @Option(name: .shortAndLong, help: .output, completion: .file())
    var output = "-"

    @Option(help: .check, completion: .file())
    var check: String?

    func validate() throws {
        if check != nil, output != "-" { throw ValidationError("--check writes nothing; leave out --output.") }
    }

    /// Writes the file of a command with options of its own, or compares the one to check.
    func finish(_ file: some GeneratedFile, by command: String, _ options: [String] = []) throws {
        for note in file.notes { StandardError.write("allot: note: \(note)") }
        guard let check else {
            try folder.check(output: output, option: "--output")
            return try AtomicOutput.write(Array(file.text.utf8), to: output, option: "--output")
        }
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = try InputFile(path: check).readAll(limit: .max)
        } catch {
            guard error.isAbsence else { throw error }
            bytes = nil
        }
        guard let difference = file.difference(from: check, bytes) else { return }
        let definitions = folder.isDefault ? [] : ["--definitions", folder.definitions]
        let words = ["allot", "generate", command] + definitions + options + ["--output", check]
        throw CommandFailure("\(difference); generate it with: \(words.map(\.shellWord).joined(separator: " "))")
            .finding()
    }
}
