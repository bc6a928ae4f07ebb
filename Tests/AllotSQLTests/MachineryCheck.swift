import TestSupport
import Testing

/// Texts come back from engines as they went in, and a comparison sees what differs.
struct MachineryCheck {
    func check(_ name: EngineName) throws {
        let engine = try Engine(name)
        let folder = try TemporaryFolder()
        let users = HostileUsers(seed: 7, count: 2000)
        let csv = try folder.write(users.csv, to: "users.csv")
        #expect(try engine.load(users) == 2000)
        #expect(try engine.compare("SELECT * FROM users", with: csv).isEqual)
        // What goes wrong ends nothing.
        #expect(throws: Engine.Failure.self) { try engine.run("SELECT nonsense FROM nowhere") }
        #expect(throws: Engine.Failure.self) { try engine.compare("SELECT user_id FROM users", with: csv) }
        let ids = Set(users.rows.map { $0[0].map { Array($0.utf8) } })
        let rows = try engine.rows("SELECT DISTINCT user_id FROM users")
        #expect(rows.columns == ["user_id"])
        #expect(Set(rows.values.map { $0[0].map { Array($0.utf8) } }) == ids)
        #expect(rows.values.count == ids.count)

        try engine.load(
            "three",
            lines: """
                {"a": "x", "b": "1"}
                {"a": "y", "b": null}
                {"a": "y", "b": ""}

                """)
        func comparison(_ csv: String) throws -> Engine.Comparison {
            try engine.compare("SELECT a, b FROM three", with: folder.write(csv, to: "three.csv"))
        }
        #expect(try comparison("a,b\ny,\nx,1\ny,\n").isEqual)
        let fewer = try comparison("a,b\ny,\nx,1\n")
        #expect((fewer.rows, fewer.missing, fewer.unexpected) == (3, 0, 1))
        let other = try comparison("a,b\ny,\nx,2\ny,\nz,3\n")
        #expect((other.rows, other.missing, other.unexpected) == (3, 2, 1))
        #expect(other.examples.contains { $0.contains(#"b is "1" instead of "2""#) })
    }
}
