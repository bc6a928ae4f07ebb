import AllotConfiguration
import AllotCore
import Testing

@testable import AllotAnalysis

/// The ratio of experiments with a period, whose units count once in each window.
struct UnitWindowTests {
    private static let start: Int64 = 1_793_491_200

    /// An experiment of lines of cities that are randomised anew in each hour.
    private static func plan(_ more: String = "", balanced: Bool = false) throws -> Plan {
        let end = balanced ? ", balanced: true" : ""
        return try Plan.of([
            "x.yaml": """
            status: running
            unit: [city, line]
            period: { every: 1h, from: 2026-11-01T00:00Z\(end) }
            variants: [{ key: a }, { key: b }]
            \(more)
            """
        ])
    }

    private struct Row {
        let city: String
        let line: String
        var variant: String
        var second: Int64

        var unit: String { CompositeUnit.join([city, line]) }
        var at: String { Instant(seconds: UnitWindowTests.start + second).description }
        var window: Int64 { second / 3600 }
    }

    /// Each line in each hour, and again within the hour, with the variant that the engine gives it.
    private static func rows(_ plan: Plan, hours: Int64) -> [Row] {
        (0..<hours).flatMap { hour in
            (0..<20).flatMap { number -> [Row] in
                let (city, line) = (["berlin", "a|b"][number % 2], "U\(number)")
                let subject = Subject(attributes: ["city": .string(city), "line": .string(line)])
                return [Int64(60), 1800].compactMap { offset -> Row? in
                    let second = hour * 3600 + offset + Int64(number)
                    let found = plan.assignments(for: subject, at: Instant(seconds: start + second))[0]
                    return found.variant.map { Row(city: city, line: line, variant: $0, second: second) }
                }
            }
        }
    }

    private static func joined(_ rows: [Row]) -> String {
        "unit,variant,at\n" + rows.map { "\($0.unit),\($0.variant),\($0.at)\n" }.joined()
    }

    private static func expectation(_ plan: Plan) -> SampleRatioAnalysis.Expectation {
        .plan(plan, at: Instant(seconds: start + 10_000_000))
    }

    private static func ratio(
        _ csv: String, _ expectation: SampleRatioAnalysis.Expectation,
        _ configure: (inout SampleRatioAnalysis) -> Void = { _ in }
    ) throws -> SampleRatioResults {
        try sampleRatio(csv, expectation) { analysis in
            analysis.experiments = ["x"]
            configure(&analysis)
        }
    }

    @Test("A unit counts once in each window, and may have another variant in another window")
    func unitWindows() throws {
        let plan = try Self.plan()
        let rows = Self.rows(plan, hours: 50)
        let results = try Self.ratio(Self.joined(rows), Self.expectation(plan))
        let report = try #require(results.reports.first)
        #expect(report.unitCount == 1000)
        #expect(report.rows.repeats == 1000)
        #expect(report.hasWindows && !report.isBalanced)
        #expect(report.multipleExposures.unitCount == 0)
        #expect(results.alarms.isEmpty, "\(results.firstLine)")
        #expect(results.text.contains("2000 rows, 1000 unit-windows"))
        #expect(results.text.contains("a unit counts once in each window"))
        #expect(results.json.prettyText.contains(#""in_windows": true"#))
    }

    @Test("Parts of a unit in columns of their own give the counts of joined IDs")
    func partsInColumns() throws {
        let plan = try Self.plan("audience: { city: { $in: [berlin, \"a|b\"] } }")
        let rows = Self.rows(plan, hours: 20)
        let parts =
            "city,line,variant,at\n"
            + rows.map { "\($0.city),\($0.line),\($0.variant),\($0.at)\n" }.joined()
        let report = try #require(Self.ratio(parts, Self.expectation(plan)).reports.first)
        #expect(report.unitCount == 400)
        let joined = try Self.ratio(Self.joined(rows), Self.expectation(plan))
        #expect(report.counts == joined.reports.first?.counts)
        #expect(report.attribution?.wrong.unitCount == 0)
        // The whole decision is repeated, its audience included.
        #expect(report.attribution?.basis == .decision)
    }

