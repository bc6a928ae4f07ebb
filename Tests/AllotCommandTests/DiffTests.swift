import AllotConfiguration
import TestSupport
import Testing

@Suite(.blocks) struct DiffTests {
    /// Definitions before and after, in `old` and `new`: one experiment each, for all units.
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

    @Test("Equal definitions reassign no unit")
    func nothingChanges() throws {
        let commented = "# The same, with other words.\ndescription: x\n" + halves + "\n"
        let result = try workspace(halves, commented).run("diff", "old", "new")
        result.expectOutput("No change for any unit at 2026-11-21T12:00Z.\n")
    }

    /// Texts before and after the variants of `halves`, in the old and the new definition, the exit status, and parts
    /// of the output.
    private static let changes: [(old: String, new: String, status: Int32, texts: [String])] = [
        ("status: draft", "status: paused", 0, []),
        (
            "status: running", "status: running\naudience: { country: DE }", 2,
            [
                "the audience is narrower", "no longer admits leave (allot diff counts them on a file of users)",
            ]
        ),
        ("status: running\naudience: { country: DE }", "status: running", 0, ["the audience is wider"]),
        (
            "status: running", "status: running\nsalt: button.2", 2,
            [
                "salt button → button.2", "control → green    25%  moves", "every unit is randomised anew",
                "carry-over: 50% of the units of green had another variant before",
            ]
        ),
        (
            "status: concluded\nwinner: green", "status: concluded\nwinner: control", 0,
            ["What everyone in the audience of button gets changes."]
        ),
        ("status: paused", "status: running", 0, []),
        ("status: running\nends: 2026-01-01T00:00:00Z", "status: running\nsalt: again", 2, []),
    ]

    @Test("What a change of one experiment does is reported", arguments: changes.indices)
    func change(index: Int) throws {
        let (old, new, status, texts) = Self.changes[index]
        let variants = halves.replacingOccurrences(of: "status: running", with: "")
        let result = try workspace(old + variants, new + variants).run("diff", "old", "new")
        #expect(result.status == status)
        for text in texts { #expect(result.text.contains(text), "\(result.text)") }
    }

    /// Pause, change, go on: units that were enrolled come back to another variant, 30% of those that had one.
    @Test(
        "Changes of an experiment that gives units no variant reassign those that had one before",
        arguments: [
            ("status: paused", "30%"), ("status: concluded", "30%"),
            ("status: paused\nstarts: 2999-01-01T00:00:00Z", nil), (lowered(to: "0%"), "15%"),
            (lowered(to: "10%"), "12%"),
        ] as [(String, String?)])
    func returningUnits(old: String, share: String?) throws {
        let new = old.contains("traffic") ? fifths : fifths.replacingOccurrences(of: "traffic: 50%", with: "")
        let result = try workspace(halves.replacingOccurrences(of: "status: running", with: old), new).run(
            "diff", "old", "new")
        let text = "would come back to another variant: "
        #expect(result.text.contains(share.map { "\(text)\($0) (control → green)" } ?? text) == (share != nil))
        #expect(result.status == (share == nil ? 0 : 2))
    }

    private static func lowered(to share: String) -> String {
        "status: running\ntraffic: [{ from: 2020-01-01T00:00:00Z, share: 50% }, "
            + "{ from: 2020-02-01T00:00:00Z, share: \(share) }]"
    }

    @Test("The shares of a report add up to all units")
    func everyUnitIsAccountedFor() throws {
        let result = try workspace(halves, fifths).run("diff", "old", "new")
        #expect(result.status == 2)
        #expect(
            result.text == """
                1 of 1 experiment changed; enrolled units would move in button.

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
                    carry-over: 37.5% of the units of green had another variant before
                    do not pool data from before and after: analyse by revision, or restart with a new salt
                    Page.Color: "green" → "blue" for 25% (green → none)
                    Page.Color: "blue" → "green" for 15% (control → green)

                """)
    }

    @Test("Shares are exact in JSON")
    func shareIsExactInJSON() throws {
        let thirds = halves.replacingOccurrences(of: "- key: control", with: "- { key: control, weight: 2 }")
        let result = try workspace(halves, "traffic: 12.3457%\n" + thirds).run("diff", "old", "new", "--json")
        let json = try JSONValue(parsing: result.output)
        let experiment = json["experiments"]?[0]
        #expect(json["moves_enrolled"] == true)
        #expect(experiment?["moves"]?.canonicalText == "0.020576207819")
        #expect(experiment?["leaves"]?.canonicalText == "0.876543")
        #expect(experiment?["transitions"]?[0]?["from"] == "green")
    }

