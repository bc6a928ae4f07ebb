import AllotCore
import AllotDefinitions
import Testing

struct RevisionTests {
    private static let files =
        Files.base + [
            "layers.yaml": "main: {}\n", "holdouts.yaml": "h: { share: 2% }\n",
            "segments.yaml": "europe: { country: { $in: [DE, FR] } }\nstaff: [user-1, user-2]\n",
            "color.yaml": """
            status: running
            layer: main
            slots: [0%..<50%]
            starts: 2026-01-01T01:00:00+01:00
            audience: { $and: [{ $segment: europe }, { user_id: { $notInGroup: staff } }, { age: { $gte: 18 } }] }
            variants:
              - key: control
              - key: blue
                overrides: { Shop: { Color: blue } }
            forced: { user-7: blue, user-8: control }
            """,
            "size.yaml": """
            status: running
            requires: { color: [blue] }
            variants:
              - key: control
              - key: large
                overrides: { Shop: { Size: 20 } }
            """,
            "layout.yaml": "status: draft\nvariants: [{ key: a, overrides: { Shop: { Layout: { columns: 2 } } } }]\n",
        ]

    /// The revisions of the plan and of the experiments color, layout and size.
    private static func revisions(_ files: Files) throws -> [String] {
        let plan = try DefinitionsLoader.fixed.plan(of: files)
        return [plan.revision] + plan.experiments.map(\.revision)
    }

    /// The files with one text replaced, which must be there.
    private static func replacing(_ old: String, with new: String, in name: String) throws -> Files {
        var files = files
        let text = try #require(files[name])
        try #require(text.contains(old))
        files[name] = text.replacing(old, with: new)
        return files
    }

    @Test("The order in which an audience's attributes and operators are written does not change a revision")
    func orderOfAnAudienceKeepsRevisions() throws {
        let conditions = [
            "{ platform: { $in: [ios] }, app_version: { $vgte: 3.2, $vlt: 4.0 }, $segment: europe }",
            "{ $segment: europe, app_version: { $vlt: 4.0, $vgte: 3.2 }, platform: { $in: [ios] } }",
        ]
        let revisions = try conditions.map { condition in
            try Self.revisions(Self.replacing("{ age: { $gte: 18 } }", with: condition, in: "color.yaml"))
        }
        #expect(revisions[0] == revisions[1])
    }

    @Test(
        "A change without effect on behaviour keeps the revision",
        arguments: [
            ("color.yaml", "status: running", "# A comment\nstatus: \"running\""),
            ("color.yaml", "status: running", "description: Is blue better?\nowner: ann\nstatus: running"),
            ("color.yaml", "status: running", "status: running\nunit: user_id\nsalt: color\ntraffic: 100%"),
            ("color.yaml", "- key: control", "- { key: control, weight: 1, description: As it is, overrides: {} }"),
            ("color.yaml", "slots: [0%..<50%]", "slots: [250000..<500000, 0..<250000]"),
            ("color.yaml", "2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00.000Z"),
            ("color.yaml", "$segment: europe", "country: { $in: [DE, FR] }"),
            ("color.yaml", "$segment: europe", "country: { $in: [FR, DE, FR] }"),
            ("color.yaml", "{ $gte: 18 }", "{ $gte: 18.0 }"),
            ("color.yaml", "user-7: blue, user-8: control", "user-8: control, user-7: blue"),
            ("size.yaml", "- key: control", "- key: control\n    weight: 1"),
            ("layers.yaml", "{}", "{ description: The main layer, salt: main, unit: user_id }"),
            ("layers.yaml", "main: {}", "main:"),
            ("holdouts.yaml", "share: 2%", "share: 2.00%, salt: h, unit: user_id, description: All of it"),
            ("segments.yaml", "staff: [user-1, user-2]", "staff: [user-2, user-1]\nunused: { country: US }"),
            ("base.yaml", "{ value: red }", "{ value: red, type: string, enum: [red, blue], description: The colour }"),
            ("base.yaml", "m: 90", "m: 90, title: Size, unit: cm, control: list, choices: [{ value: 10, label: X }]"),
        ])
    func whatChangesNoBehaviour(name: String, old: String, new: String) throws {
        #expect(try Self.revisions(Self.replacing(old, with: new, in: name)) == Self.revisions(Self.files))
    }

    @Test(
        "Proportional weights, and buckets that equal them, have the same revision",
        arguments: [
            ("weight: 1", "weight: 1"), ("weight: 50", "weight: 50"), ("weight: 0.5", "weight: 5e-1"),
            ("weight: 1000000", "weight: 1e6"), ("buckets: [0%..<50%]", "buckets: [500000..<1000000]"),
        ])
    func equalShares(one: String, other: String) throws {
        let files = try Self.replacing(
            "- key: control\n  - key: blue", with: "- { key: control, \(one) }\n  - key: blue\n    \(other)",
            in: "color.yaml")
        #expect(try Self.revisions(files) == Self.revisions(Self.files))
    }

    @Test("The order of keys does not change the revision")
    func theOrderOfKeys() throws {
        var files = Self.files
        let lines = try #require(files["size.yaml"]).split(separator: "\n")
        files["size.yaml"] = (lines[1...] + lines[..<1]).joined(separator: "\n")
        #expect(try Self.revisions(files) == Self.revisions(Self.files))
    }

