import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles
import AllotSQL
import TestSupport
import Testing

/// With a column of instants, each row is decided at its own.
struct RowInstantCheck {
    /// Boundaries, the last of them finer than a microsecond.
    private static let boundaries = [
        "2024-02-29T12:30:15.5+05:30", "2026-06-01T00:00:00Z", "2026-06-01T00:00:00.000001Z",
        "2099-12-31T23:59:59.999999Z", "2026-06-01T00:00:00.0000025Z",
    ]

    /// Teams, whose names stand in unit IDs with and without escapes.
    private static let teams = ["a|b", "\\", "c"]

    /// Instants just before, at and just after each boundary and the end of the third minute after it, and some far
    /// away.
    private static func instants() throws -> [String] {
        var texts = ["1999-12-31T23:59:59.999999Z", "2150-01-01T00:00:00Z", "1900-01-01T00:00:00Z"]
        for boundary in boundaries {
            let instant = try #require(Instant(boundary))
            let microsecond = instant.nanoseconds / 1000
            for seconds in [instant.seconds, instant.seconds + 180] {
                for step in Int32(-1)...1 {
                    let shifted = Int64(microsecond + step)
                    let carry = shifted < 0 ? -1 : shifted / 1_000_000
                    texts.append(
                        Instant(
                            seconds: seconds + carry, nanoseconds: Int32((shifted - carry * 1_000_000) * 1000)
                        ).description)
                }
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
            experiments["windows-\(index)"] = [
                "period": ["every": "1m", "from": .string(boundary), "balanced": .boolean(index % 2 == 0)],
                "unit": index < 3 ? "user_id" : ["user_id", "team"], "traffic": index < 2 ? "100%" : "70%",
            ]
        }
        experiments["ramp"] = [
            "traffic": .array(
                zip(boundaries.dropLast(), ["10%", "50%", "30%", "100%"]).map {
                    ["from": .string($0), "share": .string($1)]
                }), "starts": "2020-01-01T00:00:00Z",
        ]
        experiments["windows-of-days"] = ["period": ["every": "1d", "from": "1930-01-01T12:00:00.25Z"]]
        experiments["dependent"] = ["requires": ["from-1": ["green"]]]
        return try TestDefinitions.plan(experiments)
    }

    func check(_ name: EngineName) throws {
        switch name {
        case .duckdb, .postgresql: try check(name, "signed_up_at", as: "timestamptz")
        case .spark: try check(name, "signed_up_at", as: "TIMESTAMP")
        case .clickhouse:
            for scale in [6, 9] {
                try check(
                    name, "parseDateTime64BestEffortOrNull(signed_up_at, \(scale), 'UTC')",
                    as: "Nullable(DateTime64(\(scale), 'America/New_York'))", hasNanoseconds: scale == 9)
            }
        }
    }

    private func check(
        _ name: EngineName, _ text: String, as type: String, hasNanoseconds: Bool = false
    ) throws {
        let engine = try Engine(name)
        let folder = try TemporaryFolder()
        var csv = "user_id,team,signed_up_at\n"
        var lines = ""
        let fine = [
            "2026-06-01T00:00:00.000002499Z", "2026-06-01T00:00:00.0000025Z", "2026-05-31T23:59:59.999999999Z",
        ]
        for (index, instant) in try (Self.instants() + (hasNanoseconds ? fine : [])).enumerated() {
            for user in 0..<8 {
                let team = Self.teams[user % Self.teams.count]
                csv += "user-\(user),\(team),\(instant)\n"
                let row: JSONObject = [
                    "user_id": .string("user-\(user)"), "team": .string(team), "signed_up_at": .string(instant),
                ]
                lines += JSONValue.object(row).canonicalText + "\n"
            }
            // Rows without an instant are assigned nothing, even to a tester.
            let row: JSONObject = ["user_id": .string("user-\(index)"), "team": .null, "signed_up_at": .null]
            lines += JSONValue.object(row).canonicalText + "\n"
        }
        try engine.load("texts", lines: lines)
        // The users with instants of the engine's own type.
        let kind = [.duckdb, .spark].contains(name) ? "VIEW" : "TABLE"
        let query = "SELECT user_id, team, CAST(\(text) AS \(type)) AS signed_up_at FROM texts"
        try engine.run("DROP \(kind) IF EXISTS timed")
        try engine.run("CREATE \(kind) timed \(name.storage)AS \(query)")

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
        let assigned = rows.values.reduce(0) { $0 + $1.compactMap { $0 }.count - ($1[time] == nil ? 1 : 3) }
        let expected = try folder.text("expected.csv").split(separator: "\n").dropFirst()
        #expect(assigned == expected.count { $0.split(separator: ",", omittingEmptySubsequences: false)[2] != "" })

        // Texts are not guessed at.
        statement.table = "texts"
        #expect(throws: (any Error).self) { try engine.rows(statement.text(for: plan)) }
    }
}
