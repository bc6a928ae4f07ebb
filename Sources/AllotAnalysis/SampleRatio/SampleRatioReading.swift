import AllotBatch
import AllotConfiguration
import AllotCore

/// Counts all rows of a file, each for its experiment. The counter of an experiment is made when its first row comes.
struct SampleRatioReading {
    private enum Target {
        case counter(Int)
        case skipped(Int)
    }

    private(set) var counters: [RatioCounter] = []
    /// Experiments that are not tested and their numbers of rows, in the order of their first rows.
    private(set) var skipped: [(key: String, rows: Int)] = []
    private(set) var rowCount = 0
    private let analysis: SampleRatioAnalysis
    private let columns: SampleRatioColumns
    /// The indices of the selected experiments of a plan; `nil` for all.
    private let selection: [Int]?
    /// The keys of experiments, and by their numbers the places of their rows.
    private var keys = KeyTable()
    private var targets: [Target] = []

    /// The most experiments: a column of something else must not fill the memory.
    private static let targetLimit = 10_000

    init(_ analysis: SampleRatioAnalysis, _ columns: SampleRatioColumns) throws {
        self.analysis = analysis
        self.columns = columns
        if case .plan(let plan, _, _) = analysis.expectation, !analysis.experiments.isEmpty {
            let indices = try analysis.experiments.map { key in
                guard let index = plan.index(of: key) else {
                    throw AnalysisError("unknown experiment \(QuotedText(key))")
                }
                return index
            }
            selection = Set(indices).sorted()
        } else {
            selection = nil
        }
        if columns.experiment == nil { try addFixedCounters() }
    }

    mutating func read(_ rows: inout CSVRows, progress: (Int) -> Void) throws {
        while try rows.next() {
            if rows.rowCount & 0xFFF == 0 { progress(rows.bytesRead) }
            guard let column = columns.experiment else {
                for index in counters.indices { try counters[index].take(rows) }
                continue
            }
            switch try target(rows, column) {
            case .counter(let index): try counters[index].take(rows)
            case .skipped(let index): skipped[index].rows += 1
            }
        }
        rowCount = rows.rowCount
    }

    // MARK: Files without a column of experiments

    private mutating func addFixedCounters() throws {
        switch analysis.expectation {
        case .shares(let shares): counters = [try counter(analysis.experiments.first, shares)]
        case .plan(let plan, let instant, let isFixed):
            let selected = selection ?? columnExperiments(plan)
            if selected.isEmpty, columns.variant == nil { _ = try columns.variant(nil) }
            guard selected.count == 1 || columns.variant == nil else {
                let keys = plan.experiments.map(\.key)
                let known = keys.isEmpty ? "there are none" : "there are \(keys.listed(atMost: 12))"
                throw AnalysisError(
                    "\(columns.fileName) does not say which experiment each row belongs to; name one (\(known)), or "
                        + "the column of experiments, or give the shares")
            }
            // Without a selection, experiments that cannot be tested do not prevent the test of the others.
            let testable =
                selection == nil
                ? selected.filter { plan.experiments[$0].unit.map(columns.hasUnit) ?? false } : selected
            let tested = testable.isEmpty ? selected : testable
            counters = try tested.map {
                try counter(plan, $0, at: instant, isFixed: isFixed, isAlone: selected.count == 1)
            }
            skipped = selected.filter { !tested.contains($0) }.map { (plan.experiments[$0].key, 0) }
        }
    }

    private func columnExperiments(_ plan: Plan) -> [Int] {
        guard columns.variant == nil else { return [] }
        let found = plan.experiments.indices.filter { !columns.header.indices(of: plan.experiments[$0].key).isEmpty }
        // Others have no ratio, or do not randomise their variants.
        let testable = found.filter {
            plan.experiments[$0].status == .running && (try? VariantShares(plan.experiments[$0])) != nil
        }
        return testable.isEmpty ? found : testable
    }

    // MARK: Rows that name their experiment

    private mutating func target(_ rows: borrowing CSVRows, _ column: Int) throws -> Target {
        let number = keys.number(rows.bytes.span.extracting(rows[column]))
        if number == targets.count { targets.append(try newTarget(rows, column)) }
        return targets[number]
    }

    private mutating func newTarget(_ rows: borrowing CSVRows, _ column: Int) throws -> Target {
        guard targets.count < Self.targetLimit else {
            throw rows.error(
                in: column,
                "there are more than \(Self.targetLimit) experiments in this column; name the right one")
        }
        let key = rows.text(column)
        guard let counter = try namedCounter(key) else {
            skipped.append((key: key, rows: 0))
            return .skipped(skipped.count - 1)
        }
        counters.append(counter)
        if counters.count > 1, case .shares = analysis.expectation {
            throw rows.error(
                in: column,
                "the file holds several experiments, \(QuotedText(counters[0].question.experiment ?? "")) and "
                    + "\(QuotedText(key)), and the shares are those of one; name it")
        }
        return .counter(counters.count - 1)
    }

    /// The counter of an experiment; `nil` if it is not to be tested.
    private func namedCounter(_ key: String) throws -> RatioCounter? {
        switch analysis.expectation {
        case .shares(let shares):
            let isWanted = analysis.experiments.first.map { UTF8Order.areEqual($0, key) } ?? true
            return isWanted ? try counter(key, shares) : nil
        case .plan(let plan, let instant, let isFixed):
            guard let index = plan.index(of: key), selection?.contains(index) ?? true else { return nil }
            if selection == nil, (try? VariantShares(plan.experiments[index])) == nil { return nil }
            return try counter(plan, index, at: instant, isFixed: isFixed, isAlone: selection?.count == 1)
        }
    }

    // MARK: Counters

    /// The columns of the unit IDs; `nil` where rows hold counts, or each row is a unit.
    private func unitColumns(_ attribute: String?, isAlone: Bool) throws -> [Int]? {
        columns.count == nil && !analysis.isUnitEachRow ? try columns.units(attribute, isAlone: isAlone) : nil
    }

    private func counter(_ key: String?, _ shares: GivenShares) throws -> RatioCounter {
        RatioCounter(
            SampleRatioQuestion(analysis: analysis, experiment: key, shares: shares), columns: columns,
            variant: try columns.variant(key), units: try unitColumns(nil, isAlone: true))
    }

    private func counter(
        _ plan: Plan, _ index: Int, at instant: Instant, isFixed: Bool, isAlone: Bool
    ) throws -> RatioCounter {
        let experiment = plan.experiments[index]
        let shares: VariantShares
        do throws(AnalysisError) {
            shares = try VariantShares(experiment)
        } catch { throw AnalysisError("\(experiment.key): \(error)") }
        guard let salt = experiment.salt else { throw AnalysisError.notRandomised(experiment.key, "ratio to test") }
        let variant = try columns.variant(experiment.key)
        let units = try unitColumns(experiment.unit, isAlone: isAlone)
        var question = SampleRatioQuestion(
            analysis: analysis, experiment: experiment.key, shares: .named(shares), plan: (plan, index),
            present: RatioPeriod.Name(salt: salt, revision: experiment.revision), instant: instant)
        if let units {
            question.recomputed = { [columns] plan, experiment in
                RecordedVersusRecomputed(
                    plan, experiment: experiment, columns: columns, variant: variant, units: units, at: instant,
                    isFixed: isFixed)
            }
        }
        return RatioCounter(question, columns: columns, variant: variant, units: units)
    }
}
