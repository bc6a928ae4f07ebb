import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles
import AllotSQL
import TestSupport
import Testing

extension EngineTests {
    /// With a column of instants, each row is decided at its own.
    struct RowInstantTests {
        @Test("DuckDB decides each row at the instant of a column, as allot assign does", .needs(.duckdb))
        func duckdb() throws { try check(.duckdb, type: "TIMESTAMPTZ") { "CAST(\($0) AS TIMESTAMPTZ)" } }
        @Test("ClickHouse decides each row at the instant of a column, as allot assign does", .needs(.clickhouse))
        func clickhouse() throws {
            for scale in [6, 9] {
                let type = "Nullable(DateTime64(\(scale), 'America/New_York'))"
                try check(.clickhouse, type: type, hasNanoseconds: scale == 9) {
                    "parseDateTime64BestEffortOrNull(\($0), \(scale), 'UTC')"
                }
            }
        }
        @Test("PostgreSQL decides each row at the instant of a column, as allot assign does", .needs(.postgresql))
        func postgresql() throws { try check(.postgresql, type: "timestamptz") { "CAST(\($0) AS timestamptz)" } }
        @Test("Spark decides each row at the instant of a column, as allot assign does", .needs(.spark))
        func spark() throws { try check(.spark, type: "TIMESTAMP") { "CAST(\($0) AS TIMESTAMP)" } }

        /// Boundaries, the last of them finer than a microsecond.
        private static let boundaries = [
            "2024-02-29T12:30:15.5+05:30", "2026-06-01T00:00:00Z", "2026-06-01T00:00:00.000001Z",
            "2099-12-31T23:59:59.999999Z", "2026-06-01T00:00:00.0000025Z",
        ]

        /// Instants just before, at and just after each boundary, and some far away.
        private static func instants() throws -> [String] {
            var texts = ["1999-12-31T23:59:59.999999Z", "2150-01-01T00:00:00Z", "1900-01-01T00:00:00Z"]
            for boundary in boundaries {
                let instant = try #require(Instant(boundary))
                let microsecond = instant.nanoseconds / 1000
                for step in Int32(-1)...1 {
                    let shifted = Int64(microsecond + step)
                    let carry = shifted < 0 ? -1 : shifted / 1_000_000
                    texts.append(
                        Instant(
                            seconds: instant.seconds + carry,
                            nanoseconds: Int32((shifted - carry * 1_000_000) * 1000)
                        ).description)
                }
            }
            return texts
        }

        private static func plan() throws -> Plan {
            var experiments: [String: JSONObject] = [
                "always": [:], "never": ["starts": "9999-12-31T23:59:59.9999999Z"],
                "since-1": ["starts": "0001-01-01T00:00:00Z"], "until-1960": ["ends": "1960-01-01T00:00:00Z"],
                "tester": ["starts": "2026-06-01T00:00:00Z", "forced": ["user-1": "green"]],
                "winner": ["status": "concluded", "winner": "green", "ends": "2026-06-01T00:00:00Z"],
                "paused": ["status": "paused"],
            ]
            for (index, boundary) in boundaries.enumerated() {
                experiments["from-\(index)"] = ["starts": .string(boundary)]
                experiments["to-\(index)"] = ["ends": .string(boundary)]
            }
            experiments["ramp"] = [
                "traffic": .array(
                    zip(boundaries.dropLast(), ["10%", "50%", "30%", "100%"]).map {
                        ["from": .string($0), "share": .string($1)]
                    }), "starts": "2020-01-01T00:00:00Z",
            ]
            experiments["dependent"] = ["requires": ["from-1": ["green"]]]
            return try TestDefinitions.plan(experiments)
        }

        /// - Parameter cast: reads the text of a column as an instant of the engine.
        private func check(
            _ name: EngineName, type: String, hasNanoseconds: Bool = false, _ cast: (String) -> String
        ) throws {
            let engine = try Engine(name)
            let folder = try TemporaryFolder()
            var csv = "user_id,signed_up_at\n"
            var lines = ""
            let fine = [
                "2026-06-01T00:00:00.000002499Z", "2026-06-01T00:00:00.0000025Z", "2026-05-31T23:59:59.999999999Z",
            ]
            for (index, instant) in try (Self.instants() + (hasNanoseconds ? fine : [])).enumerated() {
                for user in 0..<8 {
                    csv += "user-\(user),\(instant)\n"
                    lines += "{\"user_id\": \"user-\(user)\", \"signed_up_at\": \"\(instant)\"}\n"
                }
                // Rows without an instant are assigned nothing, even to a tester.
                lines += "{\"user_id\": \"user-\(index)\", \"signed_up_at\": null}\n"
            }
            try engine.load("texts", from: folder.write(lines, to: "users.jsonl"))
            let table = WarehouseTable(type: type, cast: cast("signed_up_at"))
            for statement in table.creation(name) { try engine.run(statement) }

            let plan = try Self.plan()
            var statement = try name.statement()
            statement.instantColumn = "signed_up_at"
            statement.table = "timed"
            statement.layout = .long
            var batch = BatchAssignment(plan: plan, instant: Instant(seconds: 0))
            batch.timeColumn = "signed_up_at"
            batch.layout = .long
            batch.includesAll = true
            let output = try AtomicOutput(path: folder.path("expected.csv"))
            _ = try batch.run(InputFile(path: folder.write(csv, to: "users.csv")), output: output)
            try output.commit()
            let comparison = try engine.compare(statement.text(for: plan), with: folder.path("expected.csv"))
            #expect(comparison.isEqual, "\(comparison.examples)")

            statement.layout = .wide
            let rows = try engine.rows(statement.text(for: plan))
            #expect(rows.values.count == lines.split(separator: "\n").count)
            let time = try #require(rows.columns.firstIndex(of: "signed_up_at"))
            for row in rows.values where row[time] == nil {
                #expect(row.compactMap { $0 }.count == 1, "\(row)")
            }
            let assigned = rows.values.reduce(0) { $0 + $1.compactMap { $0 }.count - ($1[time] == nil ? 1 : 2) }
            let expected = try folder.text("expected.csv").split(separator: "\n").dropFirst()
            #expect(assigned == expected.count { $0.split(separator: ",", omittingEmptySubsequences: false)[2] != "" })

            // Texts are not guessed at.
            statement.table = "texts"
            #expect(throws: (any Error).self) { try engine.rows(statement.text(for: plan)) }
        }
    }
}

/// The table `timed`, which has the users of the table `texts` with instants of the engine's own type.
private struct WarehouseTable {
    let type: String
    /// The instant of a row of `texts`.
    let cast: String

    func creation(_ engine: EngineName) -> [String] {
        let query = "SELECT user_id, \(cast) AS signed_up_at FROM texts"
        return switch engine {
        case .duckdb, .spark: ["DROP VIEW IF EXISTS timed", "CREATE VIEW timed AS \(query)"]
        case .postgresql: ["DROP TABLE IF EXISTS timed", "CREATE TABLE timed AS \(query)"]
        case .clickhouse:
            [
                "DROP TABLE IF EXISTS timed",
                "CREATE TABLE timed (user_id Nullable(String), signed_up_at \(type)) ENGINE = Memory",
                "INSERT INTO timed \(query)",
            ]
        }
    }
}
