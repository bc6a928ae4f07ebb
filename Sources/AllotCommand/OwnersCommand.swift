import AllotConfiguration
import AllotDefinitions
import AllotFiles
import AllotGit
import ArgumentParser

struct OwnersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owners", abstract: "Write the owners of experiments as CODEOWNERS.",
        usage: "allot owners [-o <file> | --check <file>] [--definitions <folder>]", discussion: help)

    @OptionGroup var options: CheckedFileOptions

    func run() throws {
        let (folder, output) = (options.folder, options.output)
        let place = try DefinitionsPlace(folder.definitions)
        let owners = try CodeOwners(folder.load(at: .now).owners, folder: place.pathInRepository())
        for note in owners.notes { StandardError.write("allot: note: \(note)") }
        guard let check = options.check else {
            let file = output == "-" ? "" : try Self.read(output) ?? ""
            return try AtomicOutput.write(Array(owners.updating(file, path: output).utf8), to: output, option: "-o")
        }
        let file = try Self.read(check)
        guard UTF8Order.areEqual(try owners.updating(file ?? "", path: check), file ?? "") else {
            let definitions = folder.isDefault ? "" : " --definitions \(folder.definitions.shellWord)"
            let fault = file == nil ? "there is no file \(check); write" : "\(check) is not up to date; update"
            throw CommandFailure("\(fault) it with allot owners\(definitions) --output \(check.shellWord)").finding()
        }
    }

    private static func read(_ path: String) throws -> String? {
        guard let bytes = try InputFile.bytes(ofFileAt: path) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self)
        else { throw CommandFailure("\(path) is not UTF-8; save it as UTF-8") }
        return text
    }

    private static let help = """
        GitHub then asks the owner of an experiment to review changes of its file. The lines stand between two \
        comments; --output keeps what else the file says. An owner is @user, @org/team or a mail address, or \
        several of them.

        EXAMPLES
          allot owners
          allot owners --output .github/CODEOWNERS
          allot owners --check .github/CODEOWNERS
        """
}
