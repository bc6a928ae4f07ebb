import AllotConfiguration
import AllotCore

/// A statement that assigns variants to the rows of a warehouse's table, exactly as Allot itself does.
///
/// The same plan always gives the same text.
///
/// ```swift
/// import Allot
///
/// func statement(for plan: Plan) throws -> String {
///     var statement = WarehouseStatement(dialect: .bigquery)
///     statement.table = "shop.users"
///     statement.instant = Instant("2026-11-21T12:00:00Z")
///     return try statement.text(for: plan)
/// }
/// ```
public struct WarehouseStatement: Sendable {
    /// The form of the result.
    public enum Layout: String, Sendable, CaseIterable {
        /// Each row of the table, with an additional column for each experiment that can assign a variant.
        case wide
        /// One row for each unit and experiment: unit, experiment, variant, reason, bucket, revision.
        case long
    }

    /// The dialect to write.
    public var dialect: Dialect
    /// The table's name as written in the dialect, after its schemas and dots.
    public var table = "users"
    /// The columns of attributes. An attribute without a mapping is in the column of its name, written without quotes.
    public var columns: [ColumnMapping] = []
    /// The form of the result.
    public var layout = Layout.wide
    /// The indices of the selected experiments; `nil` for all.
    public var selection: [Int]?
    /// The instant of evaluation; `nil` for the engine's clock at the time the statement runs.
    public var instant: Instant?
    /// The column of the rows' own instants of evaluation, used exactly if in double quotes; `nil` if all rows are
    /// evaluated at ``instant``.
    ///
    /// It has the engine's type of instants, a timestamp with a time zone. A row in which it is NULL is assigned
    /// nothing: NULL for every experiment in the wide layout, no row in the long one.
    public var instantColumn: String?
    /// The view, table or function to create; `nil` for a plain query.
    public var creation: Creation?

    /// Creates a statement for all experiments in the wide layout, evaluated at the time of the engine's clock.
    public init(dialect: Dialect) { self.dialect = dialect }

    /// The text of the statement, which ends in a line feed.
    ///
    /// A query has no semicolon, so that it can stand in `COPY (…)`, in `CREATE TABLE x AS (…)` or in a model of dbt:
    /// no text of the definitions is a mark of Jinja in it. What ``creation`` creates ends in a semicolon.
    ///
    /// - Throws: ``SQLTranslationError`` with everything that the dialect cannot express exactly.
    public func text(for plan: Plan) throws(SQLTranslationError) -> String {
        var writer = StatementWriter(self, plan)
        return try writer.text()
    }

    /// Notes on columns that nothing reads, which are probably misspelt, and on experiments none of which can assign.
    public func notes(on plan: Plan) -> [String] {
        unreadColumns(plan)
            + (layout == .wide && shown(of: plan).isEmpty
                ? ["no experiment can assign a variant, so that the statement adds no column to the rows"] : [])
    }

    /// The instant of evaluation of all rows; `nil` for the engine's clock, and where rows have their own.
    var commonInstant: Instant? { instantColumn == nil ? instant : nil }

    func shown(of plan: Plan) -> [Int] {
        let selected = selection.map { Set($0).sorted() } ?? Array(plan.experiments.indices)
        return layout == .long ? selected : selected.filter { plan.experiments[$0].obstacle(at: commonInstant) == nil }
    }

    private func unreadColumns(_ plan: Plan) -> [String] {
        columns.filter { plan.attributes.index(of: $0.attribute) == nil }.map { mapping in
            let hint = NearestName.hint(for: mapping.attribute, among: plan.attributes.names)
            return "no experiment looks at \(QuotedText(mapping.attribute))"
                + (hint.map { "; did you mean \(QuotedText($0))?" } ?? ", so its mapping changes nothing")
        }
    }
}

/// The column of an attribute in a table.
///
/// ```swift
/// var statement = WarehouseStatement(dialect: .spark)
/// statement.columns = [
///     ColumnMapping(attribute: "user_id", column: "id"),
///     ColumnMapping(attribute: "plan", column: nil),  // no column has it
/// ]
/// ```
public struct ColumnMapping: Sendable {
    package let attribute: String
    /// The name of the column, used exactly if in double quotes; `nil` if the table does not have the attribute.
    package let column: String?

    /// Maps an attribute to a column.
    public init(attribute: String, column: String?) {
        self.attribute = attribute
        self.column = column
    }
}

/// A view, table or function that a statement creates.
public struct Creation: Sendable {
    /// The kinds of things that a statement can create.
    public enum Kind: String, Sendable, CaseIterable {
        case view, table, function
    }

    package let kind: Kind
    package let name: String

    /// Names the view, table or function to create.
    public init(_ kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }
}
