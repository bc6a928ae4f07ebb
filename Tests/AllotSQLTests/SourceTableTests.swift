import AllotConfiguration
import AllotCore
import AllotSQL
import TestSupport
import Testing

extension EngineTests {
    /// What tables and users of engines may be like.
    struct SourceTableTests {
        /// Either the assignments of the same table without these columns, or an error that names one of them.
        func checkNames(_ name: EngineName) throws {
            let engine = try Engine(name)
            let plan = try TestDefinitions.plan([
                "one": ["audience": ["country": "DE", "version": ["$vgte": "2.0"]], "forced": ["user-7": "green"]],
                "two": ["requires": ["one": ["green"]], "traffic": "90%"],
            ])
            for layout in WarehouseStatement.Layout.allCases {
                let statement = try name.statement(layout)
                let text = try statement.text(for: plan)
                let names = Set(text.matches(of: /AS (allot_\w+)/).map { String($0.1) }).subtracting([
                    "allot_source", "allot_row", "allot_rows", "allot_decisions",
                ]).sorted()
                #expect(names.count > 10)
                func assignments(_ hostile: [String]) throws -> [[String?]] {
                    let lines = (0..<40).map { number in
                        let columns = [
                            "\"user_id\": \"user-\(number)\"", "\"country\": \"DE\"", "\"version\": \"2.1\"",
                        ]
                        return "{\((columns + hostile.map { "\"\($0)\": \"user-7\"" }).joined(separator: ", "))}\n"
                    }
                    try engine.load(lines: lines.joined())
                    let rows = try engine.rows(text)
                    let shown = layout == .long ? rows.columns : ["user_id", "one", "two"]
                    let indices = try shown.map { try #require(rows.columns.firstIndex(of: $0)) }
                    return rows.values.map { row in indices.map { row[$0] } }
                }
                let expected = try assignments([])
                #expect(Set(expected.map { $0[layout == .long ? 2 : 1] }).count > 1)
                for hostile in names.map({ [$0] }) + [names, names.map { $0.uppercased() }] {
                    do {
                        let found = try Engine.Rows.sorted(assignments(hostile))
                        #expect(found == Engine.Rows.sorted(expected), "\(hostile), \(layout)")
                    } catch let error as Engine.Failure {
                        #expect("\(error)".lowercased().contains("ambiguous"), "\(hostile): \(error)")
                        #expect(hostile.contains { "\(error)".lowercased().contains($0.lowercased()) })
                    }
                }
            }
        }

        /// Compares columns of a collation in which "a" is "A" with columns that do not have one.
        func checkCollation(_ name: EngineName) throws {
            let engine = try Engine(name)
            let values = ["DE", "de", "2026-11-21T12:00:00Z", "2026-11-21t12:00:00z"]
            let lines = (0..<80).map { number in
                "{\"user_id\": \"\(number % 2 == 0 ? "user" : "USER")-\(number / 2)\", "
                    + "\"country\": \"\(values[number % 4])\", \"joined\": \"\(values[number / 2 % 4])\"}\n"
            }
            try engine.load("plain", lines: lines.joined())
            if name == .postgresql {
                let collation = "(provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
                try engine.run("CREATE COLLATION IF NOT EXISTS nocase \(collation)")
            }
            let collation = name == .spark ? "UTF8_LCASE" : "NOCASE"
            let collated = ["user_id", "country", "joined"].map { "\($0) COLLATE \(collation) AS \($0)" }
            try engine.run("DROP TABLE IF EXISTS collated")
            try engine.run("CREATE TABLE collated AS SELECT \(collated.joined(separator: ", ")) FROM plain")
            let same = try engine.rows("SELECT * FROM collated WHERE country = 'DE'")
            #expect(same.values.count == 40, "the collation has an effect")
            let plan = try TestDefinitions.plan([
                "one": ["audience": ["country": ["$in": ["DE"]]], "forced": ["user-7": "green"]],
                "two": ["audience": ["joined": ["$before": "2026-12-01T00:00:00Z"]], "traffic": "0.0001%"],
                "three": ["audience": ["joined": ["$in": ["DE"]]], "forced": ["user-8": "control"]],
            ])
            func assignments(_ table: String) throws -> [String] {
                try engine.rows(name.statement(.long, table: table).text(for: plan)).sorted
            }
            let expected = try assignments("plain")
            #expect(expected.count { $0.contains("forced") } == 2)
            #expect(try assignments("collated") == expected)
            try engine.run("DROP TABLE collated")
        }

        @Test("ClickHouse runs statements for users who cannot change settings", .needs(.clickhouse))
        func readOnly() throws {
            let users = HostileUsers(seed: 21, count: 2000)
            let plans = [try RandomPlan.ofConditions(seed: 1, count: 30), RandomPlan.make(seed: 2)]
            for isExact in [true, false] {
                let engine = try Engine(.clickhouse)
                let trial = try EqualityTrial(engine)
                try trial.load(users)
                var statement = WarehouseStatement(dialect: .clickhouse)
                statement.creation = Creation(.view, name: "assigned")
                try engine.run(statement.text(for: TestDefinitions.plan(["one": ["audience": ["age": ["$gt": 1]]]])))
                // As versions have it that do not read doubles exactly by default.
                if !isExact { try engine.run("SET precise_float_parsing = 0") }
                try engine.run("SET readonly = 1")
                #expect(throws: Engine.Failure.self) { try engine.run("SET max_threads = 1") }
                for plan in plans { #expect(try trial.difference(of: plan, .long) == nil) }
                #expect(try engine.rows("SELECT * FROM assigned").values.count == users.rows.count)
            }
        }

        func checkUnassigned(_ name: EngineName) throws {
            let engine = try Engine(name)
            let trial = try EqualityTrial(engine)
            try trial.load(HostileUsers(seed: 31, count: 100))
            let plan = try TestDefinitions.plan([
                "draft": ["status": "draft"], "paused": ["status": "paused", "audience": ["age": ["$gt": 5]]],
                "over": ["ends": "2020-01-01T00:00:00Z"], "later": ["starts": "2120-01-01T00:00:00Z"],
            ])
            let instant = try #require(Instant("2026-06-01T00:00:00Z"))
            #expect(try trial.difference(of: plan, .wide, at: instant) == nil)
            #expect(try trial.difference(of: plan, .long, at: instant) == nil)
            var statement = try name.statement()
            statement.instant = instant
            for instantColumn in [nil, "signed_up"] {
                statement.instantColumn = instantColumn
                // The draft and the paused one.
                statement.selection = [0, 3]
                #expect(try engine.rows(statement.text(for: plan)).columns == HostileUsers.columns)
                statement.creation = Creation(.view, name: "quiet")
                try engine.run(statement.text(for: plan))
                #expect(try engine.rows("SELECT * FROM quiet").values.count == 100)
                try engine.run("DROP VIEW quiet")
                statement.creation = nil
            }
        }
    }
}
