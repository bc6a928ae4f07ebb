import AllotConfiguration
import AllotCore
import AllotSQL
import TestSupport
import Testing

extension EngineTests {
    /// Columns of the engine's own types are read as their texts are.
    struct NativeTypeTests {
        @Test("Columns of DuckDB's types are read as text", .needs(.duckdb))
        func duckdb() throws {
            try check(
                .duckdb, types: ["BIGINT", "DOUBLE", "DECIMAL(6, 2)", "BOOLEAN", "TIMESTAMPTZ", "TIMESTAMP", "DATE"],
                settings: ["SET TimeZone = 'America/New_York'", "SET Calendar = 'buddhist'"])
        }
        @Test("Columns of ClickHouse's types are read as text", .needs(.clickhouse))
        func clickhouse() throws {
            try check(
                .clickhouse,
                types: [
                    "Nullable(Int64)", "Nullable(Float64)", "Nullable(Float32)", "Nullable(Bool)",
                    "Nullable(DateTime64(6, 'Asia/Tokyo'))", "Nullable(DateTime64(0, 'UTC'))", "Nullable(Date32)",
                ], settings: ["SET session_timezone = 'America/New_York'"], storage: "ENGINE = Memory ")
        }
        @Test("Columns of PostgreSQL's types are read as text", .needs(.postgresql))
        func postgresql() throws {
            try check(
                .postgresql,
                types: ["bigint", "double precision", "numeric(6, 2)", "boolean", "timestamptz", "timestamp", "date"],
                settings: ["SET TimeZone = 'America/New_York'; SET DateStyle = 'German'"])
        }
        @Test(
            "Columns of Spark's types are read as text, whatever TIMESTAMP means", .needs(.spark),
            arguments: ["TIMESTAMP_LTZ", "TIMESTAMP_NTZ"])
        func spark(timestampType: String) throws {
            try check(
                .spark,
                types: ["BIGINT", "DOUBLE", "DECIMAL(6, 2)", "BOOLEAN", "TIMESTAMP", "TIMESTAMP_NTZ", "DATE"],
                settings: [
                    "SET spark.sql.session.timeZone = America/New_York",
                    "SET spark.sql.timestampType = \(timestampType)",
                ])
        }

        @Test("ClickHouse reads far dates, nanoseconds and texts of other types as instants", .needs(.clickhouse))
        func rareTypesOfClickHouse() throws {
            let engine = try Engine(.clickhouse)
            let plan = try TestDefinitions.plan([
                "early": ["audience": ["seen": ["$before": "2026-07-01T00:00:00.123456789Z"]]],
                "far": ["audience": ["seen": ["$after": "2289-12-31T12:00:00Z"]]],
                "text": ["audience": ["seen": ["$in": ["DateTime"]]]],
            ])
            var statement = WarehouseStatement(dialect: .clickhouse)
            statement.table = "rare"
            statement.layout = .long
            try engine.run("DROP VIEW IF EXISTS rare")
            for (value, expected) in [
                ("toDateTime64('2290-01-01 00:00:00', 3, 'Asia/Tokyo')", ["far"]),
                ("toDateTime64('2299-12-31 00:00:00', 6, 'UTC')", ["far"]),
                ("toDateTime64('2026-07-01 00:00:00.123456788', 9, 'UTC')", ["early"]),
                ("toDateTime64('2026-07-01 00:00:00.123456789', 9, 'UTC')", []),
                ("toLowCardinality(toDateTime('2026-07-01 08:59:59', 'Asia/Tokyo'))", ["early"]),
                ("toLowCardinality(toNullable('2020-01-01T00:00:00Z'))", ["early"]),
                ("toFixedString('2020-01-01T00:00:00Z', 20)", ["early"]), ("toFixedString('US', 2)", []),
                ("CAST('DateTime' AS Enum8('DateTime' = 1))", ["text"]), ("toIPv4('10.1.2.3')", []), ("NULL", []),
            ] {
                try engine.run("CREATE VIEW rare AS SELECT 'user-1' AS user_id, \(value) AS seen")
                let rows = try engine.rows("SELECT experiment FROM (\(statement.text(for: plan))) WHERE variant != ''")
                #expect(rows.values.map { $0[0] }.sorted { $0 ?? "" < $1 ?? "" } == expected, "\(value)")
                try engine.run("DROP VIEW rare")
            }
        }

