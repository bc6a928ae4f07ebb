import AllotReports
import AllotStatistics

/// The results on the unit IDs of one source.
public struct DistributionSample: Sendable {
    /// The name of the unit IDs: `sequential`, `users.csv, column user_id`.
    public let name: String
    let notes: [String]
    let unitCount: Int
    /// For each randomisation its counts.
    public internal(set) var divisions: [DivisionResult]
    /// The buckets of all randomisations with different salts together, first and second.
    public internal(set) var uniformity: [UniformityResult]
    /// Every pair of randomisations.
    public internal(set) var pairs: [PairResult]
    /// The A/A comparisons, if there are any.
    public internal(set) var trial: SaltTrial?

    let crossCounts: [UInt32]

    /// The cross table of a pair: a row for each category of the left randomisation, a column for each of the right.
    func table(of pair: PairResult) -> [[Int]] { table(pair.left, pair.right, at: pair.crossOffset) }

    /// The last row and column were not counted: they are what is missing to the sums.
    private func table(_ left: Int, _ right: Int, at offset: Int) -> [[Int]] {
        var rest = divisions[right].categories.map(\.count)
        let free = rest.count - 1
        let table = divisions[left].categories.dropLast().enumerated().map { row, category -> [Int] in
            let counted = (0..<free).map { Int(crossCounts[offset + row * free + $0]) }
            let cells = counted + [category.count - counted.reduce(0, +)]
            for column in cells.indices { rest[column] -= cells[column] }
            return cells
        }
        return table + [rest]
    }

    /// Calls `body` with every test whose result chance decides, and what is wrong when it fails: not with those of
    /// pairs that share a salt.
    mutating func forEachTest(_ body: (inout TestResult, _ failure: () -> String) -> Void) {
        func visit(_ test: inout TestResult?, _ failure: @autoclosure @escaping () -> String) {
            guard var result = test else { return }
            body(&result, failure)
            test = result
        }
        let names = divisions.map(\.randomisation.label)
        for index in uniformity.indices { uniformity[index].visit(body, of: "all salts") }
        for (index, name) in names.enumerated() {
            visit(&divisions[index].shares, "the counts of \(name) do not fit its shares")
            divisions[index].firstBuckets?.visit(body, of: name)
            divisions[index].secondBuckets?.visit(body, of: name)
            visit(&divisions[index].independence, "enrolment and variant of \(name) depend on each other")
        }
        for index in pairs.indices where !pairs[index].sharesSalt {
            let (left, right) = (names[pairs[index].left], names[pairs[index].right])
            visit(&pairs[index].test, "\(left) and \(right) depend on each other")
        }
        guard var trial else { return }
        for index in trial.levels.indices {
            let level = NumberFormat.percent(trial.levels[index].nominal)
            visit(&trial.levels[index].test, "A/A comparisons at \(level) find too many or too few differences")
        }
        visit(&trial.uniformity, "the p-values of A/A comparisons are not uniform")
        self.trial = trial
    }
}

extension DistributionSample {
    init(_ tally: StudyTally, layout: StudyLayout, name: String, notes: [String], trial: SaltTrial?) {
        (self.name, self.notes, self.trial) = (name, notes, trial)
        (unitCount, crossCounts) = (tally.unitCount, tally.cross)
        divisions = layout.maps.indices.map { DivisionResult(tally, layout: layout, index: $0) }
        uniformity = Randomisation.Bucket.allCases.enumerated().compactMap { place, bucket in
            let cells = layout.pooledCells.count
            return UniformityResult(
                bucket, counts: tally.pooled[place * cells..<(place + 1) * cells],
                bucketCount: layout.function.bucketCount)
        }
        pairs = []
        pairs.reserveCapacity(layout.pairOffsets.count)
        layout.forEachPair { left, right in
            let offset = layout.pairOffsets[pairs.count]
            let (test, phi) = CountTest.independence(of: table(left, right, at: offset))
            pairs.append(
                PairResult(
                    left: left, right: right, test: test, phi: phi,
                    sharesSalt: layout.randomisations[left].hashedText == layout.randomisations[right].hashedText,
                    crossOffset: offset))
        }
    }
}

extension DivisionResult {
    fileprivate init(_ tally: StudyTally, layout: StudyLayout, index: Int) {
        let map = layout.maps[index]
        let offset = layout.countOffsets[index]
        let counts = Array(tally.categoryCounts[offset..<offset + map.count])
        randomisation = layout.randomisations[index]
        let categories = map.names.indices.map { category in
            Category(
                name: map.names[category], count: counts[category], shareNumerator: map.shareNumerators[category],
                shareDenominator: map.shareDenominator, unitCount: tally.unitCount)
        }
        self.categories = categories
        shares = (try? ChiSquare(counts: counts, shares: map.shares)).flatMap { test in
            CountTest.result(
                statistic: test.statistic, degreesOfFreedom: test.degreesOfFreedom, pValue: test.pValue,
                cells: categories.map { ($0.count, $0.expected) })
        }
        let cells = layout.ownCells.count
        func buckets(_ bucket: Randomisation.Bucket, _ place: Int) -> UniformityResult? {
            let start = (2 * index + place) * cells
            return UniformityResult(
                bucket, counts: tally.own[start..<start + cells], bucketCount: layout.function.bucketCount)
        }
        firstBuckets = layout.usesFirst ? buckets(.first, 0) : nil
        secondBuckets = layout.usesSecond(index) ? buckets(.second, 1) : nil
        let parts = layout.jointCells.count
        guard layout.usesBoth(index), parts > 1 else { return }
        let table = (0..<parts).map { row in (0..<parts).map { Int(tally.joint[(index * parts + row) * parts + $0]) } }
        independence = CountTest.independence(of: table).test
    }
}

/// Whether two randomisations are independent: the cross table of their categories.
public struct PairResult: Sendable, Hashable {
    /// The indices of the two randomisations, the lower one first.
    public let left: Int
    /// The index of the second randomisation.
    public let right: Int
    /// The chi-square test of independence; `nil` where a cell of the table expects fewer than 5 units.
    public internal(set) var test: TestResult?
    /// How strongly they depend on each other: √(chi-square / units), 0 to 1 for two by two categories, there with the
    /// sign of the dependence.
    public let phi: Double
    /// Whether they hash the same texts: they are the same decision then, or the opposite one in the windows of a
    /// balanced pair, which no chance can explain.
    let sharesSalt: Bool
    let crossOffset: Int
}
