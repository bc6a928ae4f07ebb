import Allot

/// What two plans make of the rows of a file.
public struct BatchComparisonResult: Sendable {
    /// Rows that go from one state of an experiment to another.
    public struct Transition: Sendable, Hashable {
        /// The variant held before, `nil` for none.
        public let from: String?
        /// The variant held after, `nil` for none.
        public let to: String?
        /// How many rows, above 0.
        public let count: Int
    }

    /// The counts of one experiment of either plan.
    public struct Experiment: Sendable {
        public let key: String
        /// Every pair of states that was met, without those who hold nothing before and after.
        public let transitions: [Transition]
        /// The number of rows whose unit was forced before, or is forced now and held nothing; they are in no transition.
        public let forcedCount: Int
    }

    /// The number of rows.
    public let rowCount: Int
    /// Every experiment of either plan, in key order.
    public let experiments: [Experiment]
    /// Attributes that experiments look at and the input does not have.
    public let missingColumns: [String]

    init(
        rowCount: Int, pairs: [BatchComparison.Pair], counts: ComparisonCounts, comparison: BatchComparison,
        missingColumns: [String]
    ) {
        self.rowCount = rowCount
        self.missingColumns = missingColumns
        experiments = pairs.enumerated().map { index, pair in
            let old = [nil] + (pair.old.map { comparison.old.experiments[$0].variants.map(\.key) } ?? [])
            let new = [nil] + (pair.new.map { comparison.new.experiments[$0].variants.map(\.key) } ?? [])
            var transitions: [Transition] = []
            for (i, from) in old.enumerated() {
                for (j, to) in new.enumerated() where i + j > 0 {
                    let count = counts.count(pair: index, from: i, to: j)
                    if count > 0 { transitions.append(Transition(from: from, to: to, count: count)) }
                }
            }
            return Experiment(key: pair.key, transitions: transitions, forcedCount: counts.forced(pair: index))
        }
    }
}