    @Test("A unit in several variants within a window is reported with the window")
    func severalVariants() throws {
        let plan = try Self.plan()
        var rows = Self.rows(plan, hours: 20)
        for index in rows.indices.filter({ $0 % 20 == 1 }) {
            rows[index].variant = rows[index].variant == "a" ? "b" : "a"
        }
        let results = try Self.ratio(Self.joined(rows), Self.expectation(plan))
        #expect(results.alarms.contains("several-variants"))
        #expect(results.reports.first?.multipleExposures.unitCount == 40)
        #expect(results.text.contains("berlin|U0@0"), "\(results.text)")
    }

    @Test("Variants of the window before are wrong variants")
    func lateWindows() throws {
        let plan = try Self.plan()
        let rows = Self.rows(plan, hours: 40).map { row in
            var row = row
            row.second += 3600
            return row
        }
        #expect(try Self.ratio(Self.joined(rows), Self.expectation(plan)).alarms.contains("wrong-variants"))
    }

    /// An exposure can be reported after its window; at the fixed instant none of its windows is open.
    @Test("The window that a row names goes before the one of its time", arguments: [true, false])
    func namedWindows(isFixed: Bool) throws {
        let plan = try Self.plan()
        let rows = Self.rows(plan, hours: 20)
        let csv =
            "unit,variant,at,window\n"
            + rows.map { row in
                var late = row
                late.second += 5000
                return "\(row.unit),\(row.variant),\(late.at),\(row.window)\n"
            }.joined()
        let instant = Instant(seconds: Self.start + 10_000_000)
        let results = try Self.ratio(csv, .plan(plan, at: instant, isFixed: isFixed))
        #expect(results.reports.first?.unitCount == 400)
        #expect(results.alarms.isEmpty, "\(results.firstLine)")
        let given = try sampleRatio(csv, shares: "a=1,b=1")
        #expect(given.reports.first?.unitCount == 400)
        #expect(given.reports.first?.hasWindows == true)
    }

    @Test("A row without a window and without a time says no unit-window and is left out")
    func withoutWindows() throws {
        let plan = try Self.plan()
        let rows = Self.rows(plan, hours: 20)
        let csv =
            "unit,variant,at\n"
            + rows.enumerated().map { "\($1.unit),\($1.variant),\($0 < 10 ? "" : $1.at)\n" }.joined()
        let results = try Self.ratio(csv, Self.expectation(plan))
        #expect(results.reports.first?.rows.withoutWindow == 10)
        #expect(results.text.contains("10 rows without a window or a time: left out"))
    }

    @Test("A file without times and windows is of the window at the instant")
    func oneWindow() throws {
        let plan = try Self.plan()
        let rows = Self.rows(plan, hours: 30).filter { $0.window == 29 }
        let csv = "unit,variant\n" + rows.map { "\($0.unit),\($0.variant)\n" }.joined()
        let results = try Self.ratio(csv, .plan(plan, at: Instant(seconds: Self.start + 29 * 3600 + 600)))
        #expect(results.reports.first?.unitCount == 20)
        #expect(results.reports.first?.attribution?.wrong.unitCount == 0)
    }

    @Test("An ID that is not of the unit's parts is of no unit, after a row whose attributes are the same")
    func foreignID() throws {
        let plan = try Self.plan("audience: { plan: pro }")
        var decision = RepeatedDecision(plan, experiment: 0, attributes: [])
        let instant = Instant(seconds: Self.start)
        let reasons = ["berlin|U1", "berlin", "bonn|U22", "a|b|c"].map { unit in
            unit.withBytes { decision.begin($0) }
            return #"{"plan":"pro"}"#.withBytes { decision.decide(json: $0, at: instant) }
        }
        #expect(reasons == [.split, .noUnit, .split, .noUnit])
    }

    @Test("Both windows of a balanced pair have a unit's two variants, and the report says what that does to the test")
    func balancedPairs() throws {
        let plan = try Self.plan(balanced: true)
        let results = try Self.ratio(Self.joined(Self.rows(plan, hours: 40)), Self.expectation(plan))
        #expect(results.reports.first?.counts == [400, 400])
        #expect(results.alarms.isEmpty, "\(results.firstLine)")
        #expect(results.text.contains("windows are balanced in pairs"))
    }
}
