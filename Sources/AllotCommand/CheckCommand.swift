import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotGit
import ArgumentParser

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the definitions: every problem of every file.",
        usage: "allot check [--definitions <folder>] [--format <format>] [<options>]", discussion: help)

    @OptionGroup var folder: FolderOptions
    @Option(help: .instant("The instant of evaluation"), transform: Instant.init(argument:)) var at: Instant?
    @OptionGroup var report: ReportOptions<FileForms>
    @Flag(help: "Fail on warnings too.") var strict = false
    @Flag(help: "Write the manifest anew if there is no error.") var writeManifest = false

    func run() throws {
        let loader = folder.loader(at: at ?? .now)
        let name = folder.definitions
        let place = try? DefinitionsPlace(name)
        let repository = report.chosen == .text ? nil : place?.repositoryFolder()
        let found = try CheckReport(of: place?.name ?? name, format: report.chosen, repository: repository) {
            let loaded =
                try writeManifest ? loader.loadWritingManifest(folder: name) : loader.load(DefinitionsPlace(name))
            let salts = place.map { FormerSalts.warnings(about: loaded.definitions, in: $0) }
            return loaded.warning(aboutSalts: salts ?? [:])
        }
        try report.write(found.report, json: found.json, lines: found.lines(version: AllotVersion.number))
        if !found.isValid { throw ExitCode.failure }
        if strict, found.hasWarnings { throw ExitCode.finding }
    }

    private static let help = """
        Reads the whole folder and prints one line for each problem, with file, line, column, what is wrong and how to \
        fix it; then a summary. The folder may be REVISION:DIR of the Git repository, main:Experiments. Experiments \
        that conflict (one unit can be in both, and both override the same setting) are errors. Exits with 1 if there \
        is any error, and with 2 for warnings with --strict. --max-settings, --max-value-bytes and --allow-empty, \
        which --help-hidden shows, change the limits of a folder in every command that reads one.

        A folder may carry a manifest, MANIFEST.sha256: the definition files with their SHA-256, as sha256sum \
        writes it. All commands and servers then refuse the folder unless it has exactly these files, so that one \
        that is half copied changes nothing. Copy the manifest first.

        FORMATS
          text    lines as compilers write them; markdown and html are tables of them
          github  annotations at the lines of a pull request
          sarif   SARIF 2.1.0, for code scanning
          json    for programs: valid, errors, warnings, problems, revision

        EXAMPLES
          allot check
          allot check --definitions main:Experiments --strict
          allot check --format sarif -o allot.sarif
        """
}
