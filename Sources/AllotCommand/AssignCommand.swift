import Allot
import AllotAnalysis
import AllotBatch
import AllotDefinitions
import AllotFiles
import ArgumentParser

/// `allot assign`
struct AssignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assign",
        abstract: "Assign every row of a CSV file.",
        usage: "allot assign [<input>] [-o <file>] [<options>]",
        discussion: """
            The header row names the attributes; the column user_id (or --unit-column) contains the unit IDs. Files of \
            any size are read in constant memory on all cores; rows stay in order. The output file appears under its \
            name only when it is complete. A summary goes to standard error: the counts, the expected shares, and the \
            p-value of the test for a sample ratio mismatch (SRM), which assumes that each user has one row.

            LAYOUTS
              wide   the row as it was, plus one column for each experiment:
                     the key of the variant, or nothing
              long   one row for each variant that is assigned:
                     unit,experiment,variant,reason,bucket,revision
              json   one line for each row: {"unit": …, "configuration": {…}}

            EXAMPLES
              allot assign users.csv -o assigned.csv
              zcat users.csv.gz | allot assign - --layout long > assigned.csv
              allot assign players.csv --unit-column player -o assigned.csv
              allot assign users.csv --rejects bad-rows.csv -o assigned.csv
            """)

    @Argument(
        help: ArgumentHelp("The CSV file; - is standard input.", valueName: "input"),
        completion: .file(extensions: ["csv"]))
    var input = "-"

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where to write; - is standard output.", valueName: "file"),
        completion: .file())
    var output = "-"

    @Option(help: "The output for each row.")
    var layout = BatchAssignment.Layout.wide

    @Flag(help: "In the long layout, also write a row for each experiment without a variant.")
    var all = false

    @Option(help: ArgumentHelp("The column of user_id, if it has another name.", valueName: "column"))
    var unitColumn: String?

    @Option(
        name: .customLong("experiment"),
        help: ArgumentHelp("Assign only this experiment (repeatable).", valueName: "key"))
    var experiments: [String] = []

    @Option(
        help: ArgumentHelp("Write malformed rows to this file, with the reason, and go on.", valueName: "file"),
        completion: .file())
    var rejects: String?

    @Option(help: ArgumentHelp("The number of threads (default: one for each core).", valueName: "count"))
    var threads: Int?

    @OptionGroup
    var definitions: DefinitionsOptions

    func validate() throws {
        if all, layout != .long { throw ValidationError("--all requires --layout long.") }
        if let threads, !(1...1024).contains(threads) {
            throw ValidationError("--threads takes a number from 1 to 1024.")
        }
        if let rejects, rejects == output { throw ValidationError("--rejects and --output name the same file.") }
    }

    func run() throws {
        let (plan, instant) = try definitions.load()
        let files = BatchFiles(input: input, output: output, rejects: rejects)
        try files.check()
        var batch = BatchAssignment(plan: plan, instant: instant)
        batch.selection = try plan.experimentIndices(of: experiments)
        batch.layout = layout
        batch.includesAll = all
        batch.unitColumn = unitColumn
        batch.setsRejectsAside = rejects != nil
        batch.pipeline = OrderedPipeline(workerCount: threads)
        let source = try InputFile(path: input)
        let progress = ProgressBar(total: source.size, isAllowed: !files.showsRows)
        defer { progress.clear() }
        let target = try AtomicOutput(path: output)
        let rejected = try rejects.map { try AtomicOutput(path: $0, option: "--rejects") }
        files.announceTyping()
        let start = ContinuousClock.now
        let summary = try batch.run(source, output: target, rejects: rejected) { progress.show($0) }
        try target.commit()
        try rejected?.commit()
        progress.clear()
        let report = AssignmentReport(summary, of: batch, duration: ContinuousClock.now - start)
        StandardError.write(report.lines.joined(separator: "\n"))
    }
}

extension BatchAssignment.Layout: ExpressibleByArgument {}
