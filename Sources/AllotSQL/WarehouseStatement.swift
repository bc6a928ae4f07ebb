import Allot

/// A statement that assigns each row of a warehouse's table, as Allot itself would.
///
/// The same plan gives the same text, character by character.
public struct WarehouseStatement: Sendable {
    /// What is written for each row.
    public enum Layout: String, Sendable, CaseIterable {
        /// The row as it was, and a column for each experiment that can assign.
        case wide
        /// A row for each experiment: unit, experiment, variant, reason, bucket, revision.
        case long
    }

    public var dialect: Dialect
    /// The table's name as it is written in the dialect; schemas before it, with dots.
    public var table = "users"
    /// Where attributes are; the column of the same name, as the engine reads it without quotes, where nothing is said.
    public var columns: [ColumnMapping] = []
    public var layout = Layout.wide
    /// The indices of the experiments that are asked for, `nil` for all.
    public var selection: [Int]?
    /// The instant of evaluation, `nil` for the engine's clock whenever the statement runs.
    public var instant: Instant?
    /// Under which name the statement is kept, if it is.
    public var creation: Creation?

    /// Asks for every experiment in the wide layout, at the time that the engine's clock shows.
    public init(dialect: Dialect) {
        self.dialect = dialect
    }

    /// The statement, which ends in a semicolon and a line feed.
    ///
    /// - Throws: ``SQLTranslationError`` with everything that the dialect cannot say exactly.
    public func text(for plan: Plan) throws(SQLTranslationError) -> String {
        var writer = StatementWriter(self, plan)
        return try writer.text()
    }
}

/// Where a table holds an attribute.
public struct ColumnMapping: Sendable {
    public let attribute: String
    /// The column's name, exact in double quotes; `nil` where the table does not hold the attribute.
    public let column: String?

    /// Says where a table holds an attribute.
    public init(attribute: String, column: String?) {
        self.attribute = attribute
        self.column = column
    }
}
