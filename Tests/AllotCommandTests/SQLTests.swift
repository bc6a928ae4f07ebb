import TestSupport
import Testing

/// `allot sql`
@Suite(.blocks) struct SQLTests {
    static let dialects = [
        "duckdb", "clickhouse", "spark", "postgresql", "bigquery", "snowflake", "trino", "redshift",
    ]

    @Test("Every dialect has one statement", arguments: dialects)
    func oneStatementForEachDialect(dialect: String) throws {
        for options in [[], ["--layout", "long"], ["--table", "app.users", "--column", "user_id=id"]] {
            let result = try Shop.run(["sql", "--dialect", dialect] + options)
            #expect(result.text.hasPrefix("-- Written by \"allot sql\" for "))
            #expect(result.text.hasSuffix("\n"))
            #expect(result.text.contains("-- The instant of evaluation is \(Shop.instant)."))
            let code = result.text.split(separator: "\n")
            #expect(code.count { $0.contains(";") } == 0)
            #expect(result.errors == "")
            #expect(result.status == 0)
            #expect(try Shop.run(["sql", "--dialect", dialect] + options).text == result.text)
        }
    }

    @Test("The wide layout has a column for each experiment that can assign")
    func columnsOfTheWideLayout() throws {
        let result = try Shop.run("sql", "--dialect", "duckdb")
        for key in ["checkout-button", "checkout-text", "larger-basket", "old-layout", "semantic-search"] {
            #expect(result.text.contains(" AS \"\(key)\""))
        }
        #expect(result.text.contains("FROM \"users\" AS allot_source"))
    }

    /// Others are decided where a selected one requires them, and are not shown.
    @Test("Only selected experiments are in the statement")
    func selection() throws {
        let result = try Shop.run("sql", "--dialect", "duckdb", "--experiment", "checkout-text")
        #expect(result.text.contains(" AS \"checkout-text\""))
        #expect(!result.text.contains(" AS \"checkout-button\""))
        try Shop.run("sql", "--dialect", "duckdb", "--experiment", "chekout-text").expectFailure(
            #"unknown experiment "chekout-text"; did you mean "checkout-text"?"#)
    }

    @Test("Without --at the statement reads the engine's clock")
    func clockWithoutInstant() throws {
        let result = try Program.run(["sql", "--dialect", "duckdb", "--definitions", Shop.folder.path])
        #expect(result.text.contains("-- The instant of evaluation is that of the engine's clock"))
        #expect(result.text.contains("now() < TIMESTAMPTZ '"))
        #expect(result.status == 0)
    }

    // MARK: --column

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
        let none = try workspace.run("sql", "--dialect", "duckdb", "--column", "user_id=")
        #expect(none.text.contains("CAST(NULL AS VARCHAR) AS allot_user_id"))
        #expect(!none.text.contains("\"user_id\""))
    }

    // MARK: --create

    @Test("The statement can create a view, a table or a function")
    func creation() throws {
        func text(_ options: String...) throws -> String {
            let result = try Shop.run(["sql", "--dialect", "postgresql"] + options)
            #expect(result.status == 0)
            return result.text
        }
        let view = try text("--create", "view", "app.decided")
        let name = "\"app\".\"decided\""
        let recreation = "  DROP VIEW \(name);\nEND IF;\nCREATE VIEW \(name) AS\n"
        #expect(view.contains("\nDO $allot_block$\nBEGIN\n") && view.contains(recreation))
        #expect(view.hasSuffix(";\nEND\n$allot_block$;\n"))
        let long = try text("--create", "view", "decided", "--layout", "long")
        #expect(long.contains("\nCREATE OR REPLACE VIEW \"decided\" AS\n"))
        #expect(try text("--create", "table", "decided").contains("\nCREATE TABLE \"decided\" AS\n"))
        let function = try text("--create", "function", "decide")
        #expect(function.contains("\nCREATE OR REPLACE FUNCTION \"decide\"("))
        #expect(function.contains("RETURNS TABLE (unit text, experiment text,"))
    }

    @Test("A kind that the dialect does not support is an error")
    func creationThatTheDialectDoesNotSupport() throws {
        try Shop.run("sql", "--dialect", "trino", "--create", "function", "f").expectFailure(
            "Trino: Trino does not have functions that return rows; create a view")
        try Shop.run("sql", "--dialect", "duckdb", "--create", "function", "f", "--layout", "wide").expectFailure(
            "DuckDB: a function returns the long layout; use that layout")
    }

    /// As `allot assign` does, so that a nightly job runs on a quiet day too.
    @Test("Where no experiment can assign, wide rows are those of the table, with a note")
    func noUnitIsAssigned() throws {
        let workspace = try Workspace()
        try workspace.write("Experiments/quiet.yaml", "status: draft\nvariants: [{ key: a }]\n")
        let result = try workspace.run("sql", "--dialect", "duckdb")
        #expect(result.text.hasSuffix("\nSELECT\n  allot_source.*\nFROM \"users\" AS allot_source\n"))
        #expect(
            result.errors
                == "allot: note: no experiment can assign a variant, so that the statement adds no column to the rows\n"
        )
        #expect(result.status == 0)
    }

    // MARK: Failures

    @Test("An unknown dialect is a usage error")
    func unknownDialect() throws {
        let result = try Shop.run("sql", "--dialect", "mysql")
        #expect(result.errors.hasPrefix("Error: The value 'mysql' is invalid for '--dialect <dialect>'."))
        for dialect in Self.dialects { #expect(result.errors.contains(dialect)) }
        #expect(result.text == "")
        #expect(result.status == 64)
        try Shop.run("sql").expectUsageError("Missing expected argument '--dialect <dialect>'")
    }

    @Test("Everything that a dialect cannot express is reported at once")
    func everythingThatCannotBeSaid() throws {
        let workspace = try Workspace.withButton()
        for name in ["list", "walk"] {
            let test = name == "list" ? "tags: { $all: [a] }" : "user.plan: free"
            try workspace.write(
                "Experiments/\(name).yaml", "status: running\naudience: { \(test) }\nvariants: [{ key: a }]\n")
        }
        let result = try workspace.run("sql", "--dialect", "spark")
        #expect(result.errorLines.count == 2)
        #expect(result.errorLines.first?.hasPrefix("allot: Spark SQL: list: $all (\"tags\" ") == true)
        #expect(result.errorLines.last?.hasPrefix("allot: Spark SQL: walk: $eq (\"user.plan\" ") == true)
        #expect(result.errorLines.last?.hasSuffix("map user.plan to a column") == true)
        #expect(result.text == "")
        #expect(result.status == 1)
        let fixed = try workspace.run(
            "sql", "--dialect", "spark", "--column", "user.plan=plan", "--experiment", "walk")
        #expect(fixed.text.contains("allot_source.`plan`"))
        #expect(fixed.status == 0)
    }

    @Test("Definitions with errors give no statement")
    func badDefinitions() throws {
        let workspace = try Workspace.withButton()
        try workspace.write("Experiments/color.yaml", "status: runing\nvariants: [{ key: a }]\n")
        let result = try workspace.run("sql", "--dialect", "duckdb")
        #expect(result.errorLines.first?.hasPrefix("Experiments/color.yaml:1:9: error: ") == true)
        #expect(result.text == "")
        #expect(result.status == 1)
        try Workspace().run("sql", "--dialect", "duckdb").expectFailure(
            "cannot read the definitions folder Experiments: No such file or directory; name another with --definitions"
        )
    }
}
