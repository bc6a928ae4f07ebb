import TestSupport
import Testing

extension EngineTests {
    /// Texts come back from engines as they went in, and a comparison sees what differs.
    struct MachineryTests {
        @Test("Texts survive a round trip through DuckDB, and a comparison finds differences", .needs(.duckdb))
        func duckdb() throws { try check(.duckdb) }
        @Test("Texts survive a round trip through ClickHouse, and a comparison finds differences", .needs(.clickhouse))
        func clickhouse() throws { try check(.clickhouse) }
        @Test("Texts survive a round trip through PostgreSQL, and a comparison finds differences", .needs(.postgresql))
        func postgresql() throws { try check(.postgresql) }
        @Test("Texts survive a round trip through Spark, and a comparison finds differences", .needs(.spark))
        func spark() throws { try check(.spark) }

        @Test("DuckDB has no tables of earlier tests", .needs(.duckdb))
        func duckdbStartsAnew() throws { try checkStart(.duckdb) }
        @Test("ClickHouse has no tables of earlier tests", .needs(.clickhouse))
        func clickhouseStartsAnew() throws { try checkStart(.clickhouse, storage: "ENGINE = Memory ") }

        @Test("An engine that ended while no test used it starts again", .needs(.duckdb))
        func startsAgain() throws {
            try Engine(.duckdb).kill()
            #expect(try Engine(.duckdb).rows("SELECT 'a' AS a").values == [["a"]])
        }

        private func checkStart(_ name: EngineName, storage: String = "") throws {
            try Engine(name).run("CREATE TABLE earlier \(storage)AS SELECT 1 AS a")
            #expect(throws: Engine.Failure.self) { try Engine(name).rows("SELECT * FROM earlier") }
        }

        private func check(_ name: EngineName) throws {
            let engine = try Engine(name)
            let folder = try TemporaryFolder()
            let users = HostileUsers(seed: 7, count: 2000)
            let csv = try folder.write(users.csv, to: "users.csv")
            #expect(try engine.load("users", from: folder.write(users.jsonLines, to: "users.jsonl")) == 2000)
            #expect(try engine.compare("SELECT * FROM users", with: csv).isEqual)
            // What goes wrong ends nothing.
            #expect(throws: Engine.Failure.self) { try engine.run("SELECT nonsense FROM nowhere") }
            #expect(throws: Engine.Failure.self) { try engine.compare("SELECT user_id FROM users", with: csv) }
            let ids = Set(users.rows.map { $0[0].map { Array($0.utf8) } })
            let rows = try engine.rows("SELECT DISTINCT user_id FROM users")
            #expect(rows.columns == ["user_id"])
            #expect(Set(rows.values.map { $0[0].map { Array($0.utf8) } }) == ids)
            #expect(rows.values.count == ids.count)

            let three = """
                {"a": "x", "b": "1"}
                {"a": "y", "b": null}
                {"a": "y", "b": ""}

                """
            try engine.load("three", from: folder.write(three, to: "three.jsonl"))
            let statement = "SELECT a, b FROM three"
            func comparison(_ csv: String) throws -> Engine.Comparison {
                try engine.compare(statement, with: folder.write(csv, to: "three.csv"))
            }
            #expect(try comparison("a,b\ny,\nx,1\ny,\n").isEqual)
            let fewer = try comparison("a,b\ny,\nx,1\n")
            #expect((fewer.rows, fewer.missing, fewer.unexpected) == (3, 0, 1))
            let other = try comparison("a,b\ny,\nx,2\ny,\nz,3\n")
            #expect((other.rows, other.missing, other.unexpected) == (3, 2, 1))
            #expect(other.examples.contains { $0.contains(#"b is "1" instead of "2""#) })
        }
    }
}
