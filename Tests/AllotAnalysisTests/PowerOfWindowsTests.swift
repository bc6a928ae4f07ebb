import AllotConfiguration
import AllotCore
import AllotFiles
import AllotReports
import TestSupport
import Testing

@testable import AllotAnalysis

/// Plans of experiments with a period and their replays, against numpy, scipy and hashlib.
struct PowerOfWindowsTests {
    private static let start = Instant(seconds: 1_793_491_200)

    /// Values that Python makes as well: `x = (x * 1103515245 + 12345) % 2**31; (x >> 8) % 1000`.
    private static func numbers(_ seed: Int) -> [Int] {
        var state = seed
        return (0..<6000).map { _ in
            state = (state * 1_103_515_245 + 12_345) % (1 << 31)
            return (state >> 8) % 1000
        }
    }

    /// A row every seven minutes from 2026-11-01T00:00Z, of five units in turn; the level of an hour lasts, and
    /// afternoons are busier.
    private static func file(header: String = "user_id", unit: (Int) -> String = { "c\($0)" }) -> String {
        let (noise, seats) = (numbers(1), numbers(3))
        let rows = noise.indices.map { row in
            let hour = row * 420 / 3600
            let value = noise[row] + hour * 37 % 200 + (hour % 24 >= 12 ? 200 : 0)
            let at = start.adding(seconds: Int64(row * 420))
            return "\(unit(row % 5)),\(at),\(value),\(seats[row] % 9 + 1)\n"
        }
        return "\(header),at,fare,seats\n" + rows.joined()
    }

    /// The experiment `x`, in windows of an hour from some hours after the first row.
    private static func plan(from hours: Int64 = 0, isBalanced: Bool = false, unit: String = "user_id") -> Plan {
        var experiment = ExperimentDefinition.sample("x")
        experiment.variants = [
            VariantDefinition(key: "a", buckets: [0..<500_000], overrides: [:]),
            VariantDefinition(key: "b", buckets: [500_000..<1_000_000], overrides: [:]),
        ]
        experiment.draw?.unit = unit
        experiment.draw?.period = Period(
            every: 3600, from: start.adding(seconds: hours * 3600), isBalanced: isBalanced)
        return Plan(Definitions([experiment]))
    }

    private static func answer(
        _ plan: Plan, ratio: String? = nil, washout: String? = nil, file: String = file(),
        _ change: (inout PowerDataQuestion) -> Void = { _ in }
    ) throws -> PowerFromData {
        let folder = try TemporaryFolder(["trips.csv": file])
        var question = PowerDataQuestion(
            plan, experiment: 0, at: start, metrics: [PowerDataQuestion.Metric("fare", ratio: ratio)])
        question.atColumn = "at"
        question.washout = washout.flatMap { TimeSpan($0) }
        change(&question)
        return try question.answer(from: InputFile(path: folder.path("trips.csv")))
    }

    private static func isClose(_ actual: Double?, _ expected: Double, within relative: Double = 1e-7) -> Bool {
        actual.map { abs($0 - expected) <= abs(expected) * relative } ?? false
    }

    private static func member(_ name: String, of answer: PowerFromData) -> JSONValue? {
        guard case .object(let object) = answer.json else { return nil }
        return object[name]
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let hours: Int64
        let isBalanced: Bool
        let ratio: String?
        let washout: String?
        /// Rows that count, rows in the washout, windows, and pairs.
        let counts: [Int]
        /// By week the windows until then.
        let weeks: [Double]
        /// Ratio, variance, correlation within pairs (or 0), smallest change in the last and the first week, power and
        /// tau squared.
        let numbers: [Double]
        let salts: Int
        let found: [Int]

        var testDescription: String { "from \(hours), \(isBalanced ? "pairs" : "windows"), \(ratio ?? "rows")" }
    }

