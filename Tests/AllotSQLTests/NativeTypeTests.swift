import AllotConfiguration
import AllotCore
import AllotSQL
import Testing

extension EngineTests {
    /// Columns of the engine's own types are read as their texts are.
    struct NativeTypeTests {
        @Test("ClickHouse reads far dates, nanoseconds and texts of other types as instants", .needs(.clickhouse))
        func rareTypesOfClickHouse() throws {
            let engine = try Engine(.clickhouse)
            let plan = try TestDefinitions.plan([
                "early": ["audience": ["seen": ["$before": "2026-07-01T00:00:00.123456789Z"]]],
                "far": ["audience": ["seen": ["$after": "2289-12-31T12:00:00Z"]]],
                "text": ["audience": ["seen": ["$in": ["DateTime"]]]],
            ])
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
                #expect(try assigning(plan, "\(value) AS seen", on: engine) == expected, "\(value)")
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
                let found = try assigning(plan, "\(address) AS ip, \(time) AS seen", on: engine)
                #expect(found == expected, "\(address), \(time)")
            }
            try engine.run("DROP DOMAIN allot_seen; DROP DOMAIN allot_ip")
        }

        func checkReadings(_ name: EngineName) throws {
            let engine = try Engine(name)
            let values =
                switch name {
                case .duckdb: ["TIMESTAMPTZ '2026-07-01 00:00:00+00'"]
                case .clickhouse: ["toDateTime('2026-07-01 00:00:00', 'UTC')"]
                case .postgresql: ["timestamptz '2026-07-01 00:00:00+00'", "inet '10.1.2.3/24'"]
                case .spark: ["TIMESTAMP '2026-07-01 00:00:00+00:00'"]
                }
            let readers: [String: JSONObject] = [
                "unit": ["unit": "seen"], "exact": ["audience": ["seen": ["$contains": [" ", "/24"]]]],
                "listed": ["audience": ["seen": ["$in": ["10.1.2.3/24", "10.1.2.3", "2026-07-01T00:00:00Z"]]]],
            ]
            let others: [String: JSONObject] = [
                "early": ["audience": ["seen": ["$before": "2026-07-02T00:00:00Z"]]],
                "near": ["audience": ["seen": ["$inNetwork": ["10.1.2.3/32"]]]],
            ]
            for value in values {
                func decisions(_ definitions: [String: JSONObject]) throws -> [String: [String?]] {
                    let plan = try TestDefinitions.plan(definitions)
                    let found = try rows(of: plan, "\(value) AS seen", on: engine)
                    return Dictionary(uniqueKeysWithValues: found.map { ($0[1] ?? "", [$0[2], $0[4]]) })
                }
                let alone = try decisions(readers)
                let together = try decisions(readers.merging(others) { first, _ in first })
                #expect(together.filter { readers[$0.key] != nil } == alone)
                #expect(alone["unit"]?[1] != nil)
                #expect(["early", "near"].count { together[$0]?[0] ?? "" != "" } == 1)
            }
        }

        func checkLists(_ name: EngineName) throws {
            let engine = try Engine(name)
            let plan = try TestDefinitions.plan(["one": ["audience": ["country": ["$in": ["DE", "US"]]]]])
            let list =
                switch name {
                case .duckdb, .clickhouse: "['DE', 'FR']"
                case .postgresql: "ARRAY['DE', 'FR']"
                case .spark: "array('DE', 'FR')"
                }
            #expect(try rows(of: plan, "'DE' AS country", on: engine).count == 1)
            #expect(throws: Engine.Failure.self) { try rows(of: plan, "\(list) AS country", on: engine) }
            try engine.run("DROP VIEW rare")
        }

        /// The experiments that assign a variant to a unit with these columns.
        private func assigning(_ plan: Plan, _ columns: String, on engine: Engine) throws -> [String] {
            try rows(of: plan, columns, on: engine).filter { $0[2] ?? "" != "" }.map { $0[1] ?? "" }.sorted()
        }

        /// The rows of the long layout of a unit with these columns.
        private func rows(of plan: Plan, _ columns: String, on engine: Engine) throws -> [[String?]] {
            try engine.run("DROP VIEW IF EXISTS rare")
            try engine.run("CREATE VIEW rare AS SELECT 'user-1' AS user_id, \(columns)")
            let rows = try engine.rows(engine.name.statement(.long, table: "rare").text(for: plan))
            try engine.run("DROP VIEW rare")
            return rows.values
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

        func checkTypes(_ name: EngineName) throws {
            switch name {
            case .duckdb:
                try check(
                    name, ["BIGINT", "DOUBLE", "DECIMAL(6, 2)", "BOOLEAN", "TIMESTAMPTZ", "TIMESTAMP", "DATE"],
                    settings: ["SET TimeZone = 'America/New_York'", "SET Calendar = 'buddhist'"])
            case .clickhouse:
                let types = [
                    "Int64", "Float64", "Float32", "Bool", "DateTime64(6, 'Asia/Tokyo')", "DateTime64(0, 'UTC')",
                    "Date32",
                ]
                try check(
                    name, types.map { "Nullable(\($0))" }, settings: ["SET session_timezone = 'America/New_York'"])
            case .postgresql:
                try check(
                    name,
                    ["bigint", "double precision", "numeric(6, 2)", "boolean", "timestamptz", "timestamp", "date"],
                    settings: ["SET TimeZone = 'America/New_York'; SET DateStyle = 'German'"])
            case .spark:
                // Whatever TIMESTAMP means.
                for type in ["TIMESTAMP_LTZ", "TIMESTAMP_NTZ"] {
                    try check(
                        name, ["BIGINT", "DOUBLE", "DECIMAL(6, 2)", "BOOLEAN", "TIMESTAMP", "TIMESTAMP_NTZ", "DATE"],
                        settings: [
                            "SET spark.sql.session.timeZone = America/New_York",
                            "SET spark.sql.timestampType = \(type)",
                        ])
                }
            }
        }

        private func check(_ name: EngineName, _ types: [String], settings: [String]) throws {
            let engine = try Engine(name)
            let names = ["user_id"] + Self.columns
            let lines = Self.users().map { row in
                let members = zip(names, row).map { name, text in "\"\(name)\":\(text.map { "\"\($0)\"" } ?? "null")" }
                return "{\(members.joined(separator: ","))}\n"
            }
            try engine.load("texts", lines: lines.joined())
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
                "CREATE TABLE natives \(name.storage)AS SELECT user_id, \(casts.joined(separator: ", ")) FROM texts")
            for setting in settings { try engine.run(setting) }
            let plan = try Self.plan()
            for layout in WarehouseStatement.Layout.allCases {
                func assignments(_ table: String) throws -> [String] {
                    // Without the table's own columns, which have other types.
                    let keys = plan.experiments.map(\.key).joined(separator: ", ")
                    let shown = layout == .long ? "*" : "user_id, \(keys)"
                    let text = try name.statement(layout, table: table).text(for: plan)
                    return try engine.rows("SELECT \(shown) FROM (\(text)) AS q").sorted
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
    }
}
