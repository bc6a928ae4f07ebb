import Testing

/// Commands on an experiment with `unit: none`.
@Suite struct WithoutUnitTests {
    private func workspace() throws -> Workspace {
        let workspace = try Workspace.withButton()
        try workspace.write(
            "Experiments/base.json",
            #"{"config_sections": {"Page": {"settings": {"Color": {"value": "blue"}, "Currency": {"value": "USD"}}}}}"#)
        try workspace.write(
            "Experiments/euro.yaml",
            """
            status: running
            unit: none
            audience: { country: DE }
            variants: [{ key: euro, overrides: { Page: { Currency: EUR } } }]
            """)
        return workspace
    }

    @Test("Rows without a unit ID get the variant of everyone in the audience")
    func rows() throws {
        let workspace = try workspace()
        let result = try workspace.assign("user_id,country\n007,DE\n,DE\n,US\nu,US\n")
        #expect(
            try workspace.read("out.csv")
                == "user_id,country,button,euro\n007,DE,green,euro\n,DE,,euro\n,US,,\nu,US,control,\n")
        #expect(result.errors.contains("euro: 2 assigned (2 everyone)"))
        #expect(result.errors.contains("2 rows have no valid user_id"))
        _ = try workspace.assign("user_id,country\n007,DE\n,DE\n", "--layout", "long", "--experiment", "euro")
        #expect(
            CSVTable(Array(try workspace.read("out.csv").utf8)).rows.map { Array($0.prefix(5)) }
                == [["", "euro", "euro", "everyone", ""], ["", "euro", "euro", "everyone", ""]])
    }

    @Test("A file needs no column of unit IDs")
    func withoutColumn() throws {
        let workspace = try workspace()
        #expect(try workspace.assign("country\nDE\nUS\n", "--experiment", "euro").status == 0)
        #expect(try workspace.read("out.csv") == "country,euro\nDE,euro\nUS,\n")
    }

    @Test("An explanation says that everyone in the audience gets it")
    func explanation() throws {
        let result = try workspace().run("explain", "u", "country=DE", "--experiment", "euro")
        #expect(result.text.hasPrefix("This subject gets euro in euro, because everyone in its audience gets it.\n"))
        #expect(!result.text.contains("unit"))
        let json = try workspace().run("explain", "u", "country=DE", "--experiment", "euro", "--json")
        #expect(json.text.contains(#""reason": "everyone""#))
        #expect(json.text.contains(#""unit": null"#))
        let other = try workspace().run("explain", "u", "country=US", "--experiment", "euro")
        #expect(other.text.contains("gets no variant of euro: it is not in the audience"))
    }

    @Test("The configuration names the assignment, and that it has no unit")
    func configuration() throws {
        let result = try workspace().run("config", "u", "country=DE")
        #expect(result.text.contains(#""euro":{"reason":"everyone","revision":""#))
        #expect(result.text.contains(#""settings":["Page.Currency"],"unit":"none","variant":"euro"}"#))
        #expect(result.text.contains(#""Currency":{"value":"EUR"}"#))
    }

    @Test("A statement of SQL needs no column of unit IDs")
    func sql() throws {
        let workspace = try workspace()
        for layout in ["wide", "long"] {
            let result = try workspace.run("sql", "--dialect", "duckdb", "--experiment", "euro", "--layout", layout)
            #expect(!result.text.contains("user_id"))
            #expect(result.status == 0)
        }
    }

    @Test("Recorded rows without a unit ID are kept where everyone gets the same")
    func verification() throws {
        let workspace = try workspace()
        let csv = "user_id,country,flag,variant\n,DE,Currency,EUR\n,US,Currency,USD\n,DE,euro,euro\n,US,Color,blue\n"
        try workspace.write("seen.csv", csv)
        let result = try workspace.run("import", "--verify", "seen.csv")
        #expect(result.text.hasPrefix("3 of 4 units keep their variant\n1 rows have no unit ID, and prove nothing\n"))
        #expect(result.status == 2)
    }

    @Test("What a draw has is refused by name")
    func refusals() throws {
        let workspace = try workspace()
        let start = "euro draws nothing (unit: none), so it has no"
        try workspace.run("distribution", "--experiment", "euro").expectFailure("\(start) distribution to test")
        try workspace.run("reweight", "euro", "euro=50%").expectFailure("\(start) shares to change")
        try workspace.run("ramp", "euro", "1%", "--from", "2027-01-01T00:00:00Z", "--every", "1d").expectFailure(
            "\(start) traffic to raise")
        try workspace.write("seen.csv", "user_id,variant\n1,euro\n")
        try workspace.run("srm", "seen.csv", "--experiment", "euro").expectFailure(
            "euro: it draws nothing (unit: none), so there is no ratio to test")
        #expect(try workspace.run("check").status == 0)
    }
}
