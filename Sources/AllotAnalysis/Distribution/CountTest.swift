import AllotStatistics
import RealModule

/// Pearson's test of counts, kept honest where few units are expected.
///
/// Far out in the tail Pearson's p-value is too small: where 5 units are expected, 16 come by chance eighty times as
/// often as it says. The likelihood-ratio statistic has the right rate there. So where some count is expected to be
/// below 1,000, a p-value below 0.001 is the larger one of both.
enum CountTest {
    /// The chi-square approximation needs this expected count in every cell.
    static let leastExpected = RatioTest.fewestExpected
    private static let plenty = 1000.0
    private static let small = PValue(0.001)

    /// The test of a chi-square statistic of `cells`; `nil` where a cell expects too few units.
    static func result(
        statistic: Double, degreesOfFreedom: Int, pValue: PValue, cells: [(observed: Int, expected: Double)]
    ) -> TestResult? {
        let least = cells.lazy.map(\.expected).min() ?? 0
        guard least >= leastExpected, degreesOfFreedom > 0 else { return nil }
        let isTail = least < plenty && pValue < small
        return TestResult(
            statistic: statistic, degreesOfFreedom: degreesOfFreedom,
            pValue: isTail ? cautious(pValue, degreesOfFreedom: degreesOfFreedom, cells: cells) : pValue)
    }

    static func cautious(
        _ pValue: PValue, degreesOfFreedom: Int, cells: [(observed: Int, expected: Double)]
    ) -> PValue {
        let half = cells.filter { $0.observed > 0 }.reduce(0) { sum, cell in
            sum + Double(cell.observed) * .log(Double(cell.observed) / cell.expected)
        }
        return max(pValue, ChiSquare.upperTail(max(2 * half, 0), degreesOfFreedom: Double(degreesOfFreedom)))
    }

    /// The test of independence of a table, and phi, which is 0 for one row or column.
    static func independence(of table: [[Int]]) -> (test: TestResult?, phi: Double) {
        guard let independence = try? IndependenceTest(table: table) else { return (nil, 0) }
        let test = result(
            statistic: independence.statistic, degreesOfFreedom: independence.degreesOfFreedom,
            pValue: independence.pValue, cells: cells(of: table))
        return (test, independence.phi)
    }

    /// The counts of a table with those that are expected if its rows and columns are independent.
    static func cells(of table: [[Int]]) -> [(observed: Int, expected: Double)] {
        let sums = table[0].indices.map { column in table.reduce(0) { $0 + Double($1[column]) } }
        let total = sums.reduce(0, +)
        return table.flatMap { counts in
            let units = counts.reduce(0) { $0 + Double($1) }
            return zip(counts, sums).map { (observed: $0, expected: units * $1 / total) }
        }
    }
}

/// The result of a test.
public struct TestResult: Sendable, Hashable {
    /// Chi-square; for Kolmogorov–Smirnov the largest distance, for a rate the count.
    let statistic: Double
    /// The number in the chi-square distribution; 0 for other tests.
    let degreesOfFreedom: Int
    /// The probability of a result at least as extreme if nothing is wrong.
    public let pValue: PValue
    /// The p-value after Holm's correction for all the tests of a report.
    public internal(set) var adjustedPValue: PValue

    init(statistic: Double, degreesOfFreedom: Int, pValue: PValue) {
        (self.statistic, self.degreesOfFreedom) = (statistic, degreesOfFreedom)
        (self.pValue, adjustedPValue) = (pValue, pValue)
    }
}
