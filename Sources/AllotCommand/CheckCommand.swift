import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotGit
import ArgumentParser

/// `allot check`
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the definitions: every problem of every file.",
        discussion: CheckReport.help)

    @Argument(help: "The folder of definitions (default: Experiments).", completion: .directory)
    var folder: String?

    @Option(help: .value("folder", "The same folder, named as in the other commands."), completion: .directory)
    var definitions: String?

    @Option(help: .instant("The instant at which schedules are checked"), transform: Instant.init(argument:))
    var at: Instant?

    @Option(help: "How to report (default: text).")
    var format: CheckReport.Format?

    @Flag(help: "The same as --format json.")
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
}

extension CheckReport.Format: ExpressibleByArgument {}
