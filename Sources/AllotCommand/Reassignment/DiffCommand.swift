import AllotAnalysis
import AllotBatch
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotGit
import ArgumentParser

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Say who would move if these definitions changed.",
        usage: "allot diff <old> [<new>] [--users <file>] [--format <format>] [<options>]", discussion: help)

    @Argument(help: .value("old", "The definitions as they are: a folder or a revision."), completion: .directory)
    var old: String
    @Argument(help: .value("new", "The definitions as they would be (default: --definitions)."), completion: .directory)
    var new: String?
    @Option(help: .instant("The instant of evaluation"), transform: Instant.init(argument:)) var at: Instant?
    @Option(help: .users, completion: .file(extensions: ["csv", "gz"])) var users: String?
    @OptionGroup var columns: ColumnOptions
    @OptionGroup var threads: ThreadOptions
    @OptionGroup var csv: CSVOptions
    @OptionGroup var report: ReportOptions<AllForms>
    @OptionGroup var folder: FolderOptions

    func validate() throws {
        guard users == nil else { return }
        try columns.checkUnused(without: "--users")
        try csv.checkUnused(without: "--users")
        if threads.count != nil { throw ValidationError("--threads goes with --users.") }
    }

    func run() throws {
        let instant = at ?? .now
        let compared = try ComparedDefinitions(old, new, folder: folder.definitions)
        let (before, after) = (try load(compared.old, at: instant), try load(compared.new, at: instant))
        let counts = try users.map { path in
            var comparison = BatchComparison(old: before, new: after, instant: instant)
            (comparison.unitColumn, comparison.attributeColumns) = (columns.unitColumn, try columns.names())
            (comparison.nullWords, comparison.delimiter) = (csv.nullWords, csv.delimiter)
            comparison.threadCount = threads.count
            let source = try InputFile(path: path)
            let progress = ProgressBar(total: source.size)
            defer { progress.clear() }
            return try comparison.run(source) { progress.show($0) }
        }
        let salts = FormerSalts.warnings(about: after.definitions, in: compared.new)
        let change = ReassignmentReport(from: before, to: after, at: instant, users: counts, salts: salts)
        try report.write(change.report, json: change.json)
        if change.reassignsEnrolledUnits { throw ExitCode.finding }
    }

    private func load(_ place: DefinitionsPlace, at instant: Instant) throws -> Plan {
        do {
            return try folder.loader(at: instant).load(place).plan
        } catch DefinitionsError.folder(let path, let reason) {
            throw CommandFailure("cannot read the definitions folder \(path): \(reason); check its name")
        }
    }

    private static let help = """
        Compares two states of definitions: folders, or revisions of Git, which stand for the folder of \
        --definitions in that revision. Without a second one, it is the folder as it is on disk; A..B are two \
        revisions, and A...B is B since it left A. A folder that exists wins over a revision of its name.

        For each experiment: the exact share of units that stay, move, enter and leave, between which variants; \
        which settings change for which units; what is randomised anew, and what that carries over into results. \
        Shares are computed from ranges of buckets, not sampled; they are of the units that the audience admits. \
        Where an audience changes, --users counts real users, each unit once, with its first row.

        Exits with 2 when units that are already enrolled (randomised into a variant) would get another variant \
        or none, or may do so because an audience changed and no --users are given; with 0 otherwise.

        EXAMPLES
          allot diff main                          the folder against a branch
          allot diff origin/main --format markdown -o comment.md
          allot diff v12..v13
          allot diff main:Experiments definitions
          allot diff old new --users users.csv
        """
}
