import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotGit
import ArgumentParser

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the definitions: every problem of every file.",
        discussion: help)

    @Argument(help: "The folder of definitions (default: Experiments).", completion: .directory)
    var folder: String?

    @Option(help: .value("folder", "An alias of the folder, named as in the other commands."), completion: .directory)
    var definitions: String?

    @Option(help: .instant("The instant at which schedules are checked"), transform: Instant.init(argument:))
    var at: Instant?

    @Option(help: "How to report (default: text).")
    var format: CheckReport.Format?

    @Flag(help: "An alias of --format json.")
    var json = false

    @Flag(help: "Write the manifest anew if there is no error.")
    var writeManifest = false

    @OptionGroup
    var limits: LimitOptions

    func validate() throws {
        if folder != nil, definitions != nil {
            throw ValidationError("The folder is given twice, as an argument and with --definitions; give it once.")
        }
        guard !json || format ?? .json == .json else {
            throw ValidationError("--json is --format json; leave out one of the two.")
        }
    }

    func run() throws {
        let folder = folder ?? definitions ?? DefinitionsLoader.defaultFolder
        let loader = limits.loader(at: at ?? .now)
        let place = try? DefinitionsPlace(folder)
        let format = json ? .json : format ?? .text
        let repository = format == .text ? nil : place?.repositoryFolder()
        let report = try CheckReport(of: place?.name ?? folder, format: format, repository: repository) {
            let loaded =
                try writeManifest ? loader.loadWritingManifest(folder: folder) : loader.load(DefinitionsPlace(folder))
            let salts = place.map { FormerSalts.warnings(about: loaded.definitions, in: $0) }
            return loaded.warning(aboutSalts: salts ?? [:])
        }
        try StandardOutput.write(report.lines(version: AllotVersion.number))
        if !report.isValid { throw ExitCode.failure }
    }

    private static let help = """
        Reads the whole folder and prints one line for each problem, with file, line, column, what is wrong and \
        how to fix it; then a summary. The folder may be REVISION:DIR of the Git repository, main:Experiments. \
        Experiments that conflict (one unit can be in both, and both override the \
        same setting) are errors. Exits with 1 if there is any error; warnings do not fail.

        A folder may carry a manifest, MANIFEST.sha256: the definition files with their SHA-256, as sha256sum \
        writes it. All commands and servers then refuse the folder unless it has exactly these files, so that one \
        that is half copied changes nothing. Copy the manifest first.

        FORMATS
          text    lines as compilers write them
          github  annotations at the lines of a pull request
          sarif   SARIF 2.1.0, for code scanning
          json    for programs: valid, errors, warnings, problems, revision
        """
}

extension CheckReport.Format: ExpressibleByArgument {}
