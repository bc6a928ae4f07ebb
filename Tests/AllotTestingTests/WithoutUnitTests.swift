import Testing

@testable import AllotTesting

/// Cases on experiments with `unit: none`.
@Suite struct WithoutUnitTests {
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

    @Test("What everyone in an audience gets is proved, and refuted")
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

    @Test("A bucket cannot be pinned where nothing is drawn")
    func pins() throws {
        let text = """
            at: 2026-12-02T00:00:00Z
            cases:
              - name: n
                bucket: { euro: 5 }
                expect: { euro: red }
            """
        #expect(
            try Shop.problems(text, in: Self.files) == [
                "t.yaml:4:21: error: euro draws nothing (unit: none), so there is no bucket; remove this "
                    + "(cases[0].bucket.euro)"
            ])
    }

    @Test("Coverage and mutants leave out what only a draw has")
    func mutants() throws {
        let definitions = try Shop.load(Self.files).definitions
        let words = MutantFactory(definitions).mutants.filter { $0.name == "euro" }.map(\.words)
        #expect(
            words == [
                "starts a second earlier", "starts a second later", "audience: negated: country is \"DE\"",
            ])
        let plan = try Shop.load(Self.files).plan
        let index = try #require(plan.index(of: "euro"))
        #expect(
            [.everyone, .notStarted].allSatisfy { plan.canGive($0, index) }
                && ![.split, .traffic, .unallocated, .noUnit, .slot, .holdout].contains { plan.canGive($0, index) })
    }
}
