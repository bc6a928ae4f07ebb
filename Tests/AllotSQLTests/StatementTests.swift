import AllotConfiguration
import AllotCore
import AllotSQL
import Foundation
import Testing

/// What statements look like.
struct StatementTests {
    @Test("Statements are equal to the recorded ones", arguments: Dialect.allCases, WarehouseStatement.Layout.allCases)
    func isAsWritten(dialect: Dialect, layout: WarehouseStatement.Layout) throws {
        var statement = WarehouseStatement(dialect, layout)
        statement.table = "app.users"
        statement.columns = [ColumnMapping(attribute: "user_id", column: "id")]
        statement.instant = Instant(seconds: 1_780_272_000)
        try expectRecorded(statement, "\(dialect.rawValue)-\(layout.rawValue)", Self.shop)
    }

    @Test(
        "Statements of joined units and windows are equal to the recorded ones", arguments: Dialect.allCases)
    func windowsAreAsWritten(dialect: Dialect) throws {
        var statement = WarehouseStatement(dialect)
        statement.table = "app.rides"
        statement.instantColumn = "ordered_at"
        try expectRecorded(statement, "\(dialect.rawValue)-windows", Self.rides)
    }

    /// Expects a statement of `Statements/`, character by character; `ALLOT_SQL_RECORD=1` writes them anew, to be read
    /// before they are kept.
    private func expectRecorded(_ statement: WarehouseStatement, _ name: String, _ plan: () throws -> Plan) throws {
        let text = try statement.text(for: plan())
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Statements/\(name).sql")
        if ProcessInfo.processInfo.environment["ALLOT_SQL_RECORD"] == "1" { try Data(text.utf8).write(to: file) }
        #expect(try text == String(decoding: Data(contentsOf: file), as: UTF8.self))
        #expect(try text == statement.text(for: plan()))
        #expect(text.hasSuffix("\n"))
        #expect(!text.contains(";\n"))
    }

    /// Windows, balanced and not, of units of two attributes and of one.
    private static func rides() throws -> Plan {
        try TestDefinitions.plan([
            "price": [
                "unit": ["city", "line"], "traffic": "60%", "forced": ["berlin|U1": "green"],
                "period": ["every": "1h", "from": "2026-05-31T00:00:00.5Z"],
            ],
            "queue": [
                "unit": "city", "period": ["every": "1d", "from": "2026-06-01T00:00:00+02:00", "balanced": true],
            ],
        ])
    }

    /// A segment, a holdout, forced units, a requirement and a winner.
    private static func shop() throws -> Plan {
        try TestDefinitions.plan([
            "button": [
                "traffic": "80%",
                "audience": ["country": ["$in": ["DE", "CÔTE D'IVOIRE"]], "version": ["$vgte": "2.1"]],
                "forced": ["it's me": "green"],
            ],
            "layout": ["status": "concluded", "winner": "green"],
            "price": ["unit": "org_id", "requires": ["button": ["green"]], "audience": ["seats": ["$gte": 2.5]]],
        ])
    }

    // MARK: Names

