import AllotGit
import ArgumentParser

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show each commit that changed an experiment, and whom it moved.",
        usage: "allot history <experiment> [--definitions <folder>] [<options>]", discussion: help)

    @Argument(help: "The experiment's key.", completion: .names(of: .experiments)) var experiment: String
    @OptionGroup var report: ReportOptions<AllForms>
    @OptionGroup var folder: FolderOptions

    func run() throws {
        let history = try ExperimentHistory(
            of: experiment, in: DefinitionsPlace(folder.definitions), limits: folder.limits)
        try report.write(history.report, json: history.json)
    }

    private static let help = """
        Follows a branch from merge to merge (its first parents), the last commit first, and the folder under the \
        names that it had. For each commit that changed the experiment's revision: what changed; the exact shares \
        of units that it moved, at the instant of the commit; and whether results from before and after can be \
        pooled. Commits whose definitions do not load are shown too.

        EXAMPLES
          allot history buy-button
          allot history buy-button --definitions release:Experiments --json
        """
}