        @Test(
            "PostgreSQL's own addresses are in networks, and domains are read as what is below them",
            .needs(.postgresql))
        func rareTypesOfPostgreSQL() throws {
            let engine = try Engine(.postgresql)
            let plan = try TestDefinitions.plan([
                "net": ["audience": ["ip": ["$inNetwork": ["10.0.0.0/8", "2001:db8::/32"]]]],
                "early": ["audience": ["seen": ["$before": "2026-07-01T00:00:00Z"]]],
            ])
            var statement = WarehouseStatement(dialect: .postgresql)
            statement.table = "rare"
            statement.layout = .long
            try engine.run("DROP VIEW IF EXISTS rare; DROP DOMAIN IF EXISTS allot_seen; DROP DOMAIN IF EXISTS allot_ip")
            try engine.run("CREATE DOMAIN allot_seen AS timestamptz; CREATE DOMAIN allot_ip AS inet")
            for (address, time, expected) in [
                ("inet '10.1.2.3'", "timestamptz '2026-07-01 01:59:59+02'", ["early", "net"]),
                ("inet '10.1.2.3/24'", "timestamptz '2026-07-01 02:00:00+02'", ["net"]),
                ("inet '2001:db8::1'", "NULL", ["net"]), ("inet '11.1.2.3'", "NULL", []),
                ("CAST('10.1.2.3' AS allot_ip)", "CAST('2026-07-01 01:59:59+02' AS allot_seen)", ["early", "net"]),
                ("'10.1.2.3'::text", "CAST('2026-07-01 02:00:00+02' AS allot_seen)", ["net"]),
                ("'10.1.2.3/32'::text", "date '2026-06-30'", ["early"]), ("NULL", "'x'::text", []),
            ] {
                try engine.run("CREATE VIEW rare AS SELECT 'user-1' AS user_id, \(address) AS ip, \(time) AS seen")
                let rows = try engine.rows(
                    "SELECT experiment FROM (\(statement.text(for: plan))) AS q WHERE variant <> '' ORDER BY 1")
                #expect(rows.values.map { $0[0] } == expected, "\(address), \(time)")
                try engine.run("DROP VIEW rare")
            }
            try engine.run("DROP DOMAIN allot_seen; DROP DOMAIN allot_ip")
        }

        @Test("A test of instants does not change what others read of the column on DuckDB", .needs(.duckdb))
        func readingsOnDuckDB() throws { try checkReadings(.duckdb, "TIMESTAMPTZ '2026-07-01 00:00:00+00'") }
        @Test("A test of instants does not change what others read of the column on ClickHouse", .needs(.clickhouse))
        func readingsOnClickHouse() throws {
            try checkReadings(.clickhouse, "toDateTime('2026-07-01 00:00:00', 'UTC')")
        }
        @Test("A test of instants does not change what others read of the column on PostgreSQL", .needs(.postgresql))
        func readingsOnPostgreSQL() throws { try checkReadings(.postgresql, "timestamptz '2026-07-01 00:00:00+00'") }
        @Test("A test of instants does not change what others read of the column on Spark", .needs(.spark))
        func readingsOnSpark() throws { try checkReadings(.spark, "TIMESTAMP '2026-07-01 00:00:00+00:00'") }
        @Test("A test of networks does not change what others read of the column on PostgreSQL", .needs(.postgresql))
        func readingsOfAddresses() throws { try checkReadings(.postgresql, "inet '10.1.2.3/24'") }

        private func checkReadings(_ name: EngineName, _ value: String) throws {
            let engine = try Engine(name)
            let readers: [String: JSONObject] = [
                "unit": ["unit": "seen"], "exact": ["audience": ["seen": ["$contains": [" ", "/24"]]]],
                "listed": ["audience": ["seen": ["$in": ["10.1.2.3/24", "10.1.2.3", "2026-07-01T00:00:00Z"]]]],
            ]
            let others: [String: JSONObject] = [
                "early": ["audience": ["seen": ["$before": "2026-07-02T00:00:00Z"]]],
                "near": ["audience": ["seen": ["$inNetwork": ["10.1.2.3/32"]]]],
            ]
            var statement = try name.statement()
            statement.table = "readings"
            statement.layout = .long
            try engine.run("DROP VIEW IF EXISTS readings")
            try engine.run("CREATE VIEW readings AS SELECT 'user-1' AS user_id, \(value) AS seen")
            func rows(_ definitions: [String: JSONObject]) throws -> [String: [String?]] {
                let plan = try TestDefinitions.plan(definitions)
                let rows = try engine.rows(
                    "SELECT experiment, variant, bucket FROM (\(statement.text(for: plan))) AS q")
                return Dictionary(uniqueKeysWithValues: rows.values.map { ($0[0] ?? "", $0) })
            }
            let alone = try rows(readers)
            let together = try rows(readers.merging(others) { first, _ in first })
            #expect(together.filter { readers[$0.key] != nil } == alone)
            #expect(alone["unit"]?[2] != nil)
            #expect(["early", "near"].count { together[$0]?[1] ?? "" != "" } == 1)
            try engine.run("DROP VIEW readings")
        }

        private static let columns = ["seats", "share", "price", "paid", "seen", "joined", "born"]
        /// Around the instants of ``plan()``, and at both 1:30 of the night in which New York's clocks go back.
        private static let seen = [
            "2026-06-30T23:59:59.500000Z", "2026-07-01T00:00:00.000000Z", "2026-11-01T05:30:00.000000Z",
            "2026-11-01T06:30:00.250000Z", "1969-12-31T23:59:59.000000Z",
        ]

