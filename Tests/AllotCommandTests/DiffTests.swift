import AllotConfiguration
import TestSupport
import Testing

@Suite(.blocks) struct DiffTests {
    /// Definitions before and after, in `old` and `new`: one experiment each, for all units, and files that both have.
    private func workspace(
        _ old: String, _ new: String?, base: String = "blue", both: [String: String] = [:]
    ) throws -> Workspace {
        let workspace = try Workspace([
            "old/base.json": Workspace.base(), "new/base.json": Workspace.base(base), "old/button.yaml": old,
        ])
        if let new { try workspace.write("new/button.yaml", new) }
        for (name, text) in both {
            for folder in ["old", "new"] { try workspace.write("\(folder)/\(name)", text) }
        }
        return workspace
    }

    private let halves = Workspace.button
    private let fifths = """
        status: running
        traffic: 50%
        variants:
          - key: control
          - { key: green, weight: 4, overrides: { Page: { Color: green } } }
        """
    private static let german = "\naudience: { country: DE }\n"
    private let countingUsers = ["diff", "old", "new", "--users", "users.csv"]

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
                "for example, a unit leaves with country missing",
            ]
        ),
        ("status: running\naudience: { country: DE }", "status: running", 0, ["the audience is wider"]),
        (
            "status: running\naudience: { country: DE }", "status: running\naudience: { country: FR }", 2,
            ["no unit is in both", "a unit leaves with country \"DE\"", "a unit enters with country \"FR\""]
        ),
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
        let json = try workspace(halves, "traffic: 12.3457%\n" + thirds).json("diff", "old", "new")
        let experiment = json["experiments"]?[0]
        #expect(json["moves_enrolled"] == true)
        #expect(experiment?["moves"]?.canonicalText == "0.020576207819")
        #expect(experiment?["leaves"]?.canonicalText == "0.876543")
        #expect(experiment?["transitions"]?[0]?["from"] == "green")
        #expect(experiment?["leaving_example"]?.text?.hasPrefix("user_id \"unit-") == true)
        #expect(experiment?["entering_example"] == .null)
    }

    @Test("The users of a file are counted")
    func usersAreCounted() throws {
        let workspace = try workspace(halves, fifths)
        try workspace.write("users.csv", "id\n" + (0..<1000).map { "user-\($0)\n" }.joined())
        let json = try workspace.json("diff", "old", "new", "--users", "users.csv", "--unit-column", "id")
        let other = try workspace.json(
            "diff", "old", "new", "--users", "users.csv", "--column", "user_id=id", "--threads", "1")
        #expect(other == json)
        let transitions = try #require(json["experiments"]?[0]?["transitions"])
        let counts = (0..<5).compactMap { transitions[$0]?["users"].flatMap { Int($0.canonicalText) } }
        #expect(counts.reduce(0, +) == 1000)
        // 15%, 25%, 25%, 25% and 10%, within 3.29 standard deviations.
        #expect(zip(counts, [150, 250, 250, 250, 100]).allSatisfy { abs($0 - $1) < 46 })
    }

    @Test("A unit of several rows counts once, with its first row, in each form of the report")
    func repeatedUsers() throws {
        let forced = "\nforced: { f: green }\n"
        let workspace = try workspace(halves + forced, halves + Self.german + forced)
        try workspace.write("users.csv", "user_id,country\na,DE\nb,DE\na,FR\n\"b\",DE\nNULL,FR\n,FR\nf,DE\nf,DE\n")
        let arguments = countingUsers + ["--null", "NULL"]
        let text = try workspace.run(arguments)
        // The second row of a, and those without an ID, would leave.
        text.expectText("1 forced unit is not counted here")
        let counted = "Counted on 3 units. 3 rows repeat a unit ID"
        #expect(
            text.text.hasSuffix(
                "\(counted); each unit counts once, with its first row. 2 rows have no valid unit ID.\n"))
        #expect(text.text.contains(" units  stays") || text.text.contains(" unit  stays"))
        try workspace.run(arguments + ["--format", "markdown"]).expectText("| change | share | units | kind |", counted)
        let json = try JSONValue(parsing: workspace.run(arguments + ["--json"]).output)
        #expect(json["users"] == 3)
        #expect(json["repeats"] == 3)
        #expect(json["without_unit"] == 2)
    }

    /// Users that prove nothing do not make it safe.
    @Test(
        "Units that a changed audience no longer admits are counted in a file of users that has its attributes",
        arguments: [
            ("", "DE", "user_id,country\na,DE\nb,DE\n", 0, nil),
            ("", "DE", "user_id,country\na,DE\nb,FR\n", 2, "→ none"),
            (german, "FR", "user_id\na\n", 2, nil), (german, "FR", "user_id,country\n", 2, nil),
        ] as [(String, String, String, Int32, String?)])
    func audiences(old: String, country: String, csv: String, status: Int32, text: String?) throws {
        let new = Self.german.replacingOccurrences(of: "DE", with: country)
        let workspace = try workspace(halves + old, halves + new)
        try workspace.write("users.csv", csv)
        let result = try workspace.run(countingUsers)
        #expect(result.status == status)
        if let text { #expect(result.text.contains(text)) }
    }

    @Test("Removed experiments and changes of the base are reported")
    func removedExperimentsAndTheBase() throws {
        try workspace(halves, nil, base: "red").run("diff", "old", "new").expectText(
            "the experiment is removed", #"Page.Color: "green" → "red" for 50% (green → none)"#,
            #"Page.Color: "blue" → "red", for all units to which no variant gives another value"#, status: 2)
    }

    @Test("Slots that belonged to another experiment are reported as carry-over")
    func slotsThatOthersHeld() throws {
        let layered = halves + "\nlayer: checkout\nslots: [0%..<40%]\n"
        let workspace = try workspace(
            layered, layered.replacingOccurrences(of: "running", with: "concluded"),
            both: ["layers.yaml": "checkout: {}\n"])
        try workspace.write(
            "new/text.yaml", "status: running\nlayer: checkout\nslots: [20%..<60%]\nvariants: [{ key: a }]\n")
        let text = try workspace.run("diff", "old", "new").text
        #expect(text.contains("carry-over: 50% of its slots belonged to button"))
        #expect(text.contains("status running → concluded"))
    }

    @Test("Wrong input is an error")
    func badInput() throws {
        let workspace = try workspace(halves, "status: runing\nvariants: [{ key: a }]\n")
        try workspace.run("diff", "old", "new").expectErrors("new/button.yaml:1:9: error: unknown status")
        try workspace.run("diff", "old", "nowhere").expectErrors(
            start: "allot: nowhere is neither a folder nor a revision of Git; ")
        #expect(Program.answer(["diff"]).status == 64)
        try workspace.run("diff", "old").expectFailure(
            "cannot read the definitions folder Experiments: No such file or directory; check its name")
        try workspace.write("new/button.yaml", halves)
        try workspace.write("users.csv", "user_id,country\na\n")
        try workspace.run(countingUsers).expectErrors("users.csv:2:")
    }

    /// Another experiment may look at anything.
    @Test("A column that an experiment does not look at leaves its counts conclusive")
    func columnsOfOtherExperiments() throws {
        let other = "status: running\naudience: { plan: PLAN }\nvariants: [{ key: a }, { key: b }]\n"
        let workspace = try workspace(halves, halves + Self.german, both: ["other.yaml": other])
        try workspace.write("users.csv", "user_id,country\na,DE\nb,DE\n")
        try workspace.run(countingUsers).expectText("no longer admits leave (counted above)")
        // Where it does look at it, the users tell nothing, and are not asked for again.
        try workspace.write("new/other.yaml", other.replacingOccurrences(of: "PLAN", with: "FREE"))
        let result = try workspace.run(countingUsers)
        result.expectText(
            "(not counted, as the users have no column for plan)", without: ["on a file of users"], status: 2)
        #expect(result.text.hasPrefix("2 of 2 experiments changed; enrolled units would move in other."))
        #expect(result.text.components(separatedBy: "\nother\n").last?.contains("2 units  ") == false)
        #expect(
            result.text.hasSuffix(
                "Counted on 2 units; no column for plan, and experiments that look at one without a column are not "
                    + "counted.\n"))
        let experiments = try JSONValue(parsing: workspace.run(countingUsers + ["--json"]).output)["experiments"]
        #expect(experiments?[0]?["missing_columns"] == [])
        #expect(experiments?[1]?["missing_columns"] == ["plan"])
        #expect(experiments?[0]?["transitions"]?[0]?["users"] != nil)
        #expect(experiments?[1]?["transitions"]?[0]?["users"] == nil)
    }

    /// Nothing is compared any more, so the exit status stays 0.
    @Test("Units that lose a winner to a forced experiment are reported")
    func winnersLostToForcedExperiments() throws {
        let concluded =
            halves.replacingOccurrences(of: "running", with: "concluded\nwinner: green")
            + "\nlayer: l\nslots: [0%..<50%]\n"
        let next = "status: draft\nlayer: l\nslots: [50%..<100%]\nvariants: [{ key: a }]\n"
        let workspace = try workspace(concluded, concluded, both: ["layers.yaml": "l: {}\n", "next.yaml": next])
        try workspace.write("new/next.yaml", next + "forced: { u1: a }\n")
        try workspace.run("diff", "old", "new").expectText(
            "the unit \"u1\" had the winner green and is now forced into another experiment")
        try workspace.write("users.csv", "user_id\nu1\nu2\n")
        try workspace.run(countingUsers).expectText("green → none")
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
        #expect(try workspace.run(countingUsers).text.contains("1 unit  stays"))
    }

    /// A unit that another experiment of the layer now forces leaves this one.
    @Test("Units that a forced experiment displaces are reported")
    func unitsDisplacedByForcedOnes() throws {
        let layered = halves + "\nlayer: l\nslots: [10%..<100%]\n"
        let draft = "status: draft\nlayer: l\nslots: [0%..<10%]\nvariants: [{ key: a }]\n"
        let workspace = try workspace(layered, layered, both: ["layers.yaml": "l: {}\n", "next.yaml": draft])
        #expect(try workspace.run("diff", "old", "new").status == 0)
        // Some of them have slots of the experiment.
        try workspace.write("new/next.yaml", draft + "forced: { u1: a, u2: a, u3: a, u4: a }\n")
        try workspace.run("diff", "old", "new").expectText("and is now forced into another experiment", status: 2)
    }

    @Test("A new salt of a layer is reported")
    func layersRandomisedAnew() throws {
        let layered = halves + "\nlayer: l\nslots: [0%..<50%]\n"
        let other = "status: running\nlayer: l\nslots: [50%..<100%]\nvariants: [{ key: a }]\n"
        let workspace = try workspace(layered, layered, both: ["layers.yaml": "l: {}\n", "other.yaml": other])
        try workspace.write("new/layers.yaml", "l: { salt: l2 }\n")
        #expect(
            try workspace.run("diff", "old", "new").text.contains(
                "carry-over: the slots of l are randomised anew, so units come in that have met the variants of other"))
    }

    @Test("An experiment before its first window has given its units nothing to carry over")
    func slotsBeforeTheFirstWindow() throws {
        let layered = halves + "\nlayer: l\nslots: [0%..<50%]\n"
        let other =
            "status: running\nlayer: l\nslots: [50%..<100%]\nperiod: { every: 1h, from: 2099-01-01T00:00Z }\n"
            + "variants: [{ key: a }]\n"
        let workspace = try workspace(layered, layered, both: ["layers.yaml": "l: {}\n", "other.yaml": other])
        try workspace.write("new/layers.yaml", "l: { salt: l2 }\n")
        #expect(try !workspace.run("diff", "old", "new").text.contains("the variants of other"))
    }

    @Test("A renamed experiment is reported as removed and added")
    func renamedExperiments() throws {
        let workspace = try workspace(halves + "\nsalt: s\n", nil)
        try workspace.write("new/knob.yaml", halves + "\nsalt: s\n")
        #expect(
            try workspace.run("diff", "old", "new").text.contains(
                "the salt is that of button, which is removed: the same units get the same buckets"))
    }

    @Test("Hostile names are escaped in Markdown")
    func hostileNamesInMarkdown() throws {
        let workspace = try Workspace()
        for (folder, value) in [("old", "``` @team <script>|"), ("new", "y")] {
            try workspace.write(
                "\(folder)/base.json",
                #"{"config_sections": {"Pa`ge": {"settings": {"A``|<b>\n@all": {"value": "x"}}}}}"#)
            try workspace.write(
                "\(folder)/e.json",
                #"{"status": "running", "variants": [{"key": "a", "overrides": {"Pa`ge": {"A``|<b>\n@all": "#
                    + #""\#(value)"}}}], "forced": {"@octocat&amp;": "a"}}"#)
        }
        try workspace.write(
            "new/other.yaml", "status: running\nvariants: [{ key: a }]\nforced: { '@octocat&amp;<b>': a }\n")
        let text = try workspace.run("diff", "old", "new", "--format", "markdown").text
        #expect(
            text.contains(#"* Pa\`ge.A\`\`\|\<b\>\\n&#64;all: "\`\`\` &#64;team \<script\>\|" → "y""#), "\(text)")
        for part in ["@", "<b>", "<script>"] { #expect(!text.contains(part), "\(text)") }
    }

    @Test("Combining marks hide no Markdown")
    func combiningMarksInMarkdown() throws {
        let mark = "\u{301}"
        let owner = "|\(mark)`\(mark)"
        let workspace = try workspace(halves, "owner: '\(owner)'\naudience: { '*\(mark)$x$': 1 }\n" + fifths)
        let text = try workspace.run("diff", "old", "new", "--format", "markdown").text
        #expect(text.utf8.contains("`button`: \\|\(mark)\\`\(mark)".utf8), "\(text)")
    }
}
