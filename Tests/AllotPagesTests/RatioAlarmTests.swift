import AllotAnalysis
import AllotCore
import AllotDefinitions
import AllotExposures
import AllotPages
import TestSupport
import Testing

/// Alarms of ratios on pages that people look at every day, over all experiments together.
struct RatioAlarmTests {
    /// The first day of exposures.
    private static let first = 20_760

    /// Experiments of two equal variants.
    private static func plan(_ count: Int) throws -> Plan {
        try plan((0..<count).map { ("e\(100 + $0)", "status: running\nvariants: [{ key: a }, { key: b }]") })
    }

    private static func plan(_ experiments: [(String, String)]) throws -> Plan {
        let base = [("base", "config_sections: { Shop: { settings: { Steps: { value: 3 } } } }")]
        return try Catalog(files: Dictionary(uniqueKeysWithValues: base + experiments)).plan
    }

    /// The units of each day, of the variants a and b.
    private typealias Days = [[Int]]

    /// Days of 192 units each, every one in either variant with the same probability.
    private static func healthyDays(using generator: inout SeededGenerator) -> Days {
        (0..<14).map { _ in
            let units = (0..<3).reduce(0) { sum, _ in sum + generator.next().nonzeroBitCount }
            return [units, 192 - units]
        }
    }

    private static func totals(_ plan: Plan, _ days: [Days], through count: Int) -> [ExposureTotal] {
        zip(plan.experiments, days).flatMap { experiment, days in
            ["a", "b"].enumerated().map { variant, key in
                let units = days.prefix(count).reduce(0) { $0 + $1[variant] }
                return ExposureTotal(experiment.key, key, units, of: experiment.revision)
            }
        }
    }

    private static func history(_ experiment: Plan.Experiment, _ days: Days) -> ExposureHistory {
        let groups = ["a", "b"].enumerated().map { variant, key -> (ExposureCounts.Group, [ExposureHistory.Day]) in
            let group = ExposureCounts.Group(
                variant: key, revision: experiment.revision, reason: "split", isOverridden: false,
                units: days.reduce(0) { $0 + $1[variant] }, earliest: 0, latest: 0)
            return (group, days.enumerated().map { ExposureHistory.Day(day: first + $0, units: $1[variant]) })
        }
        return ExposureHistory(groups: groups.map { (group: $0, days: $1) }, unitsInSeveralVariants: 0)
    }

    /// The summary of the last day, for which the days of all experiments are read.
    private static func summary(_ plan: Plan, _ days: [Days]) -> ExposureSummary {
        let histories = zip(plan.experiments, days).map { ($0.key, history($0, $1)) }
        return ExposureSummary(
            totals(plan, days, through: .max), of: plan,
            histories: Dictionary(histories) { first, _ in first })
    }

    /// A look at totals alone, as at those of very many units, can come to another result than one at days.
    @Test("160 healthy experiments alarm in at most 5% of runs, with a look on each of 14 days")
    func healthyExperiments() throws {
        let plan = try Self.plan(160)
        let runs = 20
        let alarms = (0..<runs).count { run in
            var generator = SeededGenerator(seed: run)
            let days = plan.experiments.map { _ in Self.healthyDays(using: &generator) }
            // A mismatch that an earlier look at the days found stays found.
            if !Self.summary(plan, days).mismatches.isEmpty { return true }
            return (1...14).contains { count in
                !ExposureSummary(Self.totals(plan, days, through: count), of: plan).mismatches.isEmpty
            }
        }
        #expect(alarms * 20 <= runs, "\(alarms) alarms")
    }

    @Test("A broken experiment is found among 159 healthy ones, and is the only one")
    func brokenExperiment() throws {
        let plan = try Self.plan(160)
        var generator = SeededGenerator(seed: 7)
        var days = plan.experiments.map { _ in Self.healthyDays(using: &generator) }
        days[83] = Array(repeating: [108, 84], count: 14)
        #expect(Self.summary(plan, days).mismatches == [plan.experiments[83].key])
    }

    /// The always-valid test has p = 5e-4.
    @Test(
        "The overview and the page of an experiment have one level for all experiments together",
        arguments: [(1, true, false), (8, false, true), (160, false, false)])
    func level(count: Int, isMismatch: Bool, isUnusual: Bool) throws {
        let plan = try Self.plan(count)
        #expect(plan.ratioLevel == RatioTest.threshold / Double(count))
        var days = plan.experiments.map { _ in [[96, 96]] }
        days[0] = [[1620, 1380]]
        let key = plan.experiments[0].key
        #expect(Self.summary(plan, days).mismatches == (isMismatch ? [key] : []))
        let catalog = Catalog(plan, at: Catalog.now)
        let entry = try #require(catalog.experiment(key))
        let exposures = ExperimentExposures(
            entry.experiment, salt: key, Self.history(entry.experiment, days[0]), level: plan.ratioLevel)
        #expect(exposures.isMismatch == isMismatch)
        let ratio = try #require(exposures.main?.ratio)
        #expect(ratio.isUnusual == isUnusual)
        #expect(ratio.sentence.contains("the ratio is unusual") == isUnusual)
        let frame = catalog.frame(root: "../")
        let page = ExperimentPage.make(entry, .read(exposures, others: []), in: frame).html(in: frame)
        #expect(page.contains("verdict bad") == isMismatch)
        #expect(page.contains(isMismatch ? "(threshold 0.001)" : ": 0.001 for \(count) tests together)"))
        #expect(page.contains(#"<path class="band" d="M"#))
    }

    /// The usual test of these units has p = 9e-4, which some of 160 experiments have by chance.
    @Test("A ratio that is unusual in a single look does not alarm, even of the only experiment")
    func singleLook() throws {
        let plan = try Self.plan(1)
        #expect(Self.summary(plan, [[[283, 368]]]).mismatches.isEmpty)
    }

    @Test("Experiments without a ratio, and drafts, take no part of the level")
    func countedExperiments() throws {
        let plan = try Self.plan([
            ("one", "status: running\nvariants: [{ key: a }]"),
            ("none", "status: running\nunit: none\nvariants: [{ key: a }]"),
            ("two", "status: running\nvariants: [{ key: a }, { key: b }]"),
            ("idle", "status: running\nvariants: [{ key: a }, { key: b, weight: 0 }]"),
            ("draft", "status: draft\nvariants: [{ key: a }, { key: b }]"),
            ("held", "status: paused\nvariants: [{ key: a }, { key: b }]"),
            ("over", "status: concluded\nwinner: a\nvariants: [{ key: a }, { key: b }]"),
        ])
        // Not the draft, so that an alarm stays when one is added.
        #expect(plan.ratioLevel == RatioTest.threshold / 3)
    }
}