    private static let names: [(dialects: [Dialect], table: String, quoted: String)] = [
        ([.duckdb, .trino], "app.Users", #""app"."Users""#),
        ([.postgresql, .redshift], "App.Users", #""app"."users""#),
        ([.postgresql, .redshift], #"App."Users""#, #""app"."Users""#),
        ([.clickhouse, .spark, .bigquery], "app.Users", "`app`.`Users`"),
        ([.snowflake], "db.app.users", #""DB"."APP"."USERS""#), ([.snowflake], #"app."users""#, #""APP"."users""#),
        ([.snowflake], "app.my users", #""APP"."my users""#),
        ([.bigquery], "my-project.app.users", "`my-project`.`app`.`users`"),
        ([.duckdb, .postgresql, .snowflake], #""My.""Table""""#, #""My.""Table""""#),
        // PostgreSQL folds the ASCII letters of all names that need no quotes.
        ([.postgresql], "Gr\u{F6}ssen", "\"gr\u{F6}ssen\""), ([.postgresql], "\"Gr\u{F6}ssen\"", "\"Gr\u{F6}ssen\""),
        ([.redshift, .duckdb], "Gr\u{F6}ssen", "\"Gr\u{F6}ssen\""),
    ]

    @Test("Names of tables follow the dialect's rules for quotes and case", arguments: names.indices)
    func tables(index: Int) throws {
        for dialect in Self.names[index].dialects {
            var statement = WarehouseStatement(dialect)
            statement.table = Self.names[index].table
            let text = try statement.text(for: TestDefinitions.plan(["one": [:]]))
            #expect(text.contains("FROM \(Self.names[index].quoted) AS allot_source"), "\(dialect)")
        }
    }

    @Test("Attributes are read from the mapped columns, or from those of their names")
    func columns() throws {
        let plan = try TestDefinitions.plan([
            "one": ["audience": ["Country": "DE", "user.plan": "free", "gone": ["$exists": false], "\"odd\"": "x"]]
        ])
        for (dialect, columns) in [
            (Dialect.duckdb, ["Country", "Plan", "Id", "\"\"odd\"\""]), (.postgresql, ["country", "plan", "Id"]),
            (.snowflake, ["COUNTRY", "PLAN", "Id", "\"\"odd\"\""]),
        ] {
            var statement = WarehouseStatement(dialect)
            statement.columns = [
                ColumnMapping(attribute: "user.plan", column: "Plan"),
                ColumnMapping(attribute: "user_id", column: "\"Id\""), ColumnMapping(attribute: "gone", column: nil),
            ]
            let text = try statement.text(for: plan)
            for column in columns { #expect(text.contains("allot_source.\"\(column)\" "), "\(column)") }
            if dialect == .duckdb { #expect(text.contains("CAST(NULL AS VARCHAR) AS allot_gone")) }
            #expect(!text.contains("\"gone\""))
        }
    }

    /// Attributes that look the same and are not are two columns and two parameters.
    @Test("Attributes with similar names have distinct columns")
    func similarNames() throws {
        let plan = try TestDefinitions.plan(["one": ["audience": ["é": "1", "e\u{301}": "2"]]])
        let text = try WarehouseStatement(.duckdb, .long, creation: Creation(.function, name: "f")).text(for: plan)
        #expect(text.utf8.contains("MACRO \"f\"(\"e\u{301}\", \"user_id\", \"é\") ".utf8))
        for name in ["\"é\"", "\"e\u{301}\""] {
            #expect(text.utf8.contains("\(name) AS \(name)".utf8), "\(name)")
        }
    }

    @Test("Parameters of a function have the same order whatever experiments come first", arguments: Dialect.allCases)
    func orderOfParameters(dialect: Dialect) throws {
        guard ![.trino, .redshift].contains(dialect) else { return }
        let statement = WarehouseStatement(dialect, .long, creation: Creation(.function, name: "f"))
        func call(_ experiments: [String: JSONObject]) throws -> Substring? {
            try statement.text(for: TestDefinitions.plan(experiments)).split(separator: "\n").first {
                $0.hasPrefix("--   SELECT * FROM ")
            }
        }
        let one: JSONObject = ["audience": ["country": "DE", "plan": "free"]]
        let call1 = try #require(try call(["one": one]))
        #expect(try call(["a": ["audience": ["plan": "free"]], "b": [:], "one": one]) == call1)
        let names = ["country", "plan", "user_id"].map { name in dialect == .snowflake ? name.uppercased() : name }
        #expect(call1.matches(of: /country|plan|user_id/.ignoresCase()).map { String($0.0) } == names)
    }

    @Test("The header of a function says how to deploy it with other parameters")
    func redeploymentOfFunctions() throws {
        func header(_ dialect: Dialect) throws -> String {
            let statement = WarehouseStatement(dialect, .long, creation: Creation(.function, name: "app.f"))
            let plan = try TestDefinitions.plan(["one": ["audience": ["country": "DE"]]])
            return try statement.text(for: plan).split(separator: "\n").prefix { $0.hasPrefix("--") }
                .joined(separator: "\n")
        }
        let snowflake = try header(.snowflake)
        #expect(snowflake.contains("Call it with the name of each argument:"))
        #expect(snowflake.contains("\n--   DROP FUNCTION IF EXISTS \"APP\".\"F\"(VARCHAR, VARCHAR)\n"))
        let bigQuery = try header(.bigquery)
        #expect(bigQuery.contains("Its arguments have no names, only this order"))
        #expect(bigQuery.contains("\n--   SELECT * FROM `app`.`f`(NULL /* `country` */, NULL /* `user_id` */)\n"))
        #expect(!bigQuery.contains("the name of each argument"))
        #expect(try header(.duckdb).contains("Call it with the name of each argument, because positions may change:"))
    }

    // MARK: Time

    @Test("A statement with a column of instants reads it alone", arguments: Dialect.allCases)
    func columnOfInstants(dialect: Dialect) throws {
        let plan = try TestDefinitions.plan(["one": ["starts": "2026-01-01T00:00:00Z"], "two": ["status": "paused"]])
        var statement = WarehouseStatement(dialect: dialect)
        statement.instantColumn = "\"Signed Up\""
        // The instant of the rows takes its place.
        statement.instant = Instant("2020-01-01T00:00:00Z")
        let wide = try statement.text(for: plan)
        #expect(wide.contains("-- The instant of evaluation is that of each row in allot_source."))
        #expect(wide.contains("allot_at < "))
        #expect(wide.contains("2026-01-01 00:00:00.000000"))
        for text in ["2020", "CURRENT_TIMESTAMP", "now64", "now()"] { #expect(!wide.contains(text)) }
        statement.layout = .long
        #expect(try statement.text(for: plan).contains("IS NOT NULL) AS allot_source"))
        statement.instantColumn = "allot_at"
        #expect(!statement.problems(plan).isEmpty)
        statement.instantColumn = "at"
        statement.creation = Creation(.function, name: "f")
        #expect(statement.problems(plan).contains { $0.contains("leave out the column, or create a view") })
    }

    @Test("A statement uses either an instant or the engine's clock", arguments: Dialect.allCases)
    func instantOrClock(dialect: Dialect) throws {
        let plan = try TestDefinitions.plan([
            "one": ["starts": "2026-01-01T00:00:00Z", "ends": "2026-03-01T00:00:00.0000001+01:00"]
        ])
        var statement = WarehouseStatement(dialect, .long)
        let byClock = try statement.text(for: plan)
        #expect(byClock.contains("-- The instant of evaluation is that of the engine's clock"))
        // A clock of microseconds is behind an instant within one only from the next.
        let isFine = [Dialect.clickhouse, .snowflake, .trino].contains(dialect)
        for instant in ["2026-01-01 00:00:00.000000", "2026-02-28 23:00:00.000\(isFine ? "000100" : "001")"] {
            #expect(byClock.contains(instant), "\(instant)")
        }
        let reasons: [(instant: String, reason: Reason)] = [
            ("2025-12-31T23:59:59Z", .notStarted), ("2026-01-01T00:00:00Z", .split), ("2026-04-01T00:00:00Z", .ended),
        ]
        for (instant, reason) in reasons {
            statement.instant = Instant(instant)
            let text = try statement.text(for: plan)
            #expect(text.contains("-- The instant of evaluation is \(instant)."))
            #expect(!text.contains("2026-01-01 00:00:00"))
            for other in [Reason.notStarted, .split, .ended] {
                #expect(text.contains("'\(other.text)'") == (other == reason), "\(instant): \(other.text)")
            }
        }
    }

    @Test(
        "The number of a window is a constant at an instant, and else an integer from the time",
        arguments: Dialect.allCases)
    func windows(dialect: Dialect) throws {
        let from: JSONValue = "2026-01-01T00:00:00Z"
        let plan = try TestDefinitions.plan([
            "one": ["period": ["every": "1h", "from": from]],
            "two": ["salt": "one", "period": ["every": "1h", "from": from, "balanced": true]],
        ])
        var statement = WarehouseStatement(dialect, .long)
        statement.instant = Instant("2026-01-01T03:59:59.999999999Z")
        let fixed = try statement.text(for: plan)
        for part in ["'@3'", "'@2'", "ABS(999999 - ("] { #expect(fixed.contains(part), "\(part)") }
        #expect(!fixed.contains("allot_window"))
        let column = "allot_window_1h_2026_01_01t00_00_00z"
        for name in [nil, "\"at\""] {
            statement.instantColumn = name
            statement.instant = nil
            let text = try statement.text(for: plan)
            #expect(text.components(separatedBy: " AS \(column)").count == 2)
            #expect(text.contains("ABS(999999 * MOD(\(column), 2) - ("))
            #expect(text.contains("-- With a period, \"@\" and the number of the window follow the ID.\n"))
        }
        statement.instantColumn = nil
        statement.instant = Instant("2025-12-31T23:59:59.999999999Z")
        #expect(try statement.text(for: plan).contains("'not-started'"))
    }

    // MARK: Economy

    /// One digest for each salt and unit, and one mention of the table, however many experiments there are.
    @Test("A statement computes no expression twice", arguments: Dialect.allCases, WarehouseStatement.Layout.allCases)
    func nothingIsComputedTwice(dialect: Dialect, layout: WarehouseStatement.Layout) throws {
        var experiments: [String: JSONObject] = [:]
        for number in 0..<20 {
            // Every second one shares its salt with the one before, but not with those of another unit.
            experiments["e\(number)"] = [
                "salt": .string("salt-\(number / 2)"), "unit": number == 1 ? "org_id" : "user_id", "traffic": "50%",
            ]
        }
        var statement = WarehouseStatement(dialect, layout)
        statement.table = "the_users"
        let text = try statement.text(for: TestDefinitions.plan(experiments)).split(separator: "\n")
            .filter { !$0.hasPrefix("--") }.joined(separator: "\n")
        #expect(text.lowercased().components(separatedBy: "the_users").count == 2)
        #expect(text.lowercased().components(separatedBy: "'salt-0:'").count == 3)
        for number in 1..<10 { #expect(text.components(separatedBy: "'salt-\(number):'").count == 2) }
        #expect(text.lowercased().ranges(of: /sha2(56)?\(/).count == 11)
    }

    /// A salt and a unit, and another salt and no unit, that look the same when they are joined.
    @Test("Each pair of salt and unit has one digest")
    func everySaltAndUnitHasItsDigest() throws {
        let plan = try TestDefinitions.plan(["exp_org": [:], "exp": ["unit": "org"]])
        let text = try WarehouseStatement(dialect: .duckdb).text(for: plan)
        #expect(text.contains("sha256('exp_org:' || allot_unit_user_id)"))
        #expect(text.contains("sha256('exp:' || allot_unit_org)"))
    }

    @Test("The ID of a unit of several attributes is joined once", arguments: Dialect.allCases)
    func joinedUnits(dialect: Dialect) throws {
        let unit: JSONValue = ["city", "line"]
        let plan = try TestDefinitions.plan(["one": ["unit": unit], "two": ["unit": unit], "three": ["unit": "city"]])
        for layout in WarehouseStatement.Layout.allCases {
            let text = try WarehouseStatement(dialect, layout).text(for: plan)
            for name in ["joined_city_line", "unit_city_line", "unit_city"] {
                #expect(text.matches(of: try Regex(" AS allot_\(name)\\b")).count == 1, "\(name)")
            }
        }
    }

    @Test("Two attributes in the same column are an error, unless both are mapped to it")
    func oneColumnIsNotTwoAttributes() throws {
        let plan = try TestDefinitions.plan(["one": ["audience": ["country": "DE", "Country": "DE"]]])
        for dialect in [Dialect.duckdb, .spark, .postgresql, .snowflake] {
            let problems = WarehouseStatement(dialect).problems(plan)
            #expect(problems.contains { $0.contains("are in the same column") }, "\(dialect)")
        }
        #expect(WarehouseStatement(.clickhouse).problems(plan) == [])
    }

    /// dbt sends every model through Jinja.
    @Test("No text of the definitions is a mark of Jinja in a statement", arguments: Dialect.allCases)
    func jinjaMarksAreBroken(dialect: Dialect) throws {
        for mark in ["{{", "{%", "{#", "{{{", "a{{b}}c", "{%if%}", "'{#'"] {
            let plan = try TestDefinitions.plan([
                "one": [
                    "audience": ["a": ["$in": [.string(mark), "x"]], "b": ["$startsWith": .string(mark)]],
                    "forced": .object([mark: "b"]), "hash": "eppo/1", "salt": .string(mark),
                    "variants": [["key": "a", "buckets": ["0..<4000"]], ["key": "b", "buckets": ["4000..<10000"]]],
                ],
                "two": ["audience": ["c": ["$ini": [.string(mark)]]]],
            ])
            for layout in WarehouseStatement.Layout.allCases {
                let text = try WarehouseStatement(dialect, layout).text(for: plan)
                for begin in ["{{", "{%", "{#"] { #expect(!text.contains(begin), "\(mark)") }
            }
            let named = try TestDefinitions.plan(["one": ["audience": .object([mark: "x"])]])
            let problems = WarehouseStatement(dialect).problems(named)
            #expect(problems.contains { $0.contains("the mark of Jinja in the name") })
        }
    }

    @Test("The header lists the columns that a statement needs, with what they are read as")
    func columnsAreListed() throws {
        let plan = try TestDefinitions.plan([
            "one": [
                "audience": [
                    "age": ["$gte": 18], "plan": ["$in": ["free", true, 5]], "version": ["$vgte": "2.1"],
                    "joined": ["$before": "2026-01-01T00:00:00Z"], "ip": ["$inNetwork": "10.0.0.0/8"],
                    "gone": ["$exists": false], "absent": "x",
                ]
            ]
        ])
        var statement = WarehouseStatement(dialect: .postgresql)
        statement.columns = [
            ColumnMapping(attribute: "user_id", column: "Id"), ColumnMapping(attribute: "absent", column: nil),
        ]
        let expected = """
            -- The statement reads these columns of "users":
            --   "id": unit ID
            --   "age": number
            --   "gone": whether it is empty
            --   "ip": IP address
            --   "joined": instant
            --   "plan": text, boolean, number
            --   "version": version

            """
        #expect(try statement.text(for: plan).contains(expected))
        statement.selection = []
        let nothing = try statement.text(for: plan)
        #expect(nothing.contains("-- The statement reads no column of \"users\"."))
        #expect(nothing.contains("-- None of them can assign a variant, so it adds no column to the rows."))
        #expect(nothing.hasSuffix("\nSELECT\n  allot_source.*\nFROM \"users\" AS allot_source\n"))
    }

    @Test("Columns with the reserved prefix are an error")
    func ownNamesAreRefused() throws {
        let plan = try TestDefinitions.plan(["one": ["audience": ["allot_user_id": "x"]]])
        #expect(WarehouseStatement(.duckdb).problems(plan).contains { $0.contains("the prefix allot_") })
    }

    @Test("A long chain of requirements is an error")
    func deepRequirementsAreRefused() throws {
        func plan(_ count: Int) throws -> Plan {
            var experiments: [String: JSONObject] = ["e0": [:]]
            for index in 1..<count {
                experiments["e\(index)"] = ["requires": .object(["e\(index - 1)": ["control"]])]
            }
            return try TestDefinitions.plan(experiments)
        }
        #expect(try WarehouseStatement(.postgresql).problems(plan(21)) == [])
        let problems = try WarehouseStatement(.postgresql).problems(plan(22))
        #expect(problems.contains { $0.contains("e21: it depends on a chain of 21 requirements") })
    }

    @Test("A long statement for ClickHouse names the setting that it needs")
    func longClickHouseStatementsTellTheSetting() throws {
        let list = JSONValue.array((0..<30_000).map { .string("user-\($0)") })
        let plan = try TestDefinitions.plan(["one": ["audience": ["user_id": ["$in": list]]]])
        #expect(try WarehouseStatement(dialect: .clickhouse).text(for: plan).contains("max_query_size"))
    }

    @Test(
        "A statement of many experiments for PostgreSQL names the setting that makes it fast", arguments: [99, 100],
        WarehouseStatement.Layout.allCases)
    func manyExperimentsForPostgreSQLTellTheSetting(count: Int, layout: WarehouseStatement.Layout) throws {
        let experiments = (0..<count).map { ("experiment-\($0)", JSONObject()) }
        let plan = try TestDefinitions.plan(Dictionary(uniqueKeysWithValues: experiments))
        #expect(try WarehouseStatement(.postgresql, layout).text(for: plan).contains("SET jit = off") == (count == 100))
    }
}
