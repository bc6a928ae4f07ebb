import AllotAnalysis
import AllotConfiguration
import ArgumentParser

/// The data of which a plan is made, and what their columns hold.
struct PowerDataOptions: ParsableArguments {
    @Option(help: .data, completion: .file(extensions: ["csv", "gz"]))
    var data: String?

    @Option(name: .customLong("metric"), help: .metric)
    var columns: [String] = []

    @Option(
        name: .customLong("ratio"),
        help: .value(
            "column", "The column of a ratio's denominator; metric=column for one of several (repeatable)."))
    var ratios: [String] = []

    @Option(
        name: .customLong("before"),
        help: .value(
            "column", "The column of the time before, for CUPED; metric=column for one of several (repeatable)."))
    var before: [String] = []

    @Option(help: .value("column", "The column of the clusters that are randomised and analysed as a whole."))
    var cluster: String?

    @Option(help: .atColumn)
    var atColumn: String?

    @Option(help: .unitColumn)
    var unitColumn: String?

    @Option(
        help: .value("time", "Leave out rows this long from the start of a period's windows: 10m."),
        transform: TimeSpan.init(argument:))
    var washout: TimeSpan?

    @Option(
        number: "margin", "How much worse a treatment may be that is not inferior: in units, or 1% of the control.",
        WrittenNumber.init(argument:))
    var margin: WrittenNumber?

    @Flag(help: "Split the data under many salts, and compare the analysis with the formula.")
    var replay = false

    @Option(help: .salts)
    var salts = 1000

    @OptionGroup
    var threads: ThreadOptions

    func validate() throws { try ValidationError.check(salts, of: "--salts", in: 0...Replay.saltCounts.upperBound) }

    /// Throws if an option is given without data.
    func checkUnused() throws {
        try ValidationError.check(
            [
                "--metric": !columns.isEmpty, "--ratio": !ratios.isEmpty, "--before": !before.isEmpty,
                "--cluster": cluster != nil, "--at-column": atColumn != nil, "--unit-column": unitColumn != nil,
                "--washout": washout != nil, "--margin": margin != nil, "--replay": replay,
            ], goWith: "--data")
    }

    func metrics() throws -> [PowerDataQuestion.Metric] {
        guard !columns.isEmpty else {
            throw UsageFailure("Name the column of a metric with --metric, such as --metric revenue.")
        }
        let (ratios, before) = (try byMetric(ratios, "--ratio"), try byMetric(before, "--before"))
        return columns.map { column in
            PowerDataQuestion.Metric(
                column, ratio: ratios[column] ?? ratios[""], before: before[column] ?? before[""])
        }
    }

    /// The columns by metric; that of all metrics by an empty name.
    private func byMetric(_ values: [String], _ option: String) throws -> [String: String] {
        var found: [String: String] = [:]
        for value in values {
            let (metric, column) = value.namedValue ?? ("", value)
            guard metric.isEmpty || columns.contains(metric) else {
                throw UsageFailure("\(option) names \(QuotedText(metric)), which is not a --metric.")
            }
            guard found.updateValue(column, forKey: metric) == nil else {
                throw UsageFailure("\(option) is given twice for one metric; keep one.")
            }
        }
        return found
    }

    func add(to question: inout PowerDataQuestion) {
        (question.cluster, question.atColumn, question.unitColumn) = (cluster, atColumn, unitColumn)
        (question.washout, question.margin) = (washout, margin)
    }
}
