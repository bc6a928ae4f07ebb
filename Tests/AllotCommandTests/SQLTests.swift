import TestSupport
import Testing

/// `allot sql`
@Suite(.blocks) struct SQLTests {
    static let dialects = [
        "duckdb", "clickhouse", "spark", "postgresql", "bigquery", "snowflake", "trino", "redshift",
    ]

    /// Others are decided where a selected one requires them, and are not shown.
    @Test("Only selected experiments are in the statement")
    func selection() throws {
        try Shop.run("sql", "--dialect", "duckdb", "--experiment", "checkout-text").expectText(
            " AS \"checkout-text\"", without: [" AS \"checkout-button\""], status: nil)
    }

    @Test("An attribute can be in a column with another name")
    func mappedColumns() throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.run(
            "sql", "--dialect", "duckdb", "--column", "user_id=\"User=Id\"", "--column", "usr_id=x", "--column",
            "zzz=")
        #expect(result.text.contains("allot_source.\"User=Id\""))
        #expect(
            result.errors == """
                allot: note: no experiment looks at "usr_id"; did you mean "user_id"?
                allot: note: no experiment looks at "zzz", so its mapping changes nothing

                """)
        #expect(result.status == 0)
        try workspace.run("sql", "--dialect", "duckdb", "--column", "user_id=").expectText(
            "CAST(NULL AS VARCHAR) AS allot_user_id", without: ["\"user_id\""], status: nil)
    }

    @Test("A kind that the dialect does not support is an error")
    func creationThatTheDialectDoesNotSupport() throws {
        try Shop.run("sql", "--dialect", "trino", "--create", "function", "f").expectFailure(
            "Trino: Trino does not have functions that return rows; create a view")
        try Shop.run("sql", "--dialect", "duckdb", "--create", "function", "f", "--layout", "wide").expectFailure(
            "DuckDB: a function returns the long layout; use that layout")
    }

    @Test("An unknown dialect is a usage error")
    func unknownDialect() throws {
        let result = Program.answer(["sql", "--dialect", "mysql"])
        #expect(result.errors.hasPrefix("Error: The value 'mysql' is invalid for '--dialect <dialect>'."))
        for dialect in Self.dialects { #expect(result.errors.contains(dialect)) }
        #expect(result.status == 64)
    }

    @Test("Everything that a dialect cannot express is reported at once")
    func everythingThatCannotBeSaid() throws {
        func definition(_ test: String) -> String {
            "status: running\naudience: { \(test) }\nvariants: [{ key: a }]\n"
        }
        let workspace = try Workspace.withButton(and: [
            "Experiments/list.yaml": definition("tags: { $all: [a] }"),
            "Experiments/walk.yaml": definition("user.plan: free"),
        ])
        let result = try workspace.run("sql", "--dialect", "spark")
        #expect(result.errorLines.count == 2)
        #expect(result.errorLines.first?.hasPrefix("allot: Spark SQL: list: $all (\"tags\" ") == true)
        #expect(result.errorLines.last?.hasPrefix("allot: Spark SQL: walk: $eq (\"user.plan\" ") == true)
        #expect(result.errorLines.last?.hasSuffix("map user.plan to a column") == true)
        #expect(result.text == "")
        #expect(result.status == 1)
        try workspace.run(
            "sql", "--dialect", "spark", "--column", "user.plan=plan", "--experiment", "walk"
        ).expectText("allot_source.`plan`")
    }
}
