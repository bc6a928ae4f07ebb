import AllotConfiguration
import AllotCore
import AllotSQL
import Testing

/// What a dialect cannot say exactly is refused, with the experiment, the operator and a way out.
struct RefusalTests {
    private static let noList = "a column of text cannot hold the list or object that is tested"
    private static let all = Dialect.allCases
    /// Audiences, the dialects that refuse them, and what the message says.
    private static let cases: [(audience: JSONObject, dialects: [Dialect], message: String)] = [
        (["a": ["$elemMatch": ["$eq": "x"]]], all, "$elemMatch (\"a\" "), (["a": ["$all": ["x"]]], all, "$all (\"a\" "),
        (["a": ["$alli": ["x"]]], all, "$alli (\"a\" "), (["a": ["$size": 2]], all, "$size (\"a\" "),
        (["a": ["x"]], all, "$eq (\"a\" "), (["a": ["$ne": ["x": 1]]], all, "$ne (\"a\" "),
        (["a": ["$type": "array"]], all, "$type (\"a\" "), (["a": ["$type": "object"]], all, noList),
        (["a": ["$regex": "x"]], [.snowflake, .redshift], "use $in, $startsWith, $endsWith or $contains"),
        (["a": ["$regexi": "x"]], [.snowflake, .redshift], "$regexi (\"a\" "),
        (["a": "x\0y"], [.postgresql, .redshift], "cannot contain U+0000; remove it from the definitions"),
        (["a.b": "x"], all, "map a.b to a column"),
        (["a\nb": "x"], all, #"the name "a\nb" contains the character U+000A"#),
        (["a`b": "x"], [.bigquery], "BigQuery cannot name \"a`b\"; rename it"),
        (["a${b}": "x"], [.spark], "Spark would replace"),
    ]

    @Test("A test that a dialect cannot express is an error that names the remedy", arguments: cases.indices)
    func isRefused(index: Int) throws {
        let example = Self.cases[index]
        let plan = try TestDefinitions.plan(["colours": ["audience": .object(example.audience)]])
        for dialect in Dialect.allCases {
            let problems = WarehouseStatement(dialect).problems(plan)
            guard example.dialects.contains(dialect) else {
                #expect(problems == [], "\(dialect)")
                continue
            }
            #expect(problems.count == 1)
            #expect(problems.first?.hasPrefix("colours: ") == true, "\(dialect): \(problems)")
            #expect(problems.first?.contains(example.message) == true, "\(dialect): \(problems)")
        }
    }

    @Test("Windows that a dialect cannot count are an error, unless the instant is given")
    func windows() throws {
        let cases: [(every: JSONValue, from: JSONValue, dialect: Dialect?, message: String)] = [
            ("1h", "2026-01-01T00:00:00.5Z", nil, ""), ("2000w", "1900-01-01T00:00:00Z", nil, ""),
            (
                "1h", "1899-12-31T23:59:59Z", .clickhouse,
                "one: the first window begins at 1899-12-31T23:59:59Z, and the instants of ClickHouse at "
                    + "1900-01-01T00:00Z; begin the period later"
            ),
            (
                "1h", "2026-01-01T00:00:00.0005Z", .trino,
                "one: Trino counts windows from whole milliseconds, and the first one begins at "
                    + "2026-01-01T00:00:00.0005Z; write it with at most three decimals"
            ),
        ]
        for (every, from, refusing, message) in cases {
            let plan = try TestDefinitions.plan(["one": ["period": ["every": every, "from": from]]])
            for dialect in Dialect.allCases {
                var statement = WarehouseStatement(dialect)
                #expect(statement.problems(plan) == (dialect == refusing ? [message] : []), "\(dialect)")
                statement.instant = Instant("2026-11-21T12:00:00Z")
                #expect(statement.problems(plan) == [])
            }
        }
    }

    @Test("A construct that engines read differently is named", arguments: [Dialect.spark, .trino, .postgresql])
    func constructOfPatterns(dialect: Dialect) throws {
        let audience: JSONObject = ["a": ["$regex": ["x", "[[:alpha:]]"]]]
        let problems = WarehouseStatement(dialect).problems(
            try TestDefinitions.plan(["colours": ["audience": .object(audience)]]))
        #expect(problems.count == 1)
        #expect(problems.first?.contains("\"[[:alpha:]]\" uses `[` in a class") == true, "\(problems)")
    }

    @Test("All problems of a statement are reported at once", arguments: Dialect.allCases)
    func everyProblemAtOnce(dialect: Dialect) throws {
        let plan = try TestDefinitions.plan([
            "one": ["audience": ["a": ["$size": 1], "b": ["$all": ["x"]], "c.d": 1]],
            "three": ["audience": ["$not": ["a": ["$type": "array"]]]], "two": [:],
        ])
        var statement = WarehouseStatement(dialect)
        #expect(statement.problems(plan).map { $0.prefix { $0 != " " } } == ["one:", "one:", "one:", "three:"])
        statement.selection = [2]
        #expect(statement.problems(plan) == [])
    }

    @Test("Keys that cannot be names of columns are an error in the wide layout", arguments: Dialect.allCases)
    func namesOfColumns(dialect: Dialect) throws {
        let long = String(repeating: "k", count: 64)
        let plan = try TestDefinitions.plan([long: [:], "Big": [:], "big": [:], "with.dot": [:]])
        let remedy = "use the long layout, or choose other experiments"
        let view = Creation(.view, name: "v")
        let problems = WarehouseStatement(dialect).problems(plan)
        switch dialect {
        case .postgresql: #expect(problems == ["\(long): PostgreSQL cuts off names after 63 bytes; \(remedy)"])
        case .bigquery: #expect(problems.map { $0.prefix(9) } == ["Big and b", "with.dot:"])
        case .redshift: #expect(problems.map { $0.prefix(4) } == ["Big:", "Big "])
        case .duckdb, .spark, .trino:
            #expect(problems == ["Big and big are the same column name in \(dialect.title); \(remedy)"])
        case .clickhouse, .snowflake: #expect(problems == [])
        }
        if ![.postgresql, .bigquery, .redshift].contains(dialect) {
            #expect(WarehouseStatement(dialect, creation: view).problems(plan) == problems)
        }
        for creation in [nil, view] {
            #expect(WarehouseStatement(dialect, .long, creation: creation).problems(plan) == [])
        }
    }

    @Test("A name that is not valid and a creation that a dialect does not support are errors that say what to write")
    func givenNames() throws {
        let plan = try TestDefinitions.plan(["one": [:]])
        func problem(_ dialect: Dialect = .duckdb, _ change: (inout WarehouseStatement) -> Void) -> String? {
            var statement = WarehouseStatement(dialect)
            change(&statement)
            return statement.problems(plan).first
        }
        func column(_ name: String) -> String? {
            problem { $0.columns = [ColumnMapping(attribute: "user_id", column: name)] }
        }
        let empty = "a name is empty; write the name of the table or column"
        #expect(problem { $0.table = "a..b" } == "the table: \(empty)")
        #expect(problem { $0.instantColumn = "" } == "the column of instants: \(empty)")
        #expect(problem { $0.creation = Creation(.view, name: "") } == "the name to create: \(empty)")
        let misnamed = problem { $0.creation = Creation(.view, name: "\"a\"b") }
        #expect(misnamed?.hasPrefix(#"the name to create: "\"a\"b" is not the name of a table; write"#) == true)
        #expect(column("\"x") == #"the column of user_id: "\"x" has an opening quote without a closing one"#)
        #expect(
            column(#""a"."b""#)
                == #"the column of user_id: "\"a\".\"b\"" has a dot between quotes; write the name of one column"#)
        #expect(column("\"a \"\" b\"") == nil)
        #expect(column("a b") == nil)
        let function: Creation? = Creation(.function, name: "f")
        for dialect in [Dialect.trino, .redshift] {
            #expect(
                problem(dialect) { ($0.layout, $0.creation) = (.long, function) }
                    == "\(dialect.title) does not have functions that return rows; create a view")
        }
        #expect(problem { $0.creation = function } == "a function returns the long layout; use that layout")
        #expect(problem { ($0.layout, $0.creation) = (.long, function) } == nil)
        // ClickHouse's parameters have plain names, and a number is not one.
        for name in ["Device Id", "100"] {
            let plan = try TestDefinitions.plan(["one": ["audience": .object([name: "x"])]])
            let problems = WarehouseStatement(.clickhouse, .long, creation: function).problems(plan)
            #expect(problems.first?.contains("map the attribute to a column with a plain name") == true)
        }
    }

    @Test("What is created cannot take the place of its own source, however it is spelled", arguments: Dialect.allCases)
    func creationOverTheSource(dialect: Dialect) throws {
        let plan = try TestDefinitions.plan(["one": [:]])
        func problems(_ table: String, _ kind: Creation.Kind, _ name: String) -> [String] {
            var statement = WarehouseStatement(dialect, .long, creation: Creation(kind, name: name))
            statement.table = table
            return statement.problems(plan)
        }
        for kind in [Creation.Kind.view, .table] {
            #expect(
                problems("people", kind, "people").first
                    == "the \(kind.rawValue) people would take the place of the table people; give it another name, or "
                    + "write the schemas of both if they differ")
            #expect(problems("people", kind, "assigned") == [])
        }
        // PostgreSQL, Redshift and Snowflake fold names without quotes, ClickHouse folds none, and others fold all.
        let spellings: [(table: String, name: String, isRefused: Bool)] = [
            ("main.users", "users", true), ("users", "main.users", true), ("shop.main.users", "main.users", true),
            ("main.users", "\"main\".users", dialect != .snowflake), ("main.users", "app.users", false),
            ("users.main", "main.users", false), ("main.users", "assigned", false), ("users", "main.users2", false),
            ("Users", "uSERS", dialect != .clickhouse),
            ("\"Users\"", "main.\"uSERS\"", ![.clickhouse, .postgresql, .snowflake].contains(dialect)),
        ]
        for (table, name, isRefused) in spellings {
            let isFound = problems(table, .table, name).contains { $0.contains("would take the place") }
            #expect(isFound == isRefused, "\(table), \(name)")
        }
        // A function of ClickHouse is a view; others take the place of no table.
        let function = problems("users", .function, "app.users")
        #expect(function.contains { $0.contains("the function app.users would take") } == (dialect == .clickhouse))
    }

