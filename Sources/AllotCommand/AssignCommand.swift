import AllotAnalysis
import AllotBatch
import AllotFiles
import ArgumentParser

struct AssignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assign", abstract: "Assign every row of a CSV file.",
        usage: "allot assign [<input>] [-o <file>] [<options>]",
        discussion: """
            The header row names the attributes; the column user_id (or --unit-column) contains the unit IDs. Files of \
            any size are read in constant memory on all cores; rows stay in order. Files and pipes that gzip \
            compressed are read as they are. The output has the delimiter of the input. The output file appears under \
            its name only when it is complete. A summary goes to standard error: the counts, the expected shares, and \
            the p-value of the test for a sample ratio mismatch (SRM), which assumes that each user has one row. The \
            exit status is 1 if the command failed, or if --rejects set aside every row, or a row of several lines, \
            which one quote too many makes of good rows.

            LAYOUTS
              wide   the row as it was, plus one column for each experiment:
                     the key of the variant, or nothing; lines end with LF,
                     and there is no byte order mark
              long   one row for each variant that is assigned:
                     unit,experiment,variant,reason,bucket,revision
              json   one line for each row: {"unit": …, "configuration": {…}}

            EXAMPLES
              allot assign users.csv -o assigned.csv
              allot assign users.csv.gz --layout long > assigned.csv
              allot assign sheet.csv --delimiter ';' -o assigned.csv
              allot assign players.csv --unit-column player -o assigned.csv
              allot assign users.csv --rejects bad-rows.csv -o assigned.csv
              allot assign export.csv --null NULL --null '\\N' -o assigned.csv
              allot assign visits.csv --at-column at -o assigned.csv
            """)

    @Argument(
        help: .value("input", "The CSV file; - is standard input."), completion: .file(extensions: ["csv", "gz"]))
    var input = "-"
    @Option(name: .shortAndLong, help: .output, completion: .file()) var output = "-"
    @Option(help: "The output for each row.") var layout = BatchAssignment.Layout.wide
    @Flag(help: "In the long layout, also write a row for each experiment without a variant.") var all = false
    @OptionGroup var columns: ColumnOptions
    @Option(help: .atColumn) var atColumn: String?
    @Option(name: .customLong("experiment"), help: .experiment, completion: .names(of: .experiments))
    var experiments: [String] = []
    @Option(help: .value("file", "Write malformed rows to this file, with the reason, and go on."), completion: .file())
    var rejects: String?
    @OptionGroup var csv: CSVOptions
    @OptionGroup var threads: ThreadOptions
    @OptionGroup var definitions: DefinitionsOptions

    func validate() throws {
        if all, layout != .long { throw ValidationError("--all requires --layout long.") }
        try definitions.check(atColumn: atColumn)
        if let rejects, rejects == output { throw ValidationError("--rejects and --output name the same file.") }
    }

    func run() throws {
        let names = try columns.names()
        let (plan, instant) = try definitions.load()
        if let rejects {
            let target = FileIdentity(output: output)
            try FileIdentity.check(output: rejects, option: "--rejects", isNot: target, "the output as well")
        }
        var batch = BatchAssignment(plan: plan, instant: instant)
        batch.selection = try plan.experimentIndices(of: experiments)
        (batch.layout, batch.includesAll, batch.setsRejectsAside) = (layout, all, rejects != nil)
        (batch.unitColumn, batch.attributeColumns, batch.timeColumn) = (columns.unitColumn, names, atColumn)
        (batch.nullWords, batch.delimiter, batch.threadCount) = (csv.nullWords, csv.delimiter, threads.count)
        let source = try InputFile(path: input)
        // A bar would get in the way of rows on the same terminal.
        let progress = ProgressBar(total: source.size, isAllowed: output != "-" || isatty(STDOUT_FILENO) == 0)
        defer { progress.clear() }
        let target = try AtomicOutput(path: output)
        let rejected = try rejects.map { try AtomicOutput(path: $0, option: "--rejects") }
        ProgressBar.announceTyping(input)
        let start = ContinuousClock.now
        let summary = try batch.run(source, output: target, rejects: rejected) { progress.show($0) }
        try target.commit()
        try rejected?.commit()
        progress.clear()
        let report = AssignmentReport(
            summary, of: batch, duration: ContinuousClock.now - start,
            instantOption: definitions.asOf == nil ? "--at" : "--as-of")
        StandardError.write(report.lines.joined(separator: "\n"))
        if let failure = summary.failure { throw CommandFailure(failure) }
    }
}

extension BatchAssignment.Layout: ExpressibleByArgument {}
