import RealModule

/// Pearson's chi-square test of a table of counts: do its columns depend on its rows?
///
/// Without Yates's correction. The p-value is a good approximation when 5 or more are expected in each cell. The
/// measure of strength is that of H. Cramér, "Mathematical methods of statistics" (1946).
public struct IndependenceTest: Sendable, Hashable {
    /// The sum of (observed - expected)² / expected over the cells, 0 or more.
    public let statistic: Double
    /// (rows - 1) (columns - 1), of the rows and columns that have a count; at least 1.
    public let degreesOfFreedom: Int
    /// The probability of a statistic at least as large if rows and columns are independent.
    public let pValue: PValue
    /// √(statistic / total): 0 for independence. In a table of two rows and two columns it is the correlation, -1 to
    /// 1: below 0 when the counts gather off the main diagonal. Larger tables have no sign, and may exceed 1.
    public let phi: Double

    /// Tests a table.
    ///
    /// Rows and columns without any count say nothing and are left out. Complexity: O(rows × columns).
    ///
    /// - Parameter table: rows of equally many counts, each 0 or more.
    public init(table: [[Int]]) throws(IndependenceError) {
        try Self.check(table)
        let columnCount = table.first?.count ?? 0
        let columnSums = (0..<columnCount).map { column in table.map { $0[column] } }.map(Self.sum)
        let columns = columnSums.indices.filter { columnSums[$0].value > 0 }
        let rows = table.map { row in (counts: row, sum: Self.sum(row)) }.filter { $0.sum.value > 0 }
        guard rows.count > 1 else { throw .tooFewRows(count: rows.count) }
        guard columns.count > 1 else { throw .tooFewColumns(count: columns.count) }
        let total = rows.reduce(DoubleDouble(0)) { $0 + $1.sum }

        var statistic = 0.0
        for row in rows {
            for column in columns {
                let expected = row.sum * columnSums[column]
                let difference = (DoubleDouble(row.counts[column]) * total - expected).value
                let part = difference / .sqrt(expected.value) / .sqrt(total.value)
                statistic += part * part
            }
        }
        self.statistic = statistic
        degreesOfFreedom = (rows.count - 1) * (columns.count - 1)
        pValue = ChiSquare.upperTail(statistic, degreesOfFreedom: Double(degreesOfFreedom))
        let strength = Double.sqrt(statistic / total.value)
        let isSmall = rows.count == 2 && columns.count == 2
        let first = DoubleDouble(rows[0].counts[columns[0]]) * total - rows[0].sum * columnSums[columns[0]]
        phi = isSmall && first.value < 0 ? -strength : strength
    }

    private static func check(_ table: [[Int]]) throws(IndependenceError) {
        let expected = table.first?.count ?? 0
        for (row, counts) in table.enumerated() {
            guard counts.count == expected else {
                throw .unequalRows(row: row, columns: counts.count, expected: expected)
            }
            if let column = counts.firstIndex(where: { $0 < 0 }) {
                throw .negativeCount(row: row, column: column, count: counts[column])
            }
        }
    }

    private static func sum(_ counts: [Int]) -> DoubleDouble {
        counts.reduce(DoubleDouble(0)) { $0 + DoubleDouble($1) }
    }
}

/// A fault of a table that is to be tested for independence.
public enum IndependenceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A row has more or fewer columns than the first.
    case unequalRows(row: Int, columns: Int, expected: Int)
    /// A count is below 0.
    case negativeCount(row: Int, column: Int, count: Int)
    /// Fewer than two rows have a count.
    case tooFewRows(count: Int)
    /// Fewer than two columns have a count.
    case tooFewColumns(count: Int)

    /// The fault and its fix.
    public var description: String {
        switch self {
        case .unequalRows(let row, let columns, let expected):
            "row \(row + 1) has \(columns) columns and the first row \(expected); give all rows the same columns"
        case .negativeCount(let row, let column, let count):
            "the count in row \(row + 1), column \(column + 1) is \(count); a count is 0 or more"
        case .tooFewRows(let count):
            "\(count == 1 ? "1 row has" : "\(count) rows have") a count above 0; a test needs two or more"
        case .tooFewColumns(let count):
            "\(count == 1 ? "1 column has" : "\(count) columns have") a count above 0; a test needs two or more"
        }
    }
}
