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
            Reads the whole folder and prints one line for each problem, with file, line, column, what is wrong and how \
            to mend it; then a summary. Experiments that could collide (one unit in both, and both setting the same \
            thing) are errors. Exits with 1 if there is any error; warnings do not fail.
            """)

    @Argument(help: "The folder of definitions (default: Experiments).", completion: .directory)
    var folder: String?

    @Option(help: ArgumentHelp("The same, as the other commands take it.", valueName: "folder"), completion: .directory)
    var definitions: String?

    @Option(
        help: ArgumentHelp(
            "The instant at which schedules are judged, such as 2026-11-21T12:00:00Z (default: now).",
            valueName: "instant"),
        transform: Instant.init(argument:))
    var at: Instant?

    @OptionGroup
    var limits: LimitOptions

    func validate() throws {
        if folder != nil, definitions != nil {
            throw ValidationError("The folder is named twice, as an argument and with --definitions; name it once.")
        }
    }

    func run() throws {
        let folder = folder ?? definitions ?? DefinitionsOptions.defaultFolder
        do {
            let loaded = try limits.loader(at: at ?? .now).load(folder: folder)
            let plan = loaded.plan
            let counted = [
                ProblemSummary.counted(plan.experiments.count, "experiment"),
                ProblemSummary.counted(plan.layers.count, "layer"),
                ProblemSummary.counted(plan.holdouts.count, "holdout"),
            ].joined(separator: ", ")
            let summary = "\(counted): \(ProblemSummary(loaded.warnings).text) (revision \(plan.revision))"
            try StandardOutput.write(loaded.warnings.map(\.description) + [summary])
        } catch let error as DefinitionsError {
            guard case .invalid(let problems) = error else { throw CommandFailure(error) }
            try StandardOutput.write(problems.map(\.description) + ["\(folder): \(ProblemSummary(problems).text)"])
            throw ExitCode.failure
        }
    }
}
