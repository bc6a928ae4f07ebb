import AllotConfiguration
import AllotDefinitions
import AllotFiles
import AllotGit
import ArgumentParser

/// `allot owners`
struct OwnersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owners",
        abstract: "Write the owners of experiments as CODEOWNERS.",
        discussion: CodeOwners.help)

    @Option(name: .shortAndLong, help: .value("file", "The file to update; - is standard output."))
    var output = "-"

    @Option(help: .value("file", "Write nothing; exit with 1 if this file is not up to date."), completion: .file())
    var check: String?

    @OptionGroup
    var folder: FolderOptions

    func validate() throws {
        if check != nil, output != "-" { throw ValidationError("--check writes nothing; leave out --output.") }
    }

    func run() throws {
        let place = try DefinitionsPlace(folder.definitions)
        let owners = try CodeOwners(folder.load(at: .now).owners, folder: place.pathInRepository())
        for note in owners.notes { StandardError.write("allot: note: \(note)") }
        guard let check else {
            try folder.check(output: output, option: "--output")
            return try owners.write(to: output)
        }
        guard try owners.isWritten(in: check) else {
            let definitions = folder.isDefault ? "" : " --definitions \(folder.definitions.shellWord)"
            throw CommandFailure(
                "\(check) is not up to date; update it with allot owners\(definitions) --output \(check.shellWord)")
        }
    }
}
