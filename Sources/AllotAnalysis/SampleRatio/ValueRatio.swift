import AllotStatistics
import RealModule

/// The tests of the ratio within values, of which there may be thousands.
///
/// Among thousands, Pearson's p-values must be right far out in the tail, where they are too small for small counts. So
/// a p-value that says something is replaced by that of ``RatioTest``, and others are not, as that takes its time.
struct ValueRatio: Sendable {
    let shares: [Double]

    /// Values with fewer units are not tested: hardly any of their counts would be below the threshold.
    static let fewestUnits = 10

    /// Whether the counts of a value are in the ratio; `nil` if they are too few.
    func pValue(_ counts: [Int]) -> PValue? {
        guard let pValue = approximatePValue(counts) else { return nil }
        return pValue < RatioTest.notable ? RatioTest(counts: counts, shares: shares)?.pValue : pValue
    }

    /// Pearson's p-value; `nil` if the counts are too few.
    func approximatePValue(_ counts: [Int]) -> PValue? {
        let possible = shares.indices.filter { shares[$0] > 0 }
        guard possible.reduce(0, { $0 + Double(counts[$1]) }) >= Double(Self.fewestUnits) else { return nil }
        return try? ChiSquare(counts: possible.map { counts[$0] }, shares: possible.map { shares[$0] }).pValue
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
        guard test.pValue < RatioTest.notable else { return test.pValue }
        return CountTest.cautious(
            test.pValue, degreesOfFreedom: test.degreesOfFreedom, cells: CountTest.cells(of: table))
    }
}
