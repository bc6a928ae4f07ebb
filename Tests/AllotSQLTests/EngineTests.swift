import Testing

/// Tests that run SQL on engines. Those of one engine run one after another, at the same time as those of other
/// engines.
struct EngineTests {
    @Test("Statements on DuckDB are right", .needs(.duckdb), arguments: EngineCheck.all(of: .duckdb))
    func duckdb(check: EngineCheck) throws { try check.run(.duckdb) }
    @Test("Statements on ClickHouse are right", .needs(.clickhouse), arguments: EngineCheck.all(of: .clickhouse))
    func clickhouse(check: EngineCheck) throws { try check.run(.clickhouse) }
    @Test("Statements on PostgreSQL are right", .needs(.postgresql), arguments: EngineCheck.all(of: .postgresql))
    func postgresql(check: EngineCheck) throws { try check.run(.postgresql) }
    @Test("Statements on Spark are right", .needs(.spark), arguments: EngineCheck.all(of: .spark))
    func spark(check: EngineCheck) throws { try check.run(.spark) }
}

/// A rule that holds on several engines.
struct EngineCheck: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The engine without the feature that the rule is about.
    let exception: EngineName?
    let run: @Sendable (EngineName) throws -> Void

    init(_ rule: String, except exception: EngineName? = nil, _ run: @escaping @Sendable (EngineName) throws -> Void) {
        (testDescription, self.exception, self.run) = (rule, exception, run)
    }

    static func all(of engine: EngineName) -> [EngineCheck] {
        checks.filter { $0.exception != engine }
    }

    private static let checks: [EngineCheck] = [
        EngineCheck("Texts survive a round trip, and comparisons find differences") { try MachineryCheck().check($0) },
        EngineCheck("Statements assign exactly what Allot assigns") { try EqualityCheck().check($0) },
        EngineCheck("Statements decide as the precedence table says") { try EngineTests.PrecedenceTests().check($0) },
        EngineCheck("Every literal is read as the text that it was written from") { try LiteralCheck().check($0) },
        EngineCheck("A function decides for single units as Allot does") { try CreationCheck().check($0) },
        EngineCheck("Views, tables and functions have the result of the query, whatever came and went") {
            try RedeploymentCheck().check($0)
        },
        EngineCheck("A statement can be a part of others") { try EmbeddingCheck().check($0) },
        EngineCheck("Without an instant, the engine's clock decides what has started and ended") {
            try ClockCheck().check($0)
        },
        EngineCheck("Each row is decided at the instant of a column, as allot assign does") {
            try RowInstantCheck().check($0)
        },
        EngineCheck("Empty tables and columns of one value have Allot's results") { try TableShapeCheck().check($0) },
        EngineCheck("Columns of the engine's types are read as text") {
            try EngineTests.NativeTypeTests().checkTypes($0)
        },
        EngineCheck("A test of instants or networks does not change what others read of the column") {
            try EngineTests.NativeTypeTests().checkReadings($0)
        },
        EngineCheck("Columns of lists are an error") { try EngineTests.NativeTypeTests().checkLists($0) },
        EngineCheck("A table's column with the name of one of the statement's does no harm") {
            try EngineTests.SourceTableTests().checkNames($0)
        },
        EngineCheck("The collation of a column does not matter", except: .clickhouse) {
            try EngineTests.SourceTableTests().checkCollation($0)
        },
        EngineCheck("Rows stay as they are if no experiment can assign") {
            try EngineTests.SourceTableTests().checkUnassigned($0)
        },
    ]
}