    @Test("An experiment cannot have the name of a column that the statement reads", arguments: Dialect.allCases)
    func namesOfReadColumns(dialect: Dialect) throws {
        let plan = try TestDefinitions.plan(["country": ["audience": ["country": "DE"]], "plan": [:]])
        var statement = WarehouseStatement(dialect)
        let problem =
            "country: the table has a column of that name, which the statement reads; use the long layout, or "
            + "choose other experiments"
        // In Snowflake that is the column COUNTRY.
        #expect(statement.problems(plan) == (dialect == .snowflake ? [] : [problem]))
        statement.columns = [ColumnMapping(attribute: "country", column: "land")]
        #expect(statement.problems(plan) == [])
        statement.columns = [ColumnMapping(attribute: "user_id", column: "PLAN")]
        statement.selection = [1]
        // A name without quotes, in the engines that fold it, and where the case of names does not matter.
        #expect(statement.problems(plan).isEmpty == [.clickhouse, .snowflake].contains(dialect))
        statement.columns = []
        statement.instantColumn = "\"plan\""
        #expect(statement.problems(plan).first?.hasPrefix("plan: the table has a column of that name") == true)
        statement.layout = .long
        #expect(statement.problems(plan) == [])
    }

    @Test("A statement without experiments is an error in the long layout; wide rows are those of the table")
    func nothingToShow() throws {
        let (wide, long) = (WarehouseStatement(.duckdb), WarehouseStatement(.duckdb, .long))
        let none = try TestDefinitions.plan([:])
        let draft = try TestDefinitions.plan(["one": ["status": "draft"]])
        let note = "no experiment can assign a variant, so that the statement adds no column to the rows"
        for plan in [none, draft] {
            #expect(wide.problems(plan) == [])
            #expect(wide.notes(on: plan) == [note])
        }
        #expect(long.problems(draft) == [])
        #expect(long.notes(on: draft) == [])
        #expect(
            long.problems(none) == [
                "the definitions have no experiment, so that no rows can be long; use the wide layout"
            ])
    }
}
