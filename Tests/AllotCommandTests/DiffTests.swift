import AllotConfiguration
import Testing

@Suite struct DiffTests {
    /// Definitions before and after, in `old` and `new`: one experiment each, for everybody.
    private func workspace(_ old: String, _ new: String?, base: String = "blue") throws -> Workspace {
        let workspace = try Workspace()
        let page = { (color: String) in
            #"{"config_sections": {"Page": {"settings": {"Color": {"value": "\#(color)"}}}}}"#
        }
        try workspace.write("old/base.json", page("blue"))
        try workspace.write("new/base.json", page(base))
        try workspace.write("old/button.yaml", old)
        if let new { try workspace.write("new/button.yaml", new) }
        return workspace
    }

    private let halves = """
        status: running
        variants:
          - key: control
          - { key: green, overrides: { Page: { Color: green } } }
        """
    private let fifths = """
        status: running
        traffic: 50%
        variants:
          - key: control
          - { key: green, weight: 4, overrides: { Page: { Color: green } } }
        """

    @Test func nothingChanges() throws {
        let commented = "# The same, with other words.\ndescription: x\n" + halves + "\n"
        let result = try workspace(halves, commented).run("diff", "old", "new")
        result.expectOutput("Nothing changes for anybody at 2026-11-21T12:00Z.\n")
    }

