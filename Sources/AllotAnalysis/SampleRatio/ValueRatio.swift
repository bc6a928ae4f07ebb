import AllotStatistics
import RealModule

/// The tests of the ratio within values, of which there may be thousands.
///
/// Among thousands, Pearson's p-values must be right far out in the tail, where they are too small for small counts.
/// So a p-value that says something is replaced by the exact one.
struct ValueRatio: Sendable {
    let shares: [Double]

    /// Values with fewer units are not tested: hardly any of their counts would be below the threshold.
    static let fewestUnits = 10
    /// Below this p-value Pearson's approximation is not trusted.
    private static let notable = PValue(0.01)
    /// From this expected count on it is.
    private static let plenty = 1000.0
    /// From this expected count on it is trusted for three or more variants together.
    private static let many = 100.0

    /// Whether the counts of a value are in the ratio; `nil` if they are too few.
    func pValue(_ counts: [Int]) -> PValue? {
        let possible = self.shares.indices.filter { self.shares[$0] > 0 }
        let shares = possible.map { self.shares[$0] }
        let counts = possible.map { counts[$0] }
        let total = counts.reduce(0) { $0 + Double($1) }
        guard total >= Double(Self.fewestUnits), let test = try? ChiSquare(counts: counts, shares: shares) else {
            return nil
        }
        let sum = shares.reduce(0, +)
        let cells = zip(counts, shares).map { (observed: $0, expected: total * $1 / sum) }
        let least = cells.map(\.expected).min() ?? 0
        guard test.pValue < Self.notable, least < Self.plenty else { return test.pValue }
        let isExact =
            least < RatioTest.fewestExpected
            || MultinomialTest.isEnumerable(counts: counts, shares: shares, few: Self.many)
        if isExact, let exact = try? MultinomialTest(counts: counts, shares: shares, few: Self.many) {
            return exact.pValue
        }
        return CountTest.cautious(test.pValue, degreesOfFreedom: test.degreesOfFreedom, cells: cells)
    }

    /// Whether some units are in the same ratio as others, whatever that is.
    func difference(_ counts: [Int], _ others: [Int]) -> PValue {
        let columns = counts.indices.filter { counts[$0] > 0 || others[$0] > 0 }
        return independence([columns.map { counts[$0] }, columns.map { others[$0] }]) ?? PValue(1)
    }

    /// Whether the units of all values are in the same ratio. Values with few units are taken together.
    func homogeneity(_ table: [[Int]]) -> PValue? {
        let sums = table[0].indices.map { column in table.reduce(0) { $0 + Double($1[column]) } }
        let total = sums.reduce(0, +)
        let least = sums.filter { $0 > 0 }.min() ?? 0
        var rows: [[Int]] = []
        var small = sums.map { _ in 0 }
        for counts in table {
            let units = counts.reduce(0) { $0 + Double($1) }
            if units * least / total >= RatioTest.fewestExpected {
                rows.append(counts)
            } else {
                for column in small.indices { small[column] += counts[column] }
            }
        }
        return independence(rows + [small])
    }

    private func independence(_ table: [[Int]]) -> PValue? {
        guard let test = try? IndependenceTest(table: table) else { return nil }
        guard test.pValue < Self.notable else { return test.pValue }
        let sums = table[0].indices.map { column in table.reduce(0) { $0 + Double($1[column]) } }
        let total = sums.reduce(0, +)
        let cells = table.flatMap { counts in
            let units = counts.reduce(0) { $0 + Double($1) }
            return zip(counts, sums).map { (observed: $0, expected: units * $1 / total) }
        }
        return CountTest.cautious(test.pValue, degreesOfFreedom: test.degreesOfFreedom, cells: cells)
    }
}
