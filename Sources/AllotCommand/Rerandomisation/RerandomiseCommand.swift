import AllotAnalysis
import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles
import ArgumentParser

struct RerandomiseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerandomise",
        abstract: "Test the effect of an experiment by the randomisations that could have been.",
        usage: "allot rerandomise <outcomes> --experiment <key> [<options>]",
        discussion: """
            Compares the outcomes of units with those under other salts. Where allot salt chose the salt, the others \
            are those that it would have chosen too, in their order after it: the exact test of that design, while \
            the usual tests find nothing and have intervals that are too wide. Else they are all salts: the plain \
            randomisation test.

            The file of outcomes has a row for each unit: the unit ID and the outcome, and perhaps the variant on \
            record, which is compared with the one that Allot computes. With --ratio the outcome is a ratio of two \
            sums. --users is the file by which the salt was chosen. --adjust removes what covariates explain, by \
            least squares; they are columns of --users, or without it of the outcomes.

            Prints the difference of each variant from the first one, with its p-value and the interval of the \
            effects that the test does not reject. A draw takes as many tries as the choice did: with 1%, 100 for \
            each; 199 draws are enough for a level of 5%.

            EXAMPLES
              allot rerandomise outcomes.csv --experiment buy-button
              allot rerandomise outcomes.csv --experiment buy-button --draws 199
              allot rerandomise outcomes.csv --experiment buy-button --users users.csv
            """)

    @Argument(
        help: .value("outcomes", "A CSV file of outcomes; - is standard input."),
        completion: .file(extensions: ["csv", "gz"]))
    var outcomes: String

    @Option(help: .value("key", "The experiment whose outcomes these are."), completion: .names(of: .experiments))
    var experiment: String?

    @Option(help: .value("column", "The column of the outcome (default: the only one)."))
    var metric: String?

    @Option(help: .value("column", "Compare ratios of sums; this column has the denominators."))
    var ratio: String?

    @Option(help: .value("columns", "The columns of covariates that adjust the means, such as orders,country."))
    var adjust: String?

    @Option(help: .users, completion: .file(extensions: ["csv", "gz"]))
    var users: String?

    @Option(help: .alpha, transform: WrittenNumber.rate)
    var alpha = 0.05

    @Option(help: .value("count", "The number of draws of the arms."))
    var draws = 1000

    @OptionGroup
    var columns: ColumnOptions

    @OptionGroup
    var csv: CSVOptions

    @OptionGroup
    var threads: ThreadOptions

    @OptionGroup
    var report: ReportOptions<AllForms>

    @OptionGroup
    var definitions: DefinitionsOptions

    func validate() throws {
        try ValidationError.check(draws, of: "--draws", in: RerandomisationQuestion.drawsRange)
        if users == "-", outcomes == "-" {
            throw ValidationError("Standard input is one file; name the other one.")
        }
    }

    func run() throws {
        guard let experiment else { throw UsageFailure("Name the experiment with --experiment.") }
        let (plan, instant) = try definitions.load()
        guard let index = try plan.experimentIndices(of: [experiment])?.first else { return }
        var question = RerandomisationQuestion()
        question.metric = metric
        question.ratio = ratio
        question.adjust = try adjust.map { try ColumnNames.list($0, of: "--adjust") } ?? []
        (question.alpha, question.draws) = (alpha, draws)
        question.columns = try columns.names(unit: plan.experiments[index].unit ?? Subject.defaultUnit)
        question.unitOption = columns.unitColumn.map { _ in "--unit-column" }
        question.taskCount = min(threads.count ?? .max, Processors.availableCount)
        ProgressBar.announceTyping(outcomes)
        let read = { (path: String) in
            try HashedInput(InputFile(path: path), nullWords: csv.nullWords, delimiter: csv.delimiter)
        }
        let (input, userInput) = (try read(outcomes), try users.map(read))
        let bar = ProgressBar(total: nil, unit: "million hashes")
        let result = try Waiting.result { [question] in
            defer { bar.clear() }
            return try await question.report(
                on: input, for: index, of: plan, at: instant, users: userInput, progress: bar.add)
        }
        try report.write(result.report, json: result.json)
    }
}
