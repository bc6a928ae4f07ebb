import Allot
import AllotConfiguration

/// Which columns of a table hold which attributes.
struct SourceColumns {
    /// The alias of the table.
    static let alias = "allot_source"

    let syntax: any SQLSyntax
    /// By attribute the column, `nil` for none; the column of the same name where nothing is said.
    let columns: [String: String?]

    /// Whether it was said where an attribute is.
    func isMapped(_ attribute: String) -> Bool {
        columns.contains { UTF8Order.areEqual($0.key, attribute) }
    }

    /// The quoted name of an attribute's column, `nil` if the table has none.
    func name(of attribute: String) throws(Unsupported) -> String? {
        if let mapped = columns.first(where: { UTF8Order.areEqual($0.key, attribute) }) {
            guard let name = mapped.value else { return nil }
            return try TableName.quoted(column: name, syntax)
        }
        return try TableName.quoted(attribute: attribute, syntax)
    }

    /// The column of an attribute, as an expression.
    func column(of attribute: String) throws(Unsupported) -> String? {
        try name(of: attribute).map { "\(Self.alias).\($0)" }
    }
}
