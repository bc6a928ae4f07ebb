import Allot
import AllotDefinitions
import AllotFiles
import ArgumentParser

/// `allot check`
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the definitions: every problem of every file.",
        discussion: """
            Reads the whole folder and prints one line for each problem, with file, line, column, what is wrong and \
            how to fix it; then a summary. Experiments that conflict (one unit can be in both, and both override the \
            same setting) are errors. Exits with 1 if there is any error; warnings do not fail.

            A folder may carry a manifest, MANIFEST.sha256: the definition files with their SHA-256, as sha256sum \
            writes it. All commands and servers then refuse the folder unless it has exactly these files, so that one \
            that is half copied changes nothing. Copy the manifest first.
            """)

    @Argument(help: "The folder of definitions (default: Experiments).", completion: .directory)
    var folder: String?

    @Option(help: .value("folder", "The same folder, named as in the other commands."), completion: .directory)
    var definitions: String?

    @Option(help: .instant("The instant at which schedules are checked"), transform: Instant.init(argument:))
    var at: Instant?

    @Flag(help: "Write the manifest anew if there is no error.")
    var writeManifest = false

    @OptionGroup
    var limits: LimitOptions

    func validate() throws {
        if folder != nil, definitions != nil {
            throw ValidationError("The folder is given twice, as an argument and with --definitions; give it once.")
        }
    }

    func run() throws {
        let folder = folder ?? definitions ?? FolderOptions.defaultFolder
        do {
            let loader = limits.loader(at: at ?? .now)
            let loaded = try writeManifest ? loader.loadWritingManifest(folder: folder) : loader.load(folder: folder)
            try StandardOutput.write(loaded.warnings.map(\.description) + [loaded.summary])
        } catch DefinitionsError.invalid(let problems) {
            try StandardOutput.write(
                problems.map(\.description) + ["\(folder): \(DefinitionProblem.summary(of: problems))"])
            throw ExitCode.failure
        }
    }
}