    @Test("JSON and YAML with the same content have the same revision")
    func jsonInsteadOfYAML() throws {
        var files = Self.files
        files["size.yaml"] = nil
        files["size.json"] = """
            {"variants": [{"key": "control"}, {"overrides": {"Shop": {"Size": 20}}, "key": "large"}],
             "requires": {"color": ["blue"]}, "status": "running"}
            """
        files["layers.yaml"] = nil
        files["layers.yml"] = "{\"main\": {}}"
        #expect(try Self.revisions(files) == Self.revisions(Self.files))
    }

    @Test("The order of sources does not change the revision")
    func theOrderOfSources() throws {
        let sources = Self.files.sources
        for start in sources.indices {
            let rotated = Array(sources[start...] + sources[..<start])
            let plan = try DefinitionsLoader.fixed.load(rotated).plan
            #expect(try [plan.revision] + plan.experiments.map(\.revision) == Self.revisions(Self.files))
        }
    }

    @Test("The clock and the folder's name do not change the revision")
    func theClockAndTheFoldersName() throws {
        let later = DefinitionsLoader(now: Instant(seconds: 2_000_000_000))
        let plan = try later.load(Self.files.sources, folder: "elsewhere").plan
        #expect(try [plan.revision] + plan.experiments.map(\.revision) == Self.revisions(Self.files))
    }

    /// What changes, and whether it changes the experiments color, layout and size.
    @Test(
        "A change of behaviour changes the revision",
        arguments: [
            ("color.yaml", "status: running", "status: running\ntraffic: 99.9999%", [true, false, true]),
            ("color.yaml", "status: running", "status: running\nsalt: color.2", [true, false, true]),
            ("color.yaml", "status: running", "status: paused", [true, false, true]),
            ("color.yaml", "status: running", "status: concluded\nwinner: blue", [true, false, true]),
            ("color.yaml", "status: running", "status: running\nends: 2027-01-01T00:00:00Z", [true, false, true]),
            ("color.yaml", "layer", "traffic: [{ from: 2027-01-01T00:00Z, share: 5% }]\nlayer", [true, false, true]),
            ("color.yaml", "0%..<50%", "0%..<50.0001%", [true, false, true]),
            ("color.yaml", "2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00.000000001Z", [true, false, true]),
            ("color.yaml", "age: { $gte: 18 }", "age: { $gt: 18 }", [true, false, true]),
            ("color.yaml", "age: { $gte: 18 }", "age: { $gte: \"18\" }", [true, false, true]),
            ("color.yaml", "Color: blue", "Color: navy", [true, false, false]),
            ("color.yaml", "user-7: blue", "user-7: control", [true, false, true]),
            ("color.yaml", "- key: control", "- { key: control, weight: 1.00001 }", [true, false, true]),
            ("size.yaml", "Size: 20", "Size: 21", [false, false, true]),
            ("size.yaml", "[blue]", "[blue, control]", [false, false, true]),
            ("size.yaml", "[blue]", "none", [false, false, true]),
            ("size.yaml", "requires: { color: [blue] }", "", [false, false, true]),
            ("size.yaml", "key: large", "key: larger", [false, false, true]),
            ("size.yaml", "status: running", "status: running\nunit: org_id", [false, false, true]),
            ("layout.yaml", "columns: 2", "columns: 3", [false, true, false]),
            ("layout.yaml", "status: draft", "status: draft\nunit: none", [false, true, false]),
            ("layers.yaml", "{}", "{ salt: main.2 }", [true, false, true]),
            ("layers.yaml", "{}", "{ unit: org_id }", [true, false, true]),
            ("holdouts.yaml", "2%", "2.0001%", [true, true, true]),
            ("holdouts.yaml", "2%", "2%, salt: h.2", [true, true, true]),
            ("holdouts.yaml", "2%", "2%, experiments: [layout]", [true, false, true]),
            ("segments.yaml", "[DE, FR]", "[DE, FR, IT]", [true, false, true]),
            ("segments.yaml", "user-2", "user-3", [true, false, true]),
            ("base.yaml", "{ value: red }", "{ value: green }", [false, false, false]),
        ])
    func whatChangesBehaviour(name: String, old: String, new: String, changed: [Bool]) throws {
        let before = try Self.revisions(Self.files)
        let after = try Self.revisions(Self.replacing(old, with: new, in: name))
        #expect(zip(before, after).map { $0 != $1 } == [true] + changed)
    }

    @Test("The forced units of a rival change the revision")
    func aRivalsForcedUnits() throws {
        // Both set Shop.Color, in disjoint slots; units that one forces are displaced from the other.
        var files = Self.files
        files["pink.yaml"] = experiment("layer: main\nslots: [50%..<100%]")
        let before = try Self.revisions(files)
        files["pink.yaml"] = experiment("layer: main\nslots: [50%..<100%]\nforced: { user-9: b }")
        let after = try Self.revisions(files)
        // The plan, color, layout, pink and size, which requires color.
        #expect(zip(before, after).map { $0 != $1 } == [true, true, false, true, true])
    }
}
