import AllotCore
import AllotSQL
import TestSupport
import Testing

extension EngineTests {
    /// A query stands where queries stand, over tables that have more columns than it reads.
    struct EmbeddingTests {
        @Test("A statement can be a part of others on DuckDB", .needs(.duckdb))
        func duckdb() throws {
            let folder = try TemporaryFolder()
            try check(.duckdb, copy: "TO '\(folder.path("copied.csv"))'")
        }
        @Test("A statement can be a part of others on ClickHouse", .needs(.clickhouse))
        func clickhouse() throws { try check(.clickhouse, engine: "ENGINE = Memory ") }
        @Test("A statement can be a part of others on PostgreSQL", .needs(.postgresql))
        func postgresql() throws { try check(.postgresql, copy: "TO PROGRAM 'cat >/dev/null'") }
        @Test("A statement can be a part of others on Spark", .needs(.spark))
        func spark() throws { try check(.spark) }

        /// - Parameters:
        ///   - storage: what stands between the name of a new table and its query.
        ///   - copy: where the engine's `COPY` writes to, if it has one.
        private func check(_ name: EngineName, engine storage: String = "", copy: String? = nil) throws {
            let engine = try Engine(name)
            let folder = try TemporaryFolder()
            let users = HostileUsers(seed: 9, count: 200)
            try engine.load("users", from: folder.write(users.jsonLines, to: "users.jsonl"))
            let plan = try TestDefinitions.plan([
                "one": ["audience": ["age": ["$gte": 18.5]], "traffic": "70%"],
                "two": ["audience": ["country": ["$nin": ["{{ x }}", "{% x %}", "{# x #}"]]]],
            ])
            for layout in WarehouseStatement.Layout.allCases {
                let statement = try name.statement(layout)
                let text = try statement.text(for: plan)
                let plain = try engine.rows(text).values.count
                #expect(plain == users.rows.count * (layout == .long ? 2 : 1))
                try engine.run("DROP TABLE IF EXISTS embedded")
                try engine.run("CREATE TABLE embedded \(storage)AS (\(text))")
                #expect(try engine.rows("SELECT * FROM embedded").values.count == plain)
                #expect(try engine.rows("SELECT count(*) FROM (\(text)) AS q").values == [["\(plain)"]])
                if let copy { try engine.run("COPY (\(text)) \(copy)") }
            }
            try engine.run("DROP TABLE IF EXISTS embedded")
        }
    }
}
