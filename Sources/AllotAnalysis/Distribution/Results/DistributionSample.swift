/// The results on the unit IDs of one source.
public struct DistributionSample: Sendable {
    /// What the unit IDs are: `sequential`, `users.csv, column user_id`.
    public let name: String
    /// What is to be known about them, in sentences.
    public let notes: [String]
    /// The number of different unit IDs.
    public let unitCount: Int
    /// For each randomisation its counts.
    public internal(set) var divisions: [DivisionResult]
    /// The buckets of all randomisations with different salts together, first and second.
    public internal(set) var uniformity: [UniformityResult]
    /// Every pair of randomisations.
    public internal(set) var pairs: [PairResult]
    /// The A/A comparisons, if any were asked for.
    public internal(set) var trial: SaltTrial?

    let crossCounts: [UInt32]

    /// The cross table of a pair: a row for each category of the left randomisation, a column for each of the right.
    public func table(of pair: PairResult) -> [[Int]] {
        CrossTable.full(
            crossCounts, at: pair.crossOffset, rows: divisions[pair.left].categories.map(\.count),
            columns: divisions[pair.right].categories.map(\.count))
    }

    /// Calls `body` with every test whose result chance decides: not those of pairs that share a salt.
    mutating func forEachTest(_ body: (inout TestResult, TestSubject) -> Void) {
        func visit(_ test: inout TestResult?, _ subject: TestSubject) {
            guard var result = test else { return }
            body(&result, subject)
            test = result
        }
        for index in uniformity.indices { body(&uniformity[index].test, .pooled(uniformity[index].bucket)) }
        for index in divisions.indices {
            visit(&divisions[index].shares, .shares(index))
            if var test = divisions[index].firstBuckets?.test {
                body(&test, .buckets(index, .first))
                divisions[index].firstBuckets?.test = test
            }
            if var test = divisions[index].secondBuckets?.test {
                body(&test, .buckets(index, .second))
                divisions[index].secondBuckets?.test = test
            }
            visit(&divisions[index].independence, .independence(index))
        }
        for index in pairs.indices where !pairs[index].sharesSalt { visit(&pairs[index].test, .pair(index)) }
        guard var trial else { return }
        for index in trial.levels.indices { visit(&trial.levels[index].test, .rate(index)) }
        visit(&trial.uniformity, .trialUniformity)
        self.trial = trial
    }
}
