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
        (["a${b}": "x"], [.spark], "with a variable; rename it"),
    ]

    @Test("A test that a dialect cannot express is an error that names the remedy", arguments: cases.indices)
    func isRefused(index: Int) throws {
        let example = Self.cases[index]
        let plan = try TestDefinitions.plan(["colours": ["audience": .object(example.audience)]])
        for dialect in example.dialects {
            let problems = Self.problems(WarehouseStatement(dialect: dialect), plan)
            #expect(problems.count == 1)
            #expect(problems.first?.hasPrefix("colours: ") == true, "\(dialect): \(problems)")
            #expect(problems.first?.contains(example.message) == true, "\(dialect): \(problems)")
        }
        for dialect in Dialect.allCases where !example.dialects.contains(dialect) {
            #expect(Self.problems(WarehouseStatement(dialect: dialect), plan) == [], "\(dialect)")
        }
    }

    @Test("All problems of a statement are reported at once", arguments: Dialect.allCases)
    func everyProblemAtOnce(dialect: Dialect) throws {
        let plan = try TestDefinitions.plan([
            "one": ["audience": ["a": ["$size": 1], "b": ["$all": ["x"]], "c.d": 1]],
            "three": ["audience": ["$not": ["a": ["$type": "array"]]]], "two": [:],
        ])
        let problems = Self.problems(WarehouseStatement(dialect: dialect), plan)
        #expect(problems.map { $0.prefix { $0 != " " } } == ["one:", "one:", "one:", "three:"])
        var statement = WarehouseStatement(dialect: dialect)
        statement.selection = [2]
        #expect(Self.problems(statement, plan) == [])
    }

    @Test("Keys that cannot be names of columns are an error in the wide layout")
    func namesOfColumns() throws {
        let long = String(repeating: "k", count: 64)
        let plan = try TestDefinitions.plan([long: [:], "Big": [:], "big": [:], "with.dot": [:]])
        func problems(_ dialect: Dialect, _ layout: WarehouseStatement.Layout, _ creation: Creation? = nil) -> [String]
        {
            var statement = WarehouseStatement(dialect: dialect)
            statement.layout = layout
            statement.creation = creation
            return Self.problems(statement, plan)
        }
        let view = Creation(.view, name: "v")
        #expect(
            problems(.postgresql, .wide) == [
                "\(long): PostgreSQL cuts off names after 63 bytes; use the long layout, or choose other "
                    + "experiments"
            ])
        #expect(problems(.bigquery, .wide).map { $0.prefix(9) } == ["Big and b", "with.dot:"])
        #expect(problems(.redshift, .wide).map { $0.prefix(4) } == ["Big:", "Big "])
        for creation in [nil, view] {
            for dialect in [Dialect.duckdb, .spark, .trino] {
                #expect(
                    problems(dialect, .wide, creation) == [
                        "Big and big are the same column name in \(dialect.title); use the long layout, or choose "
                            + "other experiments"
                    ])
            }
            for dialect in Dialect.allCases { #expect(problems(dialect, .long, creation) == []) }
            for dialect in [Dialect.clickhouse, .snowflake] { #expect(problems(dialect, .wide, creation) == []) }
        }
    }

    @Test("Creations that a dialect does not support are an error")
    func creations() throws {
        let plan = try TestDefinitions.plan(["one": ["audience": ["Device Id": "x"]]])
        func problem(_ dialect: Dialect, _ layout: WarehouseStatement.Layout = .long, name: String = "f") -> String? {
            var statement = WarehouseStatement(dialect: dialect)
            statement.layout = layout
            statement.creation = Creation(.function, name: name)
            return Self.problems(statement, plan).first
        }
        #expect(problem(.trino) == "Trino does not have functions that return rows; create a view")
        #expect(problem(.redshift) == "Redshift does not have functions that return rows; create a view")
        #expect(problem(.clickhouse)?.contains("map the attribute to a column with a plain name") == true)
        #expect(problem(.duckdb, .wide) == "a function returns the long layout; use that layout")
        #expect(problem(.duckdb) == nil)
        #expect(
            problem(.duckdb, name: "") == "the name to create: a name is empty; write the name of the table or column")
        let misnamed = problem(.duckdb, name: "\"a\"b")
        #expect(misnamed?.hasPrefix("the name to create: \"\\\"a\\\"b\" is not the name of a table; write") == true)
    }

    @Test("A view or table cannot take the place of its own source", arguments: Dialect.allCases)
    func creationOverTheSource(dialect: Dialect) throws {
        let plan = try TestDefinitions.plan(["one": [:]])
        for kind in [Creation.Kind.view, .table] {
            var statement = WarehouseStatement(dialect: dialect)
            statement.table = "people"
            statement.creation = Creation(kind, name: "people")
            #expect(
                Self.problems(statement, plan).first
                    == "the \(kind.rawValue) people would take the place of the table people; give it another name, or "
                    + "write the schemas of both if they differ"
            )
            statement.creation = Creation(kind, name: "assigned")
            #expect(Self.problems(statement, plan) == [])
        }
    }

    @Test(
        "A view or table cannot take the place of its own source under another spelling", arguments: Dialect.allCases)
    func creationOverTheSourceAsSpelledOtherwise(dialect: Dialect) throws {
        let plan = try TestDefinitions.plan(["one": [:]])
        func isRefused(_ table: String, _ name: String) -> Bool {
            var statement = WarehouseStatement(dialect: dialect)
            statement.layout = .long
            statement.table = table
            statement.creation = Creation(.table, name: name)
            return Self.problems(statement, plan).contains { $0.contains("would take the place") }
        }
        #expect(isRefused("main.users", "users"))
        #expect(isRefused("users", "main.users"))
        #expect(isRefused("shop.main.users", "main.users"))
        #expect(isRefused("main.users", "\"main\".users") == (dialect != .snowflake))
        #expect(!isRefused("main.users", "app.users"))
        #expect(!isRefused("users.main", "main.users"))
        #expect(!isRefused("main.users", "assigned"))
        #expect(!isRefused("users", "main.users2"))
        // PostgreSQL, Redshift and Snowflake fold names without quotes, ClickHouse folds none, and others fold all.
        #expect(isRefused("Users", "uSERS") == (dialect != .clickhouse))
        #expect(isRefused("\"Users\"", "main.\"uSERS\"") == ![.clickhouse, .postgresql, .snowflake].contains(dialect))
    }

    @Test("A function of ClickHouse is a view, and takes the place of no table")
    func functionOverATable() throws {
        let plan = try TestDefinitions.plan(["one": [:]])
        for dialect in Dialect.allCases where ![.trino, .redshift].contains(dialect) {
            var statement = WarehouseStatement(dialect: dialect)
            statement.layout = .long
            statement.creation = Creation(.function, name: "app.users")
            let isRefused = Self.problems(statement, plan).contains { $0.contains("the function app.users would take") }
            #expect(isRefused == (dialect == .clickhouse))
        }
    }

    @Test("An experiment cannot have the name of a column that the statement reads", arguments: Dialect.allCases)
    func namesOfReadColumns(dialect: Dialect) throws {
        let plan = try TestDefinitions.plan(["country": ["audience": ["country": "DE"]], "plan": [:]])
        var statement = WarehouseStatement(dialect: dialect)
        let problem =
            "country: the table has a column of that name, which the statement reads; use the long layout, or "
            + "choose other experiments"
        // In Snowflake that is the column COUNTRY.
        #expect(Self.problems(statement, plan) == (dialect == .snowflake ? [] : [problem]))
        statement.columns = [ColumnMapping(attribute: "country", column: "land")]
        #expect(Self.problems(statement, plan) == [])
        statement.columns = [ColumnMapping(attribute: "user_id", column: "PLAN")]
        statement.selection = [1]
        // A name without quotes, in the engines that fold it, and where the case of names does not matter.
        #expect(Self.problems(statement, plan).isEmpty == [.clickhouse, .snowflake].contains(dialect))
        statement.columns = []
        statement.instantColumn = "\"plan\""
        #expect(Self.problems(statement, plan).first?.hasPrefix("plan: the table has a column of that name") == true)
        statement.layout = .long
        #expect(Self.problems(statement, plan) == [])
    }

    @Test("What is wrong with a name that is given says which name it is")
    func givenNames() throws {
        let plan = try TestDefinitions.plan(["one": [:]])
        func problem(_ change: (inout WarehouseStatement) -> Void) -> String? {
            var statement = WarehouseStatement(dialect: .duckdb)
            change(&statement)
            return Self.problems(statement, plan).first
        }
        let empty = "a name is empty; write the name of the table or column"
        #expect(problem { $0.table = "a..b" } == "the table: \(empty)")
        #expect(problem { $0.instantColumn = "" } == "the column of instants: \(empty)")
        #expect(problem { $0.creation = Creation(.view, name: "") } == "the name to create: \(empty)")
        func column(_ name: String) -> String? {
            problem { $0.columns = [ColumnMapping(attribute: "user_id", column: name)] }
        }
        #expect(
            column("\"x") == "the column of user_id: \"\\\"x\" has an opening quote without a closing one")
        #expect(
            column("\"a\".\"b\"")
                == "the column of user_id: \"\\\"a\\\".\\\"b\\\"\" has a dot between quotes; write the name of "
                + "one column")
        #expect(column("\"a \"\" b\"") == nil)
        #expect(column("a b") == nil)
    }

    @Test("A name without quotes is the one that the engine reads")
    func foldedNames() throws {
        let plan = try TestDefinitions.plan(["one": [:]])
        func from(_ dialect: Dialect, _ table: String) throws -> Bool {
            var statement = WarehouseStatement(dialect: dialect)
            statement.table = table
            return try statement.text(for: plan).contains("FROM \"gr\u{F6}ssen\" AS allot_source")
        }
        // PostgreSQL folds the ASCII letters of all names that need no quotes.
        #expect(try from(.postgresql, "Gr\u{F6}ssen"))
        #expect(try !from(.postgresql, "\"Gr\u{F6}ssen\""))
        #expect(try !from(.redshift, "Gr\u{F6}ssen"))
        #expect(try !from(.duckdb, "Gr\u{F6}ssen"))
    }

    @Test("A parameter of ClickHouse's functions cannot be named by a number")
    func numberAsParameter() throws {
        let plan = try TestDefinitions.plan(["one": ["audience": ["100": "x"]]])
        var statement = WarehouseStatement(dialect: .clickhouse)
        statement.layout = .long
        statement.creation = Creation(.function, name: "f")
        #expect(Self.problems(statement, plan).first?.contains("column with a plain name") == true)
    }

    @Test("A statement without experiments is an error in the long layout; wide rows are those of the table")
    func nothingToShow() throws {
        var statement = WarehouseStatement(dialect: .duckdb)
        let none = try TestDefinitions.plan([:])
        let draft = try TestDefinitions.plan(["one": ["status": "draft"]])
        let note = "no experiment can assign a variant, so that the statement adds no column to the rows"
        for plan in [none, draft] {
            #expect(Self.problems(statement, plan) == [])
            #expect(statement.notes(on: plan) == [note])
        }
        statement.layout = .long
        #expect(Self.problems(statement, draft) == [])
        #expect(statement.notes(on: draft) == [])
        #expect(
            Self.problems(statement, none) == [
                "the definitions have no experiment, so that no rows can be long; use the wide layout"
            ])
    }

    private static func problems(_ statement: WarehouseStatement, _ plan: Plan) -> [String] {
        do {
            _ = try statement.text(for: plan)
            return []
        } catch {
            return error.problems
        }
    }
}
