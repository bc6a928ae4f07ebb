import AllotDefinitions
import Testing

@testable import AllotProofs

/// Cases without a unit, which are proved.
struct EveryUnitTests {
    @Test(
        "A statement that holds for every unit is proved",
        arguments: [
            "attributes: { country: US }\nexpect: { button: none, inner: none }",
            "each: { country: [DE, FR, null, 7] }\nexpect: { button: [control, green, none] }",
            "exclusive: [button, steps]", "exclusive: [inner, outer]",
            "expect: { inner: { not: b } }\nattributes: { country: IT }",
            "attributes: { country: DE }\nshares: { button: { control: 22.5%, green: 22.5%, none: 55% } }",
            "attributes: { country: DE }\nshares: { inner: { a: 11.25%, b: 11.25% } }",
            "attributes: { country: DE }\nslot: { checkout: 0 }\nholdout: { all: false }\nexpect: { outer: none }",
            "at: 2026-12-02T00:00:00Z\nshares: { steps: { control: 1.125%, two: 3.375% } }",
            "at: 2026-12-05T00:00:00Z\nshares: { steps: { control: 11.25%, two: 33.75% } }",
            "bucket: { steps: { first: 50%..<100% } }\nfrom: 2026-01-01T00:00:00Z\nuntil: 2026-12-05T00:00:00Z\n"
                + "expect: { steps: none }", "attributes: { city: San Jose }\nshares: { over: { b: 90% } }",
            "attributes: { city: Paris }\nexpect: { over: { reason: [audience, holdout] } }",
            "attributes: { city: null }\nexpect: { over: none }",
            "attributes: { country: US }\nsettings: { Page.Color: blue }",
            "unit: any\nattributes: { country: DE }\nholdout: { all: false }\nslot: { checkout: 10 }\n"
                + "bucket: { button: 999999 }\nexpect: { button: green }\nsettings: { Page.Color: green }",
            "includes_forced: true\nexclusive: [button, steps]",
            "holdout: { all: true }\nexpect: { button: { reason: holdout }, outer: { reason: holdout } }\n"
                + "settings: { Page.Layout: { columns: 1, wide: false } }",
        ])
    func proved(_ body: String) throws {
        #expect(try Shop.lines(body) == [])
    }

    @Test("The command of an example without an ID has an empty one, before the attributes")
    func exampleWithoutID() throws {
        let banner = "status: running\nunit: none\naudience: { plan: { $ne: free } }\nvariants: [{ key: all }]\n"
        let files = Shop.files.merging(["banner.yaml": banner]) { $1 }
        let lines = try Shop.lines("expect: { banner: all }", in: files)
        #expect(lines.last == "    for example: allot explain '' plan=free --at 2026-11-21T12:00:00Z", "\(lines)")
    }

