import AllotAnalysis
import AllotBatch
import AllotFiles
import AllotStatistics
import ArgumentParser

struct PowerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power",
        abstract: "Say how many units an experiment needs, or what it can find.",
        usage: """
            allot power --baseline <rate> [--effect <change>] [<options>]
            allot power <experiment> --data <file> --metric <column> [<options>]
            """,
        discussion: """
            Give two of effect, units and power, and the third follows. Power is 80% unless it is given or \
            calculated. A rate, such as a conversion, is given by its --baseline and compared by the z-test of two \
            proportions; a mean, such as revenue for each user, by its --standard-deviation and compared by \
            Student's t-test. Rates and shares are written as 10% or 0.1; --shares has the \
            control first, and also takes weights, with names or without: 80,10,10.

            With --data the definition of an experiment and past units answer: variants, traffic, audience, layer, \
            holdouts and requirements decide who would be enrolled, as if the experiment had begun with the first row; \
            the data say how many units come in each week, and how much they differ. Rows of one unit are added up. \
            With a period each window of a unit is analysed, and --washout leaves its start out. \
            The answer is the smallest change for each week: at one look (Welch's t-test), and at every look (mSPRT).

            --replay splits the same units under many salts, KEY.replay.1 and so on, and runs the planned analysis on \
            each: its real false alarms, and its real power for a change that is put in.

            EXIT STATUS
              0   there is an answer
              2   a replay contradicts a formula: of right ones, 1% for all together
              1   failure, such as a file that cannot be read
              64  a wrong command line

            EXAMPLES
              allot power --baseline 10% --effect 1%
                  how many units find 10% becoming 11%?
              allot power --baseline 10% --relative-effect 5% --units-per-day 8000
                  and how many days for 10% becoming 10.5%?
                  (and while the traffic rises: --ramp 1%,10%,100% --every 2d)
              allot power --baseline 10% --units 100000
                  what can be found with that many?
              allot power --baseline 10% --effect 1% --units 20000
                  and how probably?
              allot power --standard-deviation 12.5 --mean 40 --effect 0.5
              allot power --baseline 10% --effect 1% --shares control=80%,a=10%,b=10%
              allot power buy-button --data users.csv --metric orders
                  what can an experiment with these users find?
              allot power buy-button --data users.csv --metric orders --replay
                  and is that true for such values?
            """)

    @Argument(
        help: .value("experiment", "The experiment's key, with --data."), completion: .names(of: .experiments))
    var experiment: String?

    @OptionGroup(title: "From data")
    var dataOptions: PowerDataOptions

    @OptionGroup(title: "What is measured")
    var measureOptions: MeasureOptions

    @OptionGroup(title: "The test")
    var test: PowerTestOptions

    @OptionGroup(title: "The units")
    var units: UnitCountOptions

    @OptionGroup
    var csv: CSVOptions

    @OptionGroup
    var definitions: DefinitionsOptions

    @OptionGroup
    var report: ReportOptions<AllForms>

    func validate() throws {
        try definitions.check(atColumn: dataOptions.atColumn)
        guard dataOptions.data == nil, experiment == nil else { return }
        try dataOptions.checkUnused()
        try csv.checkUnused(without: "--data")
        // What is missing is reported by the run, see there.
        do { _ = try result() } catch is UsageFailure {} catch is CommandFailure {}
    }

    func run() throws {
        guard dataOptions.data == nil, experiment == nil else { return try runOnData() }
        let result = try result()
        try report.write(result.report, json: result.json)
    }

    private func result() throws -> PowerReport {
        var question = PowerQuestion()
        measureOptions.add(to: &question)
        test.add(to: &question)
        units.add(to: &question)
        do throws(PowerQuestion.Fault) {
            return try question.report()
        } catch {
            switch error {
            case .missing(let text): throw UsageFailure(text)
            case .contradiction(let text): throw ValidationError(text)
            case .unanswerable(let text): throw CommandFailure(text)
            }
        }
    }

    private func runOnData() throws {
        guard let experiment, let data = dataOptions.data else {
            throw UsageFailure("A plan from data needs the experiment's key and --data.")
        }
        let metrics = try dataOptions.metrics()
        try units.checkUnused()
        let (plan, instant) = try definitions.load()
        let index = try plan.experimentIndices(of: [experiment])?.first ?? 0
        var question = PowerDataQuestion(plan, experiment: index, at: instant, metrics: metrics)
        try measureOptions.add(to: &question)
        try test.add(to: &question)
        dataOptions.add(to: &question)
        (question.nullWords, question.delimiter) = (csv.nullWords, csv.delimiter)
        if let period = question.period, question.atColumn == nil {
            throw UsageFailure(
                "\(experiment) randomises anew every \(period.lengthText); name the column of each row's instant with "
                    + "--at-column.")
        }
        do throws(AnalysisError) { try question.check() } catch { throw UsageFailure(error.description) }
        ProgressBar.announceTyping(data)
        let file = try InputFile(path: data)
        let reading = ProgressBar(total: file.size)
        defer { reading.clear() }
        var answer = try question.answer(from: file) { reading.show($0) }
        reading.clear()
        if dataOptions.replay, dataOptions.salts > 0 { answer = try replayed(answer) }
        try report.write(answer.report, json: answer.json)
        if answer.disagrees { throw ExitCode.finding }
    }

    private func replayed(_ answer: PowerFromData) throws -> PowerFromData {
        let bar = ProgressBar(total: answer.hashCount(salts: dataOptions.salts), unit: "million hashes")
        return try Waiting.result { [dataOptions] in
            defer { bar.clear() }
            var replayed = answer
            let tasks = min(dataOptions.threads.count ?? .max, Processors.availableCount)
            await replayed.replay(salts: dataOptions.salts, taskCount: tasks, progress: bar.add)
            return replayed
        }
    }
}
