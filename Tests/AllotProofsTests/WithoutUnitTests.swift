import Testing

@testable import AllotProofs

/// Cases on experiments with `unit: none`.
struct WithoutUnitTests {
    private static let files = [
        "base.yaml": "config_sections: { Page: { settings: { Color: { value: blue } } } }",
        "euro.yaml": """
        status: running
        unit: none
        starts: 2026-12-01T00:00:00Z
        audience: { country: DE }
        variants: [{ key: red, overrides: { Page: { Color: red } } }]
        """,
        "split.yaml": """
        status: running
        requires: { euro: none }
        variants: [{ key: a }, { key: b, overrides: { Page: { Color: green } } }]
        """,
    ]

    @Test("A subject without an ID is a case of its own")
    func oneSubject() throws {
        let body = """
            unit: none
            at: 2026-12-02T00:00:00Z
            attributes: { country: DE }
            expect: { euro: { variant: red, reason: everyone }, split: { reason: no-unit } }
            settings: { Page.Color: red }
            """
        #expect(try Shop.lines(body, in: Self.files) == [])
        let failing = try Shop.lines(body.replacing("DE", with: "FR"), in: Self.files)
        #expect(failing.filter { $0.contains(": failed: ") }.count == 2)
    }

    @Test("Claims about everyone in an audience are proved, and refuted")
    func everyUnit() throws {
        let proved = """
            at: 2026-12-02T00:00:00Z
            attributes: { country: DE }
            expect: { euro: red, split: { reason: requirement } }
            shares: { euro: { red: 100% } }
            exclusive: [euro, split]
            settings: { Page.Color: red }
            """
        #expect(try Shop.lines(proved, in: Self.files) == [])
        let refuted = "at: 2026-12-02T00:00:00Z\nattributes: { country: FR }\nexpect: { euro: red }"
        #expect(try Shop.lines(refuted, in: Self.files).first?.contains("euro is " + "none (audience)") == true)
    }

    @Test("Two experiments without a unit meet for subjects without an ID, whatever else a claim names")
    func exclusive() throws {
        var files = [
            "base.yaml": "config_sections: { Page: { settings: { Color: { value: blue }, Size: { value: 1 } } } }",
            "all.yaml": "{ status: running, variants: [{ key: a }] }",
        ]
        for key in ["euro", "dollar"] {
            files["\(key).yaml"] = "{ status: running, unit: none, requires: { all: none }, variants: [{ key: a }] }"
        }
        for claim in ["[euro, dollar]", "[euro, dollar, all]"] {
            #expect(try Shop.lines("exclusive: \(claim)", in: files).first?.contains("for one unit") == true)
        }
        #expect(try Shop.lines("exclusive: [euro, all]", in: files) == [])
    }

    @Test("Settings are proved for subjects without an ID too; shares are those of the units that are required")
    func subjectsWithoutID() throws {
        let files = [
            "base.yaml": "config_sections: { Page: { settings: { Color: { value: blue } } } }",
            "split.yaml": "{ status: running, variants: [{ key: a }, { key: b }] }",
            "euro.yaml": """
            status: running
            unit: none
            requires: { split: none }
            variants: [{ key: red, overrides: { Page: { Color: red } } }]
            """, "part.yaml": "{ status: running, unit: none, requires: { split: [b] }, variants: [{ key: red }] }",
        ]
        #expect(try Shop.lines("settings: { Page.Color: blue }", in: files).first?.contains("is \"red\"") == true)
        #expect(try Shop.lines("has: [user_id]\nsettings: { Page.Color: blue }", in: files) == [])
        #expect(try Shop.lines("shares: { part: { red: 50% } }", in: files) == [])
    }

    @Test("In a list of units none is a subject without an ID, and the ID of that text is written with its attribute")
    func listed() throws {
        let listed = """
            at: 2026-12-02T00:00:00Z
            each: { unit: [none, u] }
            attributes: { country: FR }
            expect: { split: { reason: no-unit } }
            """
        let lines = try Shop.lines(listed, in: Self.files).filter { $0.contains(": failed: ") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("unit=u") == true)
        let named = "unit: { user_id: none }\nat: 2026-12-02T00:00:00Z\nexpect: { split: { reason: split } }"
        #expect(try Shop.lines(named, in: Self.files) == [])
    }

    @Test("A bucket cannot be pinned where no unit is randomised")
    func pins() throws {
        let text = Shop.file("at: 2026-12-02T00:00:00Z\nbucket: { euro: 5 }\nexpect: { euro: red }")
        #expect(
            try Shop.problems(text, in: Self.files) == [
                "t.yaml:4:21: error: euro is not randomised (unit: none), so there is no bucket; remove this "
                    + "(cases[0].bucket.euro)"
            ])
    }

    @Test("Coverage and mutants leave out what only a draw has")
    func mutants() throws {
        let definitions = try Shop.load(Self.files).definitions
        let words = MutantFactory(definitions).mutants.filter { $0.name == "euro" }.map(\.words)
        #expect(words == ["starts a second earlier", "starts a second later", "audience: negated: country is \"DE\""])
        let plan = try Shop.load(Self.files).plan
        let index = try #require(plan.index(of: "euro"))
        let reasons = plan.reasons(of: index)
        #expect(reasons.isSuperset(of: [.everyone, .notStarted, .audience]))
        #expect(reasons.isDisjoint(with: [.split, .traffic, .unallocated, .noUnit, .slot, .holdout]))
    }
}
