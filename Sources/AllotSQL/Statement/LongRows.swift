struct LongRows {
    static let columns = ["unit", "experiment", "variant", "reason", "bucket", "revision"]

    /// For each experiment the values of the columns, in their order.
    let rows: [[String]]
    let source: String

    var commonUnit: String? { Self.common(rows.map { $0[0] }) }
    static func common(_ units: [String]) -> String? { units.allSatisfy { $0 == units[0] } ? units[0] : nil }
    /// The names of the columns that the rows of ``list(indent:field:row:)`` have: without a common unit.
    var names: [String] { commonUnit == nil ? Self.columns : Array(Self.columns.dropFirst()) }

    /// The rows, one a line, each made of its fields with commas between them.
    func list(
        indent: String = "  ", field: (_ name: String, _ value: String) -> String = { $1 }, row: (String) -> String
    ) -> String {
        let names = names
        return rows.map { values in
            indent + row(zip(names, values.suffix(names.count)).map(field).joined(separator: ", "))
        }.joined(separator: ",\n")
    }

    var columns: [[String]] {
        let first = Self.columns.count - names.count
        return (first..<Self.columns.count).map { column in rows.map { $0[column] } }
    }

    /// The list of all columns for a `SELECT`, if those of the rows have a prefix.
    func selected(_ prefix: String = "") -> String {
        let unit = commonUnit.map { "\($0) AS unit" } ?? prefix + "unit"
        return ([unit] + Self.columns.dropFirst().map { prefix + $0 }).joined(separator: ", ")
    }
}

/// How decisions become the rows of the long layout.
enum LongForm {
    /// From a column for each variant and each reason.
    case columns(_ write: (LongRows) -> String)
    /// From one number for each decision, where each column of text costs much time.
    case outcomes(list: ([String]) -> String, write: (OutcomeRows) -> String)
}

/// The decisions of the long layout as numbers, and what the numbers of each experiment mean.
struct OutcomeRows {
    /// The names of columns that are lists with one element for each experiment.
    static let outcomes = InternalNames.prefix + "outcome_list"
    static let buckets = InternalNames.prefix + "bucket_list"
    static let units = InternalNames.prefix + "unit_list"

    struct Experiment {
        let unit: String
        let key: String
        /// By outcome the variant's key as a literal, or NULL.
        let variants: [String]
        let reasons: [String]
        let revision: String
    }

    let experiments: [Experiment]
    /// The unit of all rows; `nil` if rows differ in it, so that there is the column ``units``.
    let commonUnit: String?
    let source: String
}
