import Testing

@testable import AllotProofs

/// Cases that name a unit.
struct UnitCaseTests {
    @Test("A case for one unit compares decisions, reasons and settings with those of the engine")
    func oneUnit() throws {
        let passing = """
            unit: tester
            attributes: { country: DE }
            expect: { button: { variant: green, reason: forced }, steps: { reason: [displaced, slot] }, inner: [a, b] }
            settings: { Page.Color: green }
            """
        #expect(try Shop.lines(passing) == [])
        let failing = """
            unit: tester
            expect: { button: control, outer: { not: none } }
            settings: { Page.Color: blue }
            """
        #expect(
            try Shop.lines(failing) == [
                "t.yaml:5:15: failed: n: button is green (forced), expected control",
                "    tester gets green in button, because the definition forces it (a tester, not randomised).",
                "t.yaml:5:32: failed: n: outer is " + "none (requirement), expected not none",
                "    tester gets no variant of outer: the experiment takes only units without a variant of "
                    + "button, and this unit has green.",
                "t.yaml:6:17: failed: n: Page.Color is \"green\", expected \"blue\"",
                "    tester gets green in button, because the definition forces it (a tester, not randomised).",
            ])
    }

    @Test("Attributes that a case does not give are missing")
    func missing() throws {
        #expect(try Shop.lines("unit: u1\nexpect: { button: { reason: [audience, holdout, slot] } }") == [])
        #expect(
            try Shop.lines("unit: { device_id: d }\nexpect: { button: { reason: no-unit } }") == [
                "t.yaml:4:24: warning: no experiment reads the attribute \"device_id\", so it changes nothing; "
                    + "remove it (cases[0].unit.device_id)"
            ])
    }

    @Test("each is the product of its values, and says which of them fails")
    func product() throws {
        let body = """
            each: { unit: [tester, tester], country: [DE, 5], at: [2026-11-21T12:00:00Z, 2027-01-01T00:00:00Z] }
            expect: { button: control }
            """
        let result = try #require(try Shop.tests(Shop.file(body)).run().cases.first)
        #expect(result.checks == 8)
        #expect(result.findings.first?.circumstances == "unit=tester country=DE at=2026-11-21T12:00:00Z")
        #expect(result.findings.last?.circumstances == "unit=tester country=5 at=2027-01-01T00:00:00Z")
    }

    @Test("A period has an instant for each boundary in it")
    func period() throws {
        let body = """
            unit: u1
            from: 2026-11-30T00:00:00Z
            until: 2026-12-05T00:00:00Z
            expect: { steps: { not: none } }
            """
        #expect(try Shop.tests(Shop.file(body)).run().cases.first?.checks == 2)
    }
}
