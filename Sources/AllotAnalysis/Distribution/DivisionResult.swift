import AllotStatistics

/// Whether buckets are equally frequent.
public struct UniformityResult: Sendable {
    let bucket: Randomisation.Bucket
    /// How many buckets were counted: units times salts.
    let drawCount: Int
    /// The number of equal cells that chi-square was computed over: as many as there are buckets where 5 draws or more
    /// are expected of each, else the most that divide the buckets evenly and expect as many.
    let cellCount: Int
    let bucketCount: Int
    /// The chi-square test of equal frequency.
    public internal(set) var test: TestResult
    /// The counts of some equal parts of the buckets, in order, for plots.
    let histogram: [Int]

    var expectedPerCell: Double { Double(drawCount) / Double(cellCount) }

    /// The deviation of each bar of the histogram from its expectation, in the standard deviations of chance.
    var histogramScores: [Double] {
        let share = 1 / Double(histogram.count)
        let expected = Double(drawCount) * share
        let deviation = (expected * (1 - share)).squareRoot()
        return histogram.map { deviation > 0 ? (Double($0) - expected) / deviation : 0 }
    }

    /// The histogram in fewer bars: the most up to a limit that divide the buckets evenly.
    func histogram(atMost limit: Int) -> UniformityResult {
        let count = EqualCells.count(atMost: limit, of: histogram.count)
        return UniformityResult(
            bucket: bucket, drawCount: drawCount, cellCount: cellCount, bucketCount: bucketCount, test: test,
            histogram: EqualCells.merged(histogram.map(UInt32.init(clamping:))[...], to: count))
    }

    mutating func visit(_ body: (inout TestResult, _ failure: () -> String) -> Void, of subject: String) {
        let bucket = bucket.rawValue
        body(&test) { "the \(bucket) buckets of \(subject) are not uniform" }
    }
}

extension UniformityResult {
    private static let mostBars = 100

    /// Tests counts of equal cells; `nil` where there are too few draws for two.
    init?(_ bucket: Randomisation.Bucket, counts: ArraySlice<UInt32>, bucketCount: Int) {
        let total = EqualCells.merged(counts, to: 1)[0]
        let most = min(counts.count, Int(Double(total) / CountTest.leastExpected))
        let cellCount = EqualCells.count(atMost: max(most, 1), of: counts.count)
        let cells = EqualCells.merged(counts, to: cellCount)
        guard cellCount > 1, let test = try? ChiSquare(counts: cells, shares: cells.map { _ in 1 }) else { return nil }
        let bars = EqualCells.count(atMost: Self.mostBars, of: counts.count)
        self.init(
            bucket: bucket, drawCount: total, cellCount: cellCount, bucketCount: bucketCount,
            test: TestResult(statistic: test.statistic, degreesOfFreedom: test.degreesOfFreedom, pValue: test.pValue),
            histogram: EqualCells.merged(counts, to: bars))
    }
}

/// The division of the units of a sample by one randomisation.
public struct DivisionResult: Sendable {
    let randomisation: Randomisation
    let categories: [Category]
    /// The chi-square test of the counts against the expected shares; `nil` where fewer than 5 units are expected.
    public internal(set) var shares: TestResult?
    /// Whether the first buckets are uniform; `nil` where they decide nothing, or there are too few units.
    public internal(set) var firstBuckets: UniformityResult?
    /// Whether the second buckets are uniform; `nil` where they decide nothing, or there are too few units.
    public internal(set) var secondBuckets: UniformityResult?
    /// Whether first and second bucket, so enrolment and variant, are independent: chi-square over equal parts of each.
    public internal(set) var independence: TestResult?

    struct Category: Sendable, Hashable {
        let name: String
        let count: Int
        /// The expected share of all units is `shareNumerator / shareDenominator`, exactly.
        let shareNumerator: Int
        let shareDenominator: Int
        let unitCount: Int

        var expectedShare: Double { Double(shareNumerator) / Double(shareDenominator) }
        var expected: Double { expectedShare * Double(unitCount) }
        var share: Double { unitCount > 0 ? Double(count) / Double(unitCount) : 0 }

        /// How far the share is from the expected one, in the standard deviations of chance.
        var standardScore: Double {
            let variance = expected * (1 - expectedShare)
            return variance > 0 ? (Double(count) - expected) / variance.squareRoot() : 0
        }
    }

    var largestDeviation: Category? {
        categories.max { abs($0.share - $0.expectedShare) < abs($1.share - $1.expectedShare) }
    }
}