    @Test("The users of a file are counted")
    func usersAreCounted() throws {
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

    @Test("A unit of several rows counts once, with its first row, in each form of the report")
    func repeatedUsers() throws {
        let workspace = try workspace(
            halves + "\nforced: { f: green }\n", halves + "\naudience: { country: DE }\nforced: { f: green }\n")
        try workspace.write(
            "users.csv", "user_id,country\na,DE\nb,DE\na,FR\n\"b\",DE\nNULL,FR\n,FR\nf,DE\nf,DE\n")
        let arguments = ["diff", "old", "new", "--users", "users.csv", "--null", "NULL"]
        let text = try workspace.run(arguments)
        // The second row of a, and those without an ID, would leave.
        #expect(text.status == 0)
        #expect(
            text.text.hasSuffix(
                "Counted on 3 units. 3 rows repeat a unit ID; each unit counts once, with its first row. "
                    + "2 rows have no valid unit ID.\n"), "\(text.text)")
        #expect(text.text.contains(" units  stays") || text.text.contains(" unit  stays"))
        #expect(text.text.contains("1 forced unit is not counted here"))
        let markdown = try workspace.run(arguments + ["--markdown"]).text
        #expect(markdown.contains("| before | after | share | units | |"), "\(markdown)")
        #expect(markdown.contains("Counted on 3 units. 3 rows repeat a unit ID"), "\(markdown)")
        let json = try JSONValue(parsing: workspace.run(arguments + ["--json"]).output)
        #expect(json["users"] == 3)
        #expect(json["repeats"] == 3)
        #expect(json["without_unit"] == 2)
    }

    @Test("Units that a narrower audience no longer admits are counted in a file of users")
    func audiences() throws {
        let german = halves + "\naudience: { country: DE }\n"
        let workspace = try workspace(halves, german)
        try workspace.write("germans.csv", "user_id,country\na,DE\nb,DE\n")
        let germans = try workspace.run("diff", "old", "new", "--users", "germans.csv")
        #expect(germans.status == 0)
        try workspace.write("others.csv", "user_id,country\na,DE\nb,FR\n")
        let others = try workspace.run("diff", "old", "new", "--users", "others.csv")
        #expect(others.status == 2)
        #expect(others.text.contains("→ none"))
    }

    @Test("Removed experiments and changes of the base are reported")
    func removedExperimentsAndTheBase() throws {
        let result = try workspace(halves, nil, base: "red").run("diff", "old", "new")
        #expect(result.status == 2)
        #expect(result.text.contains("the experiment is removed"))
        #expect(result.text.contains(#"Page.Color: "green" → "red" for 50% (green → none)"#))
        #expect(
            result.text.contains(#"Page.Color: "blue" → "red", for all units to which no variant gives another value"#))
    }

    @Test("Slots that belonged to another experiment are reported as carry-over")
    func slotsThatOthersHeld() throws {
        let layered = halves + "\nlayer: checkout\nslots: [0%..<40%]\n"
        let workspace = try workspace(layered, layered.replacingOccurrences(of: "running", with: "concluded"))
        for folder in ["old", "new"] { try workspace.write("\(folder)/layers.yaml", "checkout: {}\n") }
        try workspace.write(
            "new/text.yaml", "status: running\nlayer: checkout\nslots: [20%..<60%]\nvariants: [{ key: a }]\n")
        let result = try workspace.run("diff", "old", "new")
        #expect(result.text.contains("carry-over: 50% of its slots belonged to button"))
        #expect(result.text.contains("status running → concluded"))
    }

    @Test("Wrong input is an error")
    func badInput() throws {
        let workspace = try workspace(halves, "status: runing\nvariants: [{ key: a }]\n")
        let invalid = try workspace.run("diff", "old", "new")
        #expect(invalid.status == 1)
        #expect(invalid.errors.contains("new/button.yaml:1:9: error: unknown status"))
        let missing = try workspace.run("diff", "old", "nowhere")
        #expect(missing.status == 1)
        #expect(missing.errors.hasPrefix("allot: nowhere is neither a folder nor a revision of Git; "))
        #expect(try workspace.run("diff", "old", "new", "--json", "--markdown").status == 64)
        #expect(try workspace.run("diff", "old", "new", "--unit-column", "id").status == 64)
        #expect(try workspace.run("diff").status == 64)
        #expect(
            try workspace.run("diff", "old").errors
                == "allot: cannot read the definitions folder Experiments: No such file or directory; check its name\n")
        try workspace.write("new/button.yaml", halves)
        try workspace.write("users.csv", "user_id,country\na\n")
        let malformed = try workspace.run("diff", "old", "new", "--users", "users.csv")
        #expect(malformed.status == 1)
        #expect(malformed.errors.contains("users.csv:2:"))
    }