        /// The texts of 200 users, one in seven missing.
        private static func users() -> [[String?]] {
            (0..<200).map { number in
                let seen = Self.seen[number % 5]
                let texts = [
                    "\(number)", "\(Double(number) / 8)", "\(number / 4).50", number % 2 == 0 ? "true" : "false", seen,
                    String(seen.prefix(19)) + "Z", String(seen.prefix(10)) + "T00:00:00Z",
                ]
                return ["user-\(number)"]
                    + texts.enumerated().map { (number + $0.offset) % 7 == 0 ? nil : $0.element }
            }
        }

        private func check(_ name: EngineName, types: [String], settings: [String], storage: String = "") throws {
            let engine = try Engine(name)
            let folder = try TemporaryFolder()
            let names = ["user_id"] + Self.columns
            let lines = Self.users().map { row in
                let members = zip(names, row).map { name, text in "\"\(name)\":\(text.map { "\"\($0)\"" } ?? "null")" }
                return "{\(members.joined(separator: ","))}\n"
            }
            try engine.load("texts", from: folder.write(lines.joined(), to: "users.jsonl"))
            try engine.run("DROP TABLE IF EXISTS natives")
            // The engines read instants with a space, and some of them only those.
            let cut = ["seen": 26, "joined": 19, "born": 10]
            let casts = zip(Self.columns, types).map { column, type in
                guard let length = cut[column] else { return "CAST(\(column) AS \(type)) AS \(column)" }
                let text = "replace(substring(\(column), 1, \(length)), 'T', ' ')"
                let isZoned = column == "seen" && name != .clickhouse
                let instant =
                    column == "seen" && name == .clickhouse
                    ? "toDateTime64OrNull(\(text), 6, 'UTC')" : isZoned ? "(\(text) || '+00')" : text
                return "CAST(\(instant) AS \(type)) AS \(column)"
            }
            try engine.run(
                "CREATE TABLE natives \(storage)AS SELECT user_id, \(casts.joined(separator: ", ")) FROM texts")
            for setting in settings { try engine.run(setting) }
            let plan = try Self.plan()
            for layout in WarehouseStatement.Layout.allCases {
                var statement = try name.statement(layout)
                func assignments(_ table: String) throws -> [String] {
                    statement.table = table
                    // Without the table's own columns, which have other types.
                    let keys = plan.experiments.map(\.key).joined(separator: ", ")
                    let shown = layout == .long ? "*" : "user_id, \(keys)"
                    let rows = try engine.rows("SELECT \(shown) FROM (\(statement.text(for: plan))) AS q")
                    return rows.values.map { $0.map { $0 ?? "NULL" }.joined(separator: " ") }.sorted()
                }
                let expected = try assignments("texts")
                #expect(Set(expected).count > 100)
                #expect(try assignments("natives") == expected, "\(layout)")
            }
            try engine.run("DROP TABLE natives")
        }

        /// Tests of each column; in each of them some users are, and others are not.
        private static func plan() throws -> Plan {
            let audiences: [String: JSONObject] = [
                "of_seats": ["seats": ["$gte": 18]], "of_share": ["share": ["$lt": 6.5]], "of_paid": ["paid": true],
                "listed": ["paid": ["$in": ["false", 7]]], "of_price": ["price": ["$in": [2.5, 3.5, 40.5]]],
                "seen_before": ["seen": ["$before": "2026-07-01T00:00:00Z"]],
                "seen_after": ["seen": ["$after": "2026-11-01T05:30:00Z"]],
                "joined_before": ["joined": ["$before": "2026-07-01T00:00:00Z"]],
                "born_after": ["born": ["$after": "2026-06-30T23:59:59Z"]],
            ]
            return try TestDefinitions.plan(audiences.mapValues { ["audience": .object($0)] })
        }

        @Test("Columns of lists are an error on DuckDB", .needs(.duckdb))
        func listsOnDuckDB() throws { try checkList(.duckdb, "['DE', 'FR']") }
        @Test("Columns of lists are an error on ClickHouse", .needs(.clickhouse))
        func listsOnClickHouse() throws { try checkList(.clickhouse, "['DE', 'FR']") }
        @Test("Columns of lists are an error on PostgreSQL", .needs(.postgresql))
        func listsOnPostgreSQL() throws { try checkList(.postgresql, "ARRAY['DE', 'FR']") }
        @Test("Columns of lists are an error on Spark", .needs(.spark))
        func listsOnSpark() throws { try checkList(.spark, "array('DE', 'FR')") }

        private func checkList(_ name: EngineName, _ list: String) throws {
            let engine = try Engine(name)
            let plan = try TestDefinitions.plan(["one": ["audience": ["country": ["$in": ["DE", "US"]]]]])
            var statement = try name.statement()
            statement.table = "listed"
            try engine.run("DROP VIEW IF EXISTS listed")
            for (country, isRead) in [("'DE'", true), (list, false)] {
                try engine.run("CREATE VIEW listed AS SELECT 'user-1' AS user_id, \(country) AS country")
                if isRead {
                    #expect(try engine.rows(statement.text(for: plan)).values.count == 1)
                } else {
                    #expect(throws: Engine.Failure.self) { try engine.rows(statement.text(for: plan)) }
                }
                try engine.run("DROP VIEW listed")
            }
        }
    }
}
