import Allot
import AllotConfiguration
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
            """)

    @Argument(help: "The folder of definitions (default: Experiments).", completion: .directory)
    var folder: String?

    @Option(help: .value("folder", "The same folder, named as in the other commands."), completion: .directory)
    var definitions: String?

    @Option(help: .instant("The instant at which schedules are checked"), transform: Instant.init(argument:))
    var at: Instant?

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
            let loaded = try limits.loader(at: at ?? .now).load(folder: folder)
            let plan = loaded.plan
            let contents = [
                counted(plan.experiments.count, "experiment"), counted(plan.layers.count, "layer"),
                counted(plan.holdouts.count, "holdout"),
            ].joined(separator: ", ")
            let summary = DefinitionProblem.summary(of: loaded.warnings)
            try StandardOutput.write(
                loaded.warnings.map(\.description) + ["\(contents): \(summary) (revision \(plan.revision))"])
        } catch DefinitionsError.invalid(let problems) {
            try StandardOutput.write(
                problems.map(\.description) + ["\(folder): \(DefinitionProblem.summary(of: problems))"])
            throw ExitCode.failure
        }
    }
}
