import AllotConfiguration
import AllotCore
import AllotSQL
import TestSupport
import Testing

extension EngineTests {
    /// A statement of SQL gives what the precedence table says.
    struct SQLPrecedenceTests {
        @Test("DuckDB decides as the table says", .needs(.duckdb))
        func duckdb() throws { try check(.duckdb) }
        @Test("ClickHouse decides as the table says", .needs(.clickhouse))
        func clickhouse() throws { try check(.clickhouse) }
        @Test("PostgreSQL decides as the table says", .needs(.postgresql))
        func postgresql() throws { try check(.postgresql) }
        @Test("Spark decides as the table says", .needs(.spark))
        func spark() throws { try check(.spark) }

        @Test("A statement about everyone alone runs on DuckDB without a column of unit IDs", .needs(.duckdb))
        func everyone() throws {
            let engine = try Engine(.duckdb)
            let folder = try TemporaryFolder()
            try engine.load("users", from: folder.write("{\"x\": \"1\"}\n", to: "users.jsonl"))
            let row = try #require(PrecedenceTable.rows.first { $0.reason == .everyone })
            var statement = WarehouseStatement(dialect: .duckdb)
            statement.instant = PrecedenceRow.instant
            #expect(try engine.rows(statement.text(for: row.plan())).values == [["1", "blue"]])
            statement.layout = .long
            let long = try engine.rows(statement.text(for: row.plan())).values
            #expect(long.first.map { Array($0[..<4]) } == [nil, PrecedenceRow.key, "blue", "everyone"])
        }

        private func check(_ name: EngineName) throws {
            let engine = try Engine(name)
            let folder = try TemporaryFolder()
            for row in PrecedenceTable.rows {
                let user = JSONObject(
                    ["user_id", "country", "org_id"].map { name in
                        (key: name, value: row.attributes[name].map(JSONValue.string) ?? .null)
                    })
                let line = JSONValue.object(user).canonicalText + "\n"
                try engine.load("users", from: folder.write(line, to: "users.jsonl"))
                let plan = try row.plan()
                var statement = try name.statement(.long)
                statement.instant = PrecedenceRow.instant
                statement.selection = plan.experiments.indices.filter {
                    plan.experiments[$0].key == PrecedenceRow.key
                }
                let answer = try engine.rows(statement.text(for: plan))
                let values = try #require(answer.values.first)
                #expect(values[2] == row.variant, "\(row)")
                #expect(values[3] == row.reason.text, "\(row)")
            }
        }
    }
}
