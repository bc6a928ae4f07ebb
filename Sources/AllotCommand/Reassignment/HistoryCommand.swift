import AllotFiles
import AllotGit
import ArgumentParser

/// `allot history`
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show each commit that changed an experiment, and whom it moved.",
        discussion: ExperimentHistory.help)

    @Argument(help: "The experiment's key.")
    var experiment: String

    @Flag(help: "Print JSON, for programs.")
    var json = false

    @OptionGroup
    var folder: FolderOptions

    func run() throws {
        let history = try ExperimentHistory(
            of: experiment, in: DefinitionsPlace(folder.definitions), limits: folder.limits)
        try StandardOutput.write(json ? [history.json.prettyText] : history.lines)
    }
}