    @Test(
        "The command of an example names the folder, unless it is the usual one", arguments: ["my shop", "Experiments"])
    func folderOfExample(folder: String) throws {
        let text =
            "at: 2026-11-21T12:00:00Z\ncases:\n  - name: n\n    attributes: { country: DE }\n"
            + "    expect: { button: none }\n"
        let source = DefinitionSource(name: "t.yaml", bytes: Array(text.utf8))
        let lines = try DefinitionTests(Shop.load(), sources: [source], place: .folder(folder)).run().lines
        let option = folder == "my shop" ? " --definitions 'my shop'" : ""
        #expect(
            lines.contains(
                "    for example: allot explain unit-10 country=DE --at 2026-11-21T12:00:00Z" + option), "\(lines)")
    }

    @Test("A statement that fails for a unit is refuted, with such a unit of the engine")
    func refuted() throws {
        #expect(
            try Shop.lines("attributes: { country: DE }\nexpect: { button: none }") == [
                "t.yaml:5:15: failed: n: button is control (split), expected none",
                "    for example: allot explain unit-10 country=DE --at 2026-11-21T12:00:00Z",
            ])
        // Statements are about randomised units; forced ones come with includes_forced.
        #expect(
            try Shop.lines("attributes: { country: US }\nexpect: { button: none }\nincludes_forced: true") == [
                "t.yaml:5:15: failed: n: button is green (forced), expected none",
                "    for example: allot explain tester country=US --at 2026-11-21T12:00:00Z",
            ])
        let shares = try Shop.lines("shares: { button: { control: 22.5% } }")
        #expect(
            shares.first?.hasPrefix("t.yaml:4:25: failed: n: button assigns control to 0%, expected exactly 22.5%")
                ?? false)
        #expect(shares.last == "    for units with country missing")
        #expect(
            try Shop.lines("attributes: { country: DE }\nsettings: { Page.Color: blue }").first
                == "t.yaml:5:17: failed: n: Page.Color is \"green\", expected \"blue\"")
        let exclusive = try Shop.lines("attributes: { country: DE }\nexclusive: [button, over]")
        #expect(exclusive.first?.contains("button is control (split) and over is b (winner) for one unit") ?? false)
        #expect(exclusive.last?.contains("city=San") ?? false)
    }

    @Test("A statement without a proof or a refutation, or about no unit at all, is unproved and does not pass")
    func unproved() throws {
        // No candidate is a text with both, and none is proved not to exist.
        let odd = #"{ $and: [{ code: { $regex: "^[0-9]{3}-[a-z]+$" } }, { code: { $endsWith: "zz" } }] }"#
        let lines = try Shop.lines("expect: { more: none }", in: Self.shop(odd))
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("t.yaml:4:15: unproved: n: more is a (winner), expected none if") ?? false)
        #expect(lines.first?.hasSuffix("give it in attributes") ?? false)
        let vacuous = try Shop.lines("attributes: { user_id: u1 }\nslot: { checkout: 5 }\nexpect: { button: none }")
        #expect(vacuous.count == 1)
        #expect(vacuous.first?.contains("unproved: n: no unit has these attributes and buckets") ?? false)
    }

    @Test("Units that a condition names have their own buckets; they have no share")
    func namedUnits() throws {
        var files = Shop.files
        files["named.yaml"] = """
            status: running
            audience: { user_id: { $in: [anna, ben] } }
            variants: [{ key: a }]
            """
        #expect(try Shop.lines("shares: { named: { a: 0% } }", in: files) == [])
        let lines = try Shop.lines("expect: { named: none }", in: files)
        #expect(lines.last?.contains("allot explain anna") ?? lines.last?.contains("allot explain ben") ?? false)
        #expect(try Shop.lines("expect: { named: { reason: [audience, holdout, split] } }", in: files) == [])
    }

    @Test("Versions of the largest numbers are tried", arguments: ["9223372036854775807", "18446744073709551615"])
    func largeVersions(number: String) throws {
        let files = Self.shop("{ app: { $vgte: \"\(number).0.0\" } }")
        #expect(try Shop.lines("attributes: { app: 1.0.0 }\nexpect: { more: none }", in: files) == [])
        #expect(try Shop.lines("expect: { more: none }", in: files).contains { $0.contains("\(number).0.0") })
    }

    /// The shop with an experiment of all units in its audience, the only one that overrides the colour.
    private static func shop(_ audience: String, _ more: String = "", holdouts: String? = nil) -> [String: String] {
        var files = Shop.files
        files["more.yaml"] = """
            status: concluded
            winner: a
            audience: \(audience)
            \(more)
            variants: [{ key: a, overrides: { Page: { Color: red } } }, { key: b }]
            """
        files["button.yaml"] = files["button.yaml"]?.replacing(
            "overrides: { Page: { Color: green } }", with: "weight: 1")
        if let holdouts { files["holdouts.yaml"] = holdouts }
        return files
    }

    @Test(
        "A statement that fails for a rare unit does not pass",
        arguments: [
            ("{ n: { $type: number, $gt: 9e15 } }", "expect: { more: none }"),
            ("{ n: { $gt: 9007199254740989, $lt: 9007199254740991 } }", "expect: { more: none }"),
            ("{ flag: true }", "attributes: { flag: \"true\" }\nexpect: { more: none }"),
            ("{ user_id: tester }", "holdout: { all: 0%..<100% }\nexpect: { more: { not: a } }"),
            ("{ user_id: { $gt: 99999 } }", "expect: { more: { not: a } }"),
            ("{ a.b: 1 }", "attributes: { a: 5 }\nexpect: { more: none }"),
        ])
    func rareUnits(_ audience: String, _ body: String) throws {
        let lines = try Shop.lines(body, in: Self.shop(audience)).filter { !$0.contains("warning") }
        #expect(!lines.isEmpty, "\(audience)")
    }

    @Test("Units without the ID of a holdout or of an experiment are neither held out nor assigned")
    func withoutID() throws {
        let examples = [
            (
                Self.shop("{ $or: [] }", "unit: org_id", holdouts: "none: { share: 0% }"),
                failing: "settings: { Page.Color: red }", says: "Page.Color is \"blue\"",
                proved: "settings: { Page.Color: red }\nhas: [org_id]"
            ),
            (
                Self.shop(
                    "{ org_id: { $exists: false } }",
                    holdouts: "orgs: { share: 10%, unit: org_id, experiments: [more] }"),
                failing: "holdout: { orgs: false }\nexpect: { more: none }", says: "more is a (winner)",
                proved: "holdout: { orgs: true }\nexpect: { more: none }"
            ),
            (
                Self.shop("{ $or: [] }", holdouts: "orgs: { share: 100%, unit: org_id, experiments: [more] }"),
                failing: "expect: { more: none }", says: "more is a (winner)",
                proved: "has: [org_id]\nexpect: { more: none }"
            ),
        ]
        for (files, failing, says, proved) in examples {
            #expect(try Shop.lines(failing, in: files).first?.contains(says) == true, "\(failing)")
            #expect(try Shop.lines(proved, in: files) == [], "\(proved)")
        }
    }
}
