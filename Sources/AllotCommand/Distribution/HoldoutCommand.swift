import AllotAnalysis
import AllotCore
import AllotFiles
import ArgumentParser

struct HoldoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "holdout",
        abstract: "Say what a holdout covers, can find, and gives back when it ends.",
        usage: "allot holdout <holdout> [--data <file>] [--metric <column>] [<options>]",
        discussion: """
            Without data: the share that is held out, the experiments that it covers, and what its units get when it \
            ends. With a CSV file of all units, one in each row: the share that is held out, in all and by week \
            (--at-column); which share of the other units the experiments touch, by the decisions of Allot or by \
            recorded --exposures, and so how much an effect on these is diluted; and for each --metric the difference \
            between both sides with its interval, and the smallest one that can be found. Allot decides held-out \
            units as if the holdout had ended, so it compares touched units with those that would have been.

            EXIT STATUS
              0   nothing is wrong
              2   a ratio differs from the share that is held out: by chance with the
                  probability --alpha, for all ratios together (Holm)
              1   failure, such as a file that cannot be read
              64  a wrong command line

            EXAMPLES
              allot holdout h2-2026
              allot holdout h2-2026 --data users.csv --metric orders
              allot holdout h2-2026 --data users.csv --exposures exposures.csv
            """)

    @Argument(help: "The holdout's name.", completion: .names(of: .holdouts))
    var holdout: String

    @Option(help: .data, completion: .file(extensions: ["csv", "gz"]))
    var data: String?

    @Option(name: .customLong("metric"), help: .metric)
    var metrics: [String] = []

    @Option(
        help: .value("file", "Measure dilution by exposures: a CSV file as allot exposures export writes."),
        completion: .file(extensions: ["csv", "gz"]))
    var exposures: String?

    @Option(help: .unitColumn)
    var unitColumn: String?

    @Option(help: .atColumn)
    var atColumn: String?

    @OptionGroup
    var csv: CSVOptions

    @Option(help: .alpha, transform: WrittenNumber.rate)
    var alpha = RatioTest.threshold

    @OptionGroup
    var report: ReportOptions<AllForms>

    @OptionGroup
    var definitions: DefinitionsOptions

    func validate() throws {
        try definitions.check(atColumn: atColumn)
        guard data == nil else { return }
        try csv.checkUnused(without: "--data")
        try ValidationError.check(
            [
                "--metric": !metrics.isEmpty, "--exposures": exposures != nil, "--unit-column": unitColumn != nil,
                "--at-column": atColumn != nil,
            ], goWith: "--data")
    }

    func run() throws {
        let (plan, instant) = try definitions.load()
        var columns = HoldoutData()
        (columns.unitColumn, columns.timeColumn, columns.metrics) = (unitColumn, atColumn, metrics)
        (columns.nullWords, columns.delimiter) = (csv.nullWords, csv.delimiter)
        ProgressBar.announceTyping(data)
        var size: Int?
        let file: InputFile?
        if let data {
            let opened = try InputFile(path: data)
            size = opened.size
            file = consume opened
        } else {
            file = nil
        }
        let met: InputFile? = if let exposures { try InputFile(path: exposures) } else { nil }
        let progress = ProgressBar(total: size)
        defer { progress.clear() }
        let result = try HoldoutReport(
            holdout, of: plan, at: instant, input: file, exposures: met, data: columns, alpha: alpha
        ) { progress.show($0) }
        progress.clear()
        try report.write(result.report, json: result.json)
        if result.isMismatch { throw ExitCode.finding }
    }
}
