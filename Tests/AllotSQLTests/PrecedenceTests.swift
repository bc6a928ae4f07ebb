import AllotConfiguration
import AllotCore
import AllotSQL
import TestSupport
import Testing

extension EngineTests {
    /// A statement of SQL gives what the precedence table says.
    struct PrecedenceTests {
        @Test("A statement about everyone alone runs on DuckDB without a column of unit IDs", .needs(.duckdb))
        func everyone() throws {
            let engine = try Engine(.duckdb)
            try engine.load(lines: "{\"x\": \"1\"}\n")
            let row = try #require(PrecedenceTable.rows.first { $0.reason == .everyone })
            var statement = WarehouseStatement(dialect: .duckdb)
            statement.instant = PrecedenceRow.instant
            #expect(try engine.rows(statement.text(for: row.plan())).values == [["1", "blue"]])
            statement.layout = .long
            let long = try engine.rows(statement.text(for: row.plan())).values
            #expect(long.first.map { Array($0[..<4]) } == [nil, PrecedenceRow.key, "blue", "everyone"])
        }

        func check(_ name: EngineName) throws {
            let engine = try Engine(name)
            for row in PrecedenceTable.rows {
                let user = JSONObject(
                    ["user_id", "country", "org_id"].map { name in
                        (key: name, value: row.attributes[name].map(JSONValue.string) ?? .null)
                    })
                try engine.load(lines: JSONValue.object(user).canonicalText + "\n")
                let plan = try row.plan()
                var statement = try name.statement(.long)
                statement.instant = PrecedenceRow.instant
                statement.selection = plan.experiments.indices.filter {
                    plan.experiments[$0].key == PrecedenceRow.key
                }
                let values = try #require(try engine.rows(statement.text(for: plan)).values.first)
                #expect(values[2] == row.variant, "\(row)")
                #expect(values[3] == row.reason.text, "\(row)")
            }
        }
    }
}
