import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles
import AllotStatistics

/// A question about the power of an experiment that real data answer: its definition says who is enrolled, and the data
/// say how many arrive and how much they differ.
package struct PowerDataQuestion: Sendable {
    /// A quantity that is measured of each unit.
    package struct Metric: Sendable, Hashable {
        /// The column of the values.
        package let column: String
        /// The column of the denominator; `nil` for a mean.
        package let ratio: String?
        /// The column of what is known from before the experiment.
        package let before: String?

        package init(_ column: String, ratio: String? = nil, before: String? = nil) {
            self.column = column
            self.ratio = ratio
            self.before = before
        }

        /// The name in reports.
        package var name: String { ratio.map { "\(column) / \($0)" } ?? column }
    }

    package let plan: Plan
    package let experiment: Int
    /// The instant at which rows without a time are decided.
    package let instant: Instant
    package let metrics: [Metric]

    // MARK: Columns

    /// The column of the unit IDs; `nil` for the one that is called like the attribute.
    package var unitColumn: String?
    /// The column of the clusters that are randomised and analysed as a whole; `nil` for single units.
    package var cluster: String?
    /// The column of each row's instant.
    package var atColumn: String?
    /// The time at the start of each window in which the one before still has effects; only with a period.
    package var washout: TimeSpan?
    package var nullWords: [String] = []
    package var delimiter = CSVDelimiter.comma

    // MARK: The test

    package var alpha = 0.05
    package var power = ExperimentDesign.customaryPower
    package var sides = TestSides.two
    package var correction = Correction.dunnett
    /// A change to find: of a mean in its units, or a percentage of it.
    package var effect: WrittenNumber?
    /// A change to find, of what the control has.
    package var relativeEffect: WrittenNumber?
    /// How much worse a treatment may be that counts as not inferior.
    package var margin: WrittenNumber?

    package init(_ plan: Plan, experiment: Int, at instant: Instant, metrics: [Metric]) {
        self.plan = plan
        self.experiment = experiment
        self.instant = instant
        self.metrics = metrics
    }

    var definition: Plan.Experiment { plan.experiments[experiment] }
    package var period: Period? { definition.draw?.period }

    /// Reads the data and plans the experiment.
    ///
    /// - Parameter progress: is called now and then with the number of bytes read so far.
    package func answer(from input: consuming InputFile, progress: (Int) -> Void = { _ in }) throws -> PowerFromData {
        guard definition.draw != nil else { throw AnalysisError.notRandomised(definition.key, "power to plan") }
        try check()
        var rows = try CSVRows(input, nullWords: nullWords, delimiter: delimiter)
        var reader = try PlanningReader(self, rows.header, fileName: rows.name)
        rows.unitColumns = reader.unitColumns
        while try rows.next() {
            try reader.take(rows)
            if rows.rowCount.isMultiple(of: 4096) { progress(rows.bytesRead) }
        }
        return try PowerFromData(self, reader.data(doubts: rows.doubts))
    }

    /// Refuses a question that contradicts itself.
    package func check() throws(AnalysisError) {
        guard !metrics.isEmpty else { throw AnalysisError("no metric is named; name the column of a metric") }
        if let twice = metrics.first(where: { metric in metrics.count { $0.name == metric.name } > 1 }) {
            throw AnalysisError("the metric \(QuotedText(twice.name)) is named twice; keep one")
        }
        if effect != nil, relativeEffect != nil {
            throw AnalysisError("The effect and the relative effect state one quantity in two ways; keep one.")
        }
        try checkPeriod()
        guard metrics.count > 1 else { return }
        if effect != nil {
            throw AnalysisError("an effect is in the unit of one metric; for several metrics give a relative effect")
        }
        if let margin, !margin.isPercentage {
            throw AnalysisError(
                "a margin is in the unit of one metric; for several metrics give a percentage, such as 1%")
        }
    }
}

extension PowerDataQuestion {
    private func checkPeriod() throws(AnalysisError) {
        let key = definition.key
        guard let period else {
            guard washout == nil else {
                throw AnalysisError("\(key) has no period, and without windows there is no washout; leave it out")
            }
            return
        }
        guard atColumn != nil else {
            throw AnalysisError(
                "\(key) randomises anew every \(period.lengthText), and the instant of a row says in which window it "
                    + "is; name the column of instants")
        }
        if let cluster {
            throw AnalysisError(
                "\(key) has a period, so that each window of a unit is a cluster; clusters of \(QuotedText(cluster)) "
                    + "would cut across windows, and a plan has one kind; leave them out")
        }
        if let washout, washout.seconds >= period.seconds {
            throw AnalysisError(
                "the washout of \(TimeSpan.text(ofSeconds: washout.seconds)) leaves nothing of windows of "
                    + "\(period.lengthText); it is shorter than a window")
        }
        if period.isBalanced, let metric = metrics.first(where: { $0.before != nil }) {
            throw AnalysisError(
                "\(key) compares each unit with itself in pairs of windows, where \(QuotedText(metric.before ?? "")) "
                    + "cancels out; leave out the time before")
        }
    }
}
