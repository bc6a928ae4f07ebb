/// Why a table cannot be tested for independence.
public enum IndependenceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A row has more or fewer columns than the first.
    case unequalRows(row: Int, columns: Int, expected: Int)
    /// A count is below 0.
    case negativeCount(row: Int, column: Int, count: Int)
    /// Fewer than two rows have a count.
    case tooFewRows(count: Int)
    /// Fewer than two columns have a count.
    case tooFewColumns(count: Int)

    /// What is wrong, and how to mend it.
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
