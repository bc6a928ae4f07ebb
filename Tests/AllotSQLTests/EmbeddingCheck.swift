import AllotCore
import AllotSQL
import TestSupport
import Testing

/// A query stands where queries stand, over tables that have more columns than it reads.
struct EmbeddingCheck {
    func check(_ name: EngineName) throws {
        let engine = try Engine(name)
        let folder = try TemporaryFolder()
        let users = HostileUsers(seed: 9, count: 200)
        try engine.load(users)
        let plan = try TestDefinitions.plan([
            "one": ["audience": ["age": ["$gte": 18.5]], "traffic": "70%"],
            "two": ["audience": ["country": ["$nin": ["{{ x }}", "{% x %}", "{# x #}"]]]],
        ])
        for layout in WarehouseStatement.Layout.allCases {
            let text = try name.statement(layout).text(for: plan)
            let plain = try engine.rows(text).values.count
            #expect(plain == users.rows.count * (layout == .long ? 2 : 1))
            try engine.run("DROP TABLE IF EXISTS embedded")
            try engine.run("CREATE TABLE embedded \(name.storage)AS (\(text))")
            #expect(try engine.rows("SELECT * FROM embedded").values.count == plain)
            #expect(try engine.rows("SELECT count(*) FROM (\(text)) AS q").values == [["\(plain)"]])
            if name == .duckdb { try engine.run("COPY (\(text)) TO '\(folder.path("copied.csv"))'") }
            if name == .postgresql { try engine.run("COPY (\(text)) TO PROGRAM 'cat >/dev/null'") }
        }
        try engine.run("DROP TABLE IF EXISTS embedded")
    }
}
