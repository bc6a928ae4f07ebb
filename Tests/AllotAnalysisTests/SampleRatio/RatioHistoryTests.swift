import AllotStatistics
import Testing

@testable import AllotAnalysis

struct RatioHistoryTests {
    /// The history of days on which units are in a ratio.
    private func history(
        _ units: [Int], count: Int, weights: [UInt64] = [1, 1], later: [(day: Int, units: [Int])] = [],
        unknown: [String] = [], threshold: Double = RatioTest.threshold
    ) throws -> RatioHistory {
        RatioHistory(
            try VariantShares(weights.enumerated().map { ("v\($0)", $1) }),
            days: (0..<count).map { (20_000 + 2 * $0, units) } + later, unknown: unknown, threshold: threshold)
    }

    @Test("Totals add up from day to day, and the last day has the tests of all units")
    func totals() throws {
        let history = try history([50, 49], count: 10)
        #expect(history.days.last?.totals == [500, 490])
        #expect(history.days.map(\.totals)[4] == [250, 245])
        #expect(history.days.last?.fixed == RatioTest(counts: [500, 490], shares: [1, 1])?.pValue)
        var test = try SequentialRatioTest(shares: [1, 1])
        for _ in 0..<10 { test.observe(counts: [50, 49]) }
        #expect(history.days.last?.sequential == test.pValue)
        #expect(!history.isMismatch)
        #expect(history.crossing == nil)
        #expect(history.statistic == "chi-square 0.10, 1 degree of freedom, p = 0.7506")
        #expect(history.sentence.hasPrefix("no sign of a sample ratio mismatch (p = 1.0000): a share off by"))
    }

    /// One of a thousand healthy experiments has such units on any one day.
    @Test("Units that are unlikely on a single day are no mismatch; the deviation that is found is the larger one")
    func singleDay() throws {
        let history = try history([283, 368], count: 1)
        #expect(try #require(history.test).pValue < PValue(0.001))
        #expect(!history.isMismatch)
        #expect(!history.isUnusual)
        #expect(history.crossing == nil)
        #expect(history.sentence.hasPrefix("no sign of a sample ratio mismatch (p = 0.0"))
        let fixed = try #require(history.test).sensitivityText(threshold: 0.001)
        #expect(!history.sentence.hasSuffix(fixed))
        #expect(history.sentence.contains(" percentage points is found with a"))
    }

    @Test(
        "A level that several tests share is named with their number",
        arguments: [
            (1, "0.001"), (7, "0.00014: 0.001 for 7 tests together"),
            (150, "0.0000067: 0.001 for 150 tests together"),
        ])
    func sharedLevel(count: Int, text: String) throws {
        let history = try history([80, 20], count: 3, threshold: 0.001 / Double(count))
        #expect(history.thresholdText == text)
        #expect(try #require(history.finding).hasSuffix(", valid on every day (threshold \(text))"))
        #expect(history.isMismatch)
    }

    @Test("A wrong ratio is found, with the day on which the always-valid test found it")
    func mismatch() throws {
        let history = try history([60, 40], count: 10)
        #expect(history.isMismatch)
        #expect(history.sentence.hasPrefix("SAMPLE RATIO MISMATCH (p = "))
        let crossing = try #require(history.crossing)
        let before = try #require(history.days.last { $0.day < crossing })
        let found = try #require(history.days.first { $0.day == crossing })
        #expect(before.evidence.sequential < history.thresholdEvidence)
        #expect(found.evidence.sequential > history.thresholdEvidence)
    }

    /// The ratio was wrong in the beginning, and others made up for it later.
    @Test("The always-valid test keeps what it has found")
    func crossingStays() throws {
        let later = [(day: 30_000, units: [20, 80]), (day: 30_001, units: [20, 80])]
        let history = try history([80, 20], count: 2, later: later)
        #expect(history.test?.pValue == PValue(1))
        #expect(history.crossing == 20_000)
        #expect(history.sentence.contains("valid on every day, though all units together have p = 1.0000"))
    }

    @Test("Units of a variant without a share, and of an unknown one, are a mismatch")
    func impossibleVariants() throws {
        #expect(try !history([5, 5, 0], count: 1, weights: [1, 1, 0]).isMismatch)
        let found = try history([5, 5, 1], count: 1, weights: [1, 1, 0], unknown: ["other"])
        #expect(found.impossible == ["v2", "other"])
        #expect(found.isMismatch)
        #expect(found.sentence.contains(#"units in a variant that has no share: "v2", "other""#))
    }

    @Test("Without units there is nothing to test")
    func nothing() throws {
        let history = try history([], count: 0)
        #expect(history.days.isEmpty)
        #expect(history.test == nil)
        #expect(!history.isMismatch)
        #expect(history.sentence == "no unit to test yet")
    }
}
