import AllotDefinitions
import TestSupport
import Testing

@testable import AllotProofs

struct TestTextTests {
    private let golden = GoldenFiles()

    private func check(_ name: String, _ lines: [String]) throws {
        try golden.expect(lines.joined(separator: "\n") + "\n", in: "test-\(name).txt")
    }

    private static let start = "at: 2026-11-21T12:00:00Z\ncases:\n"

    /// A passing case, two that a unit refutes, and one about no unit.
    private static let cases =
        start + """
              - name: the split
                attributes: { country: DE }
                shares: { button: { control: 22.5%, green: 22.5% } }
              - name: no unit in Germany
                attributes: { country: DE }
                expect: { button: none }
              - name: forced
                unit: tester
                each: { country: [DE, FR, AT, US, CA] }
                expect: { button: control }
              - name: no unit
                attributes: { user_id: u1 }
                slot: { checkout: 5 }
                expect: { button: none }

            """

    @Test("The report on cases has the same text, also for GitHub and as JUnit's XML")
    func forms() throws {
        let report = try Shop.tests(Self.cases).run()
        try check("cases", report.lines)
        try check("cases-github", report.annotations)
        try check("cases-junit", report.junit)
        try check("cases-json", [report.json.prettyText])
    }

    @Test("The report on cases that pass has the same text")
    func passed() throws {
        let text = Self.start + "  - { name: n, unit: tester, expect: { button: green } }"
        try check("passed", Shop.tests(text).run().lines)
    }

    @Test("The report with coverage and with changed definitions has the same text")
    func gaps() throws {
        let tests = try Shop.tests(Self.cases)
        try check("coverage", tests.run(reportsCoverage: true).lines)
        let report = tests.run(reportsCoverage: true, mutates: true)
        try check("mutants", report.lines)
        try check("mutants-github", report.annotations)
    }
}
