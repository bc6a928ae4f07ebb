import AllotConfiguration
import AllotCore

struct SourceColumns {
    static let alias = "allot_source"

    let syntax: any SQLSyntax
    /// The mapped attributes. An attribute without a mapping is in the column of its own name.
    let columns: [ColumnMapping]

    func isMapped(_ attribute: String) -> Bool { mapping(of: attribute) != nil }

    private func mapping(of attribute: String) -> ColumnMapping? {
        columns.last { UTF8Order.areEqual($0.attribute, attribute) }
    }

    /// The quoted name of an attribute's column. Returns `nil` if the table does not have the attribute.
    func name(of attribute: String) throws(Unsupported) -> String? {
        guard let mapped = mapping(of: attribute) else {
            return try checked(TableName.quoted(attribute: attribute, syntax))
        }
        guard let name = mapped.column else { return nil }
        return try checked(TableName.quoted(column: name, syntax))
    }

    private func checked(_ quoted: String) throws(Unsupported) -> String {
        guard !InternalNames.isReserved(String(quoted.dropFirst())) else {
            throw Unsupported(
                "the column \(quoted) has the prefix allot_, which is reserved for the statement; rename it, and give "
                    + "the new name")
        }
        return quoted
    }

    func column(named name: String) throws(Unsupported) -> String {
        "\(Self.alias).\(try checked(TableName.quoted(column: name, syntax)))"
    }

    func column(of attribute: String) throws(Unsupported) -> String? {
        try name(of: attribute).map { "\(Self.alias).\($0)" }
    }
}