    /// Users that prove nothing do not make it safe.
    @Test("A file without the attributes of the audience is noted", arguments: ["user_id\na\n", "user_id,country\n"])
    func usersWithoutTheAudience(csv: String) throws {
        let german = halves + "\naudience: { country: DE }\n"
        let workspace = try workspace(german, german.replacingOccurrences(of: "DE", with: "FR"))
        try workspace.write("users.csv", csv)
        #expect(try workspace.run("diff", "old", "new", "--users", "users.csv").status == 2)
    }

    /// Another experiment may look at anything.
    @Test("A column that an experiment does not look at leaves its counts conclusive")
    func columnsOfOtherExperiments() throws {
        let workspace = try workspace(halves, halves + "\naudience: { country: DE }\n")
        let other = "status: running\naudience: { plan: PLAN }\nvariants: [{ key: a }, { key: b }]\n"
        try workspace.write("old/other.yaml", other)
        try workspace.write("new/other.yaml", other)
        try workspace.write("users.csv", "user_id,country\na,DE\nb,DE\n")
        let arguments = ["diff", "old", "new", "--users", "users.csv"]
        let counted = try workspace.run(arguments)
        #expect(counted.status == 0)
        #expect(counted.text.contains("no longer admits leave (counted above)"))
        // Where it does look at it, the users tell nothing, and are not asked for again.
        try workspace.write("new/other.yaml", other.replacingOccurrences(of: "PLAN", with: "FREE"))
        let result = try workspace.run(arguments)
        #expect(result.status == 2)
        #expect(result.text.hasPrefix("2 of 2 experiments changed; enrolled units would move in other."))
        #expect(result.text.contains("(not counted, as the users have no column for plan)"))
        #expect(!result.text.contains("on a file of users"))
        #expect(result.text.components(separatedBy: "\nother\n").last?.contains("2 units  ") == false)
        #expect(
            result.text.hasSuffix(
                "Counted on 2 units; no column for plan, and experiments that look at one without a column are not "
                    + "counted.\n"))
        let json = try JSONValue(parsing: workspace.run(arguments + ["--json"]).output)
        #expect(json["experiments"]?[0]?["missing_columns"] == [])
        #expect(json["experiments"]?[1]?["missing_columns"] == ["plan"])
        #expect(json["experiments"]?[0]?["transitions"]?[0]?["users"] != nil)
        #expect(json["experiments"]?[1]?["transitions"]?[0]?["users"] == nil)
    }

    /// Nothing is compared any more, so the exit status stays 0.
    @Test("Units that lose a winner to a forced experiment are reported")
    func winnersLostToForcedExperiments() throws {
        let concluded =
            halves.replacingOccurrences(of: "running", with: "concluded\nwinner: green")
            + "\nlayer: l\nslots: [0%..<50%]\n"
        let workspace = try workspace(concluded, concluded)
        for folder in ["old", "new"] { try workspace.write("\(folder)/layers.yaml", "l: {}\n") }
        let next = "status: draft\nlayer: l\nslots: [50%..<100%]\nvariants: [{ key: a }]\n"
        try workspace.write("old/next.yaml", next)
        try workspace.write("new/next.yaml", next + "forced: { u1: a }\n")
        let result = try workspace.run("diff", "old", "new")
        #expect(result.status == 0)
        #expect(result.text.contains("the unit \"u1\" had the winner green and is now forced into another experiment"))
        try workspace.write("users.csv", "user_id\nu1\nu2\n")
        let counted = try workspace.run("diff", "old", "new", "--users", "users.csv")
        #expect(counted.status == 0)
        #expect(counted.text.contains("green → none"))
    }

    @Test("A randomised unit that becomes forced counts as reassigned")
    func randomisedUnitsThatAreForced() throws {
        // user-42 was randomised into one of the two.
        let forced = ["control", "green"].map { "\nforced: { user-42: \($0) }\n" }
        let results = try forced.map { try self.workspace(halves, halves + $0).run("diff", "old", "new") }
        #expect(results.map { $0.status }.sorted() == [0, 2])
        let moved = results.first { $0.status == 2 }
        #expect(moved?.text.contains("the unit \"user-42\" was randomised into") ?? false)
        let workspace = try self.workspace(halves, halves + forced[0])
        try workspace.write("users.csv", "user_id\nuser-42\n")
        let counted = try workspace.run("diff", "old", "new", "--users", "users.csv")
        #expect(counted.text.contains("1 unit  stays"))
    }

    /// A unit that another experiment of the layer now forces leaves this one.
    @Test("Units that a forced experiment displaces are reported")
    func unitsDisplacedByForcedOnes() throws {
        let layered = halves + "\nlayer: l\nslots: [0%..<100%]\n"
        let workspace = try workspace(layered, layered)
        for folder in ["old", "new"] { try workspace.write("\(folder)/layers.yaml", "l: {}\n") }
        let draft = "status: draft\nlayer: l\nslots: [0%..<10%]\nvariants: [{ key: a }]\n"
        let slots = "slots: [0%..<100%]"
        for folder in ["old", "new"] {
            try workspace.write(
                "\(folder)/button.yaml", layered.replacingOccurrences(of: slots, with: "slots: [10%..<100%]"))
            try workspace.write("\(folder)/next.yaml", draft)
        }
        #expect(try workspace.run("diff", "old", "new").status == 0)
        // Some of them have slots of the experiment.
        try workspace.write("new/next.yaml", draft + "forced: { u1: a, u2: a, u3: a, u4: a }\n")
        let result = try workspace.run("diff", "old", "new")
        #expect(result.status == 2)
        #expect(result.text.contains("and is now forced into another experiment"))
    }

    @Test("A new salt of a layer is reported")
    func layersRandomisedAnew() throws {
        let workspace = try workspace(
            halves + "\nlayer: l\nslots: [0%..<50%]\n", halves + "\nlayer: l\nslots: [0%..<50%]\n")
        for folder in ["old", "new"] {
            try workspace.write(
                "\(folder)/other.yaml", "status: running\nlayer: l\nslots: [50%..<100%]\nvariants: [{ key: a }]\n")
        }
        try workspace.write("old/layers.yaml", "l: {}\n")
        try workspace.write("new/layers.yaml", "l: { salt: l2 }\n")
        let result = try workspace.run("diff", "old", "new")
        #expect(
            result.text.contains(
                "carry-over: the slots of l are randomised anew, so units come in that have met the variants of other"))
    }

    @Test("A renamed experiment is reported as removed and added")
    func renamedExperiments() throws {
        let workspace = try workspace(halves + "\nsalt: s\n", nil)
        try workspace.write("new/knob.yaml", halves + "\nsalt: s\n")
        let result = try workspace.run("diff", "old", "new")
        #expect(
            result.text.contains("the salt is that of button, which is removed: the same units get the same buckets"))
    }

    @Test("Hostile names are escaped in Markdown")
    func hostileNamesInMarkdown() throws {
        let hostile = #"{"config_sections": {"Pa`ge": {"settings": {"A``|<b>\n@all": {"value": "x"}}}}}"#
        let workspace = try Workspace()
        for (folder, value) in [("old", "``` @team <script>|"), ("new", "y")] {
            try workspace.write("\(folder)/base.json", hostile)
            try workspace.write(
                "\(folder)/e.json",
                #"{"status": "running", "variants": [{"key": "a", "overrides": {"Pa`ge": {"A``|<b>\n@all": "#
                    + #""\#(value)"}}}], "forced": {"@octocat&amp;": "a"}}"#
            )
        }
        try workspace.write(
            "new/other.yaml", "status: running\nvariants: [{ key: a }]\nforced: { '@octocat&amp;<b>': a }\n")
        let result = try workspace.run("diff", "old", "new", "--markdown")
        #expect(
            result.text.contains(#"* ```Pa`ge.A``¦<b>\u{A}@all ```"#) || result.text.contains(#"``` Pa`ge.A``¦<b>"#))
        #expect(result.text.contains("```` \"``` @team <script>¦\" → \"y\" ````"))
        let outsideCode = result.text.split(separator: "\n").filter { !$0.contains("`") }.joined()
        #expect(!outsideCode.contains("@"))
        #expect(!outsideCode.contains("<b>"))
    }

    @Test("Combining marks hide no Markdown")
    func combiningMarksInMarkdown() throws {
        let mark = "\u{301}"
        let owner = "|\(mark)`\(mark)"
        let workspace = try workspace(halves, "owner: '\(owner)'\naudience: { '*\(mark)$x$': 1 }\n" + fifths)
        let text = try workspace.run("diff", "old", "new", "--markdown").text
        #expect(text.utf8.contains("* owner `` ¦\(mark)`\(mark) ``".utf8), "\(text)")
    }
}
