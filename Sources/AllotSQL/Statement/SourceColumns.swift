import Allot
import AllotConfiguration

/// Which columns of a table hold which attributes.
struct SourceColumns {
    /// The alias of the table.
    static let alias = "allot_source"

    let syntax: any SQLSyntax
    /// By attribute the column, `nil` for none; the column of the same name where nothing is said.
    let columns: [ColumnMapping]

    /// Whether it was said where an attribute is.
    func isMapped(_ attribute: String) -> Bool {
        mapping(of: attribute) != nil
    }

    private func mapping(of attribute: String) -> ColumnMapping? {
        columns.last { UTF8Order.areEqual($0.attribute, attribute) }
    }

    /// The quoted name of an attribute's column, `nil` if the table has none.
    func name(of attribute: String) throws(Unsupported) -> String? {
        guard let mapped = mapping(of: attribute) else {
            return try checked(TableName.quoted(attribute: attribute, syntax))
        }
        guard let name = mapped.column else { return nil }
        return try checked(TableName.quoted(column: name, syntax))
    }

    /// Refuses names that could be taken for the statement's own.
    private func checked(_ quoted: String) throws(Unsupported) -> String {
        guard !InternalNames.isReserved(String(quoted.dropFirst())) else {
            throw Unsupported(
                "the column \(quoted) could be taken for one of the statement's own, which begin with allot_; "
                    + "rename it, and map the attribute with --column")
        }
        return quoted
    }

    /// The column of an attribute, as an expression.
    func column(of attribute: String) throws(Unsupported) -> String? {
        try name(of: attribute).map { "\(Self.alias).\($0)" }
    }
}