    @Test func everyUnitIsAccountedFor() throws {
        let result = try workspace(halves, fifths).run("diff", "old", "new")
        #expect(result.status == 2)
        #expect(
            result.text == """
                1 of 1 experiment changes; enrolled units would move in button.

                button
                    traffic 100% → 50%
                    variant control: 50% → 20%
                    variant green: 50% → 80%
                    control → green    15%  moves
                    control → none     25%  leaves
                    green → none       25%  leaves
                    green → green      25%  stays
                    control → control  10%  stays
                    of the units in its audience 35% stay, 15% move, 50% leave
                    carry-over: 37.5% of the units of green held another variant before
                    Page.Color: "green" → "blue" for 25% (green → none)
                    Page.Color: "blue" → "green" for 15% (control → green)

                """)
    }

    @Test func shareIsExactInJSON() throws {
        let thirds = halves.replacingOccurrences(of: "- key: control", with: "- { key: control, weight: 2 }")
        let result = try workspace(halves, "traffic: 12.3457%\n" + thirds).run("diff", "old", "new", "--json")
        let json = try JSONValue(parsing: result.output)
        let experiment = json["experiments"]?[0]
        #expect(json["moves_enrolled"] == true)
        #expect(experiment?["moves"]?.canonicalText == "0.020576207819")
        #expect(experiment?["leaves"]?.canonicalText == "0.876543")
        #expect(experiment?["transitions"]?[0]?["from"] == "green")
    }

    @Test func usersAreCounted() throws {
        let workspace = try workspace(halves, fifths)
        try workspace.write("users.csv", "id\n" + (0..<1000).map { "user-\($0)\n" }.joined())
        let result = try workspace.run("diff", "old", "new", "--users", "users.csv", "--unit-column", "id", "--json")
        let transitions = try JSONValue(parsing: result.output)["experiments"]?[0]?["transitions"]
        guard case .array(let rows)? = transitions else {
            Issue.record("no transitions in \(result.text)")
            return
        }
        let counts = rows.compactMap { row -> Int? in
            guard case .number(let number)? = row["users"] else { return nil }
            return Int(number.text)
        }
        #expect(counts.reduce(0, +) == 1000)
        // 15%, 25%, 25%, 25% and 10%, within 3.29 standard deviations.
        #expect(zip(counts, [150, 250, 250, 250, 100]).allSatisfy { abs($0 - $1) < 46 })
    }

    /// What no range tells of is counted, or reported as possible.
    @Test func audiences() throws {
        let german = halves + "\naudience: { country: DE }\n"
        let workspace = try workspace(halves, german)
        let unknown = try workspace.run("diff", "old", "new")
        #expect(unknown.status == 2)
        #expect(unknown.text.contains("the audience is narrower"))
        try workspace.write("germans.csv", "user_id,country\na,DE\nb,DE\n")
        let germans = try workspace.run("diff", "old", "new", "--users", "germans.csv")
        #expect(germans.status == 0)
        try workspace.write("others.csv", "user_id,country\na,DE\nb,FR\n")
        let others = try workspace.run("diff", "old", "new", "--users", "others.csv")
        #expect(others.status == 2)
        #expect(others.text.contains("→ none"))
        let wider = try self.workspace(german, halves).run("diff", "old", "new")
        #expect(wider.status == 0)
        #expect(wider.text.contains("the audience is wider"))
    }

    @Test func newDrawsAreToldApart() throws {
        let result = try workspace(halves, halves + "\nsalt: button.2\n").run("diff", "old", "new")
        #expect(result.status == 2)
        #expect(result.text.contains("salt button → button.2"))
        #expect(result.text.contains("control → green    25%  moves"))
        #expect(result.text.contains("every unit is drawn anew"))
        #expect(result.text.contains("carry-over: 50% of the units of green held another variant before"))
    }

    @Test func removedExperimentsAndTheBase() throws {
        let result = try workspace(halves, nil, base: "red").run("diff", "old", "new")
        #expect(result.status == 2)
        #expect(result.text.contains("the experiment is removed"))
        #expect(result.text.contains(#"Page.Color: "green" → "red" for 50% (green → none)"#))
        #expect(result.text.contains(#"Page.Color: "blue" → "red", for all whom no variant gives another value"#))
        // A draft had nobody.
        let draft = try workspace(halves.replacingOccurrences(of: "running", with: "draft"), nil)
        #expect(try draft.run("diff", "old", "new").status == 0)
    }

    @Test func slotsThatOthersHeld() throws {
        let layered = halves + "\nlayer: checkout\nslots: [0%..<40%]\n"
        let workspace = try workspace(layered, layered.replacingOccurrences(of: "running", with: "concluded"))
        for folder in ["old", "new"] { try workspace.write("\(folder)/layers.yaml", "checkout: {}\n") }
        try workspace.write(
            "new/text.yaml", "status: running\nlayer: checkout\nslots: [20%..<60%]\nvariants: [{ key: a }]\n")
        let result = try workspace.run("diff", "old", "new")
        #expect(result.text.contains("carry-over: 50% of its slots were held by button"))
        #expect(result.text.contains("status running → concluded"))
    }

    @Test func markdown() throws {
        let result = try workspace(halves, fifths).run("diff", "old", "new", "--markdown")
        #expect(result.status == 2)
        #expect(result.text.hasPrefix("### ⚠️ 1 of 1 experiment changes; enrolled units would move in button."))
        #expect(result.text.contains("| `control` | `green` | 15% | moves |"))
    }

    @Test func badInput() throws {
        let workspace = try workspace(halves, "status: runing\nvariants: [{ key: a }]\n")
        let invalid = try workspace.run("diff", "old", "new")
        #expect(invalid.status == 1)
        #expect(invalid.errors.contains("new/button.yaml:1:9: error: unknown status"))
        let missing = try workspace.run("diff", "old", "nowhere")
        #expect(missing.status == 1)
        #expect(
            missing.errors
                == "allot: cannot read the definitions folder nowhere: No such file or directory; check its name\n")
        #expect(try workspace.run("diff", "old", "new", "--json", "--markdown").status == 64)
        #expect(try workspace.run("diff", "old", "new", "--unit-column", "id").status == 64)
        #expect(try workspace.run("diff", "old").status == 64)
        try workspace.write("new/button.yaml", halves)
        try workspace.write("users.csv", "user_id,country\na\n")
        let malformed = try workspace.run("diff", "old", "new", "--users", "users.csv")
        #expect(malformed.status == 1)
        #expect(malformed.errors.contains("users.csv:2:"))
    }
}