    /// With `y`, `d` the sums of the values and sizes of a window, `R = y.sum() / d.sum()` and `z = y - R * d`:
    ///
    ///     var = z.var(ddof=1) / d.mean()**2
    ///     rho = 1 - sum((z[even] - z[odd])**2) / pairs / (2 * z.var(ddof=1))
    ///     v = var * (1 + f - 2 * rho * sqrt(f)) / pairs, df = pairs - 1        f = (1 + change / R)**2
    ///     v = var / (windows / 2) * (1 + f), df = Satterthwaite's               without pairs
    ///     nct.sf(c, df, change / sqrt(v)) + nct.cdf(-c, df, change / sqrt(v))   c = t.isf(0.025, df)
    ///
    /// The replay has the arms of `hashlib.sha256(f"x.replay.{k}:{unit}@{n}".encode())`, where *n* is counted from the
    /// pair of the first row if that is before the period, and the even number of a pair; the paired t-test with
    /// `e = (yt - rt * dt) / dt.mean() - (yc - rc * dc) / dc.mean()`, or Welch's.
    @Test(
        "Windows and pairs are planned and replayed as Python does",
        arguments: [
            Case(
                hours: 0, isBalanced: false, ratio: nil, washout: "10m", counts: [5000, 1000, 3500, 0],
                weeks: [840, 1680, 2520, 3360, 3500],
                numbers: [
                    697.2758, 72364.60361458153, 0, 25.484823822911533, 52.0660899212504, 0.7854986021043483,
                    679.1495013796257,
                ], salts: 100, found: [9, 1, 83, 51]),
            Case(
                hours: 721, isBalanced: false, ratio: "seats", washout: nil, counts: [6000, 0, 3500, 0],
                weeks: [840, 1680, 2520, 3360, 3500],
                numbers: [
                    139.7942289023533, 5623.559372059927, 0, 7.1043473030777164, 14.51434736548154,
                    0.7797525899116068, 52.777702809715116,
                ], salts: 60, found: [0, 0, 52, 27]),
            Case(
                hours: 721, isBalanced: true, ratio: nil, washout: "10m", counts: [4986, 1000, 3490, 1745],
                weeks: [840, 1680, 2520, 3360, 3490],
                numbers: [
                    697.797833935018, 72372.4040916888, 0.09752017960846171, 24.25297980327231, 49.52179035848424,
                    0.7861922637773391, 614.7411924510997,
                ], salts: 100, found: [6, 1, 79, 40]),
            Case(
                hours: -3, isBalanced: true, ratio: "seats", washout: nil, counts: [5983, 0, 3490, 1745],
                weeks: [840, 1680, 2520, 3360, 3490],
                numbers: [
                    139.91701077651325, 5634.218178458535, 0.047324650592291295, 6.952630507575033,
                    14.19647042256133, 0.7801856339109888, 50.51965830213379,
                ], salts: 60, found: [3, 1, 47, 27]),
        ])
    func windows(_ planned: Case) async throws {
        var answer = try Self.answer(
            Self.plan(from: planned.hours, isBalanced: planned.isBalanced), ratio: planned.ratio,
            washout: planned.washout)
        let data = answer.data
        #expect(
            [data.unitCount, data.washedOutCount ?? -1, data.clusterCount ?? -1, data.pairs?.count ?? 0]
                == planned.counts)
        #expect(answer.weeks.map { $0.sizes.reduce(0, +).rounded() } == planned.weeks)
        let metric = data.metrics[0]
        let last = answer.weeks.last?.findings?[0]
        let numbers: [Double?] = [
            metric.ratio, metric.variance, metric.pairCorrelation ?? 0, last?.fixed,
            answer.weeks.first?.findings?[0].fixed, last?.power.fixed, answer.mixtures[0].variance,
        ]
        for (number, expected) in zip(numbers, planned.numbers) {
            #expect(Self.isClose(number, expected), "\(String(describing: number)) is not \(expected)")
        }
        await answer.replay(salts: planned.salts, taskCount: 2)
        #expect(answer.replay?.rates.map(\.count) == planned.found)
        #expect(answer.replay?.disagrees == false)
    }

    @Test("The report says how windows are analysed and what is left out, and JSON has the counts")
    func report() throws {
        let plan = Self.plan(from: 721, isBalanced: true)
        let answer = try Self.answer(plan, washout: "10m")
        let text = TextRenderer().lines(answer.report).joined(separator: "\n")
        for part in [
            "anew every 1h from 2026-12-01T01:00Z, balanced", "4,986 rows in 3,490 windows of 1,745 pairs",
            "the two-sided paired t-test", "1,000 rows left out in the washout, the first 10m of each window.",
            "10 windows left out without a row in the other window of the pair.",
            "The correlation of the two windows of a pair is 0.09752.",
        ] {
            #expect(text.contains(part), "\(part) is not in:\n\(text)")
        }
        #expect(answer.data.notes.contains { $0.hasPrefix("The two windows of a pair are randomised together") })
        #expect(answer.data.notes.contains { $0.hasPrefix("Serial correlation between pairs is not in the formula") })
        let period: JSONValue = [
            "balanced": .boolean(true), "every": "1h", "pairs": .int(1745), "rows_washed_out": .int(1000),
            "washout": "10m",
        ]
        #expect(Self.member("period", of: answer) == period)
    }

    @Test("A unit of several attributes has the windows of its joined ID")
    func joinedUnits() async throws {
        let parts = Self.file(header: "city,line") { "c|,\($0)" }
        let joined = Self.file { "c\\||\($0)" }
        var first = try Self.answer(Self.plan(unit: "city|line"), file: parts)
        var second = try Self.answer(Self.plan(), file: joined)
        await first.replay(salts: 20, taskCount: 1)
        await second.replay(salts: 20, taskCount: 1)
        #expect(Self.member("metrics", of: first) == Self.member("metrics", of: second))
        #expect(Self.member("replay", of: first) == Self.member("replay", of: second))
        #expect(first.data.clusterCount == 3500)
        let error = #expect(throws: AnalysisError.self) {
            try Self.answer(Self.plan(unit: "city|line"), file: parts) { $0.unitColumn = "line" }
        }
        #expect(error?.description.contains("has a column for each of them") == true)
    }

    @Test("Questions that windows do not answer are refused with the reason")
    func refusals() {
        func expect(_ message: String, _ plan: Plan = Self.plan(), _ change: (inout PowerDataQuestion) -> Void) {
            let error = #expect(throws: AnalysisError.self) { try Self.answer(plan, change) }
            #expect(error?.description.contains(message) == true, "\(String(describing: error))")
        }
        expect("name the column of instants") { $0.atColumn = nil }
        expect("each window of a unit is a cluster") { $0.cluster = "seats" }
        expect("the washout of 1h leaves nothing of windows of 1h") { $0.washout = TimeSpan("1h") }
        expect("x has no period", Plan(Definitions([.sample("x")]))) { $0.washout = TimeSpan("1m") }
    }

    @Test("A balanced period refuses the time before, which cancels out in pairs")
    func before() {
        let metric = PowerDataQuestion.Metric("fare", before: "seats")
        var question = PowerDataQuestion(
            Self.plan(isBalanced: true), experiment: 0, at: Self.start, metrics: [metric])
        question.atColumn = "at"
        let error = #expect(throws: AnalysisError.self) { try question.check() }
        #expect(error?.description.contains("\"seats\" cancels out") == true)
    }
}
