import AllotConfiguration
import AllotCore
import AllotFiles
import AllotReports
import TestSupport
import Testing

@testable import AllotAnalysis

/// Plans from data and their replays, against scipy and against an independent replay with Python's hashlib.
struct PowerFromDataTests {
    private static let count = 1000

    /// Values that Python makes as well: `x = (x * 1103515245 + 12345) % 2**31; (x >> 8) % 1000`.
    private static func numbers(_ seed: Int) -> [Int] {
        var state = seed
        return (0..<count).map { _ in
            state = (state * 1_103_515_245 + 12_345) % (1 << 31)
            return (state >> 8) % 1000
        }
    }

    /// 500 units in the first week, 300 in the second and 200 in the third.
    private static let file: String = {
        let (revenue, noise, sessions) = (numbers(1), numbers(2), numbers(3))
        let rows = (0..<count).map { unit in
            let day = unit < 500 ? "01" : unit < 800 ? "08" : "15"
            let before = (revenue[unit] * 7 + noise[unit] * 3) / 10
            return "u\(unit),2026-11-\(day)T00:00:00Z,\(revenue[unit]),\(before),\(sessions[unit] % 9 + 1),"
                + "a\(unit * unit % 97),\(revenue[unit] % 2 == 0),7,\n"
        }
        return "user_id,at,revenue,before,sessions,account,even,constant,empty\n" + rows.joined()
    }()

    /// The experiment `x` with equal shares, unless they are given.
    private static func plan(_ shares: [Int] = [1, 1], _ change: (inout ExperimentDefinition) -> Void = { _ in })
        -> Plan
    {
        var experiment = ExperimentDefinition.sample("x")
        let sum = shares.reduce(0, +)
        var start = 0
        experiment.variants = shares.enumerated().map { index, share in
            let end = start + share * Bucketing.bucketCount / sum
            defer { start = end }
            return VariantDefinition(key: ["a", "b", "c", "d"][index], buckets: [start..<end], overrides: [:])
        }
        change(&experiment)
        return Plan(Definitions([experiment]))
    }

    private static func answer(
        _ metrics: [PowerDataQuestion.Metric], of plan: Plan = plan(), file: String = file,
        _ change: (inout PowerDataQuestion) throws -> Void = { _ in }
    ) throws -> PowerFromData {
        let folder = try TemporaryFolder(["users.csv": file])
        var question = PowerDataQuestion(plan, experiment: 0, at: Instant(seconds: 1_793_491_200), metrics: metrics)
        question.atColumn = "at"
        try change(&question)
        return try question.answer(from: InputFile(path: folder.path("users.csv")))
    }

    private static func isClose(_ actual: Double?, _ expected: Double, within relative: Double = 1e-8) -> Bool {
        actual.map { abs($0 - expected) <= abs(expected) * relative } ?? false
    }

    /// With numpy and scipy: mean, `var(z, ddof=1) / d.mean()**2`, `corrcoef(z, before)`, the smallest effect of
    /// Welch's test with the noncentral t in the last and the first week, that of the mixture, and its τ².
    @Test(
        "Variance, correlation and smallest effects are those of scipy",
        arguments: [
            (
                PowerDataQuestion.Metric("revenue"),
                [
                    500.318, 82640.6234994995, 0, 50.98569745632136, 72.17454022604255, 70.48454037048575,
                    2714.568643229188,
                ]
            ),
            (
                PowerDataQuestion.Metric("revenue", before: "before"),
                [
                    500.318, 82640.6234994995, 0.9161461304674523, 20.437333507101275, 28.930763388791227,
                    28.25333633771369, 436.1667578181793,
                ]
            ),
            (
                PowerDataQuestion.Metric("revenue", ratio: "sessions"),
                [
                    103.49979313198179, 6863.550726707212, 0, 14.69352498922989, 20.799919650134168, 20.312880022389702,
                    225.4530374404199,
                ]
            ),
        ] as [(PowerDataQuestion.Metric, [Double])])
    func effects(metric: PowerDataQuestion.Metric, expected: [Double]) throws {
        let answer = try Self.answer([metric])
        let planned = answer.data.metrics[0]
        #expect(Self.isClose(planned.ratio, expected[0]))
        #expect(Self.isClose(planned.variance, expected[1]))
        #expect(Self.isClose(planned.correlation ?? 0, expected[2]))
        #expect(answer.weeks.map { $0.sizes.reduce(0, +).rounded() } == [500, 800, 1000])
        #expect(Self.isClose(answer.weeks.last?.findings?[0].fixed, expected[3]))
        #expect(Self.isClose(answer.weeks.first?.findings?[0].fixed, expected[4]))
        #expect(Self.isClose(answer.weeks.last?.findings?[0].sequential, expected[5]))
        #expect(Self.isClose(answer.mixtures[0].variance, expected[6]))
        if metric.before != nil {
            #expect(Self.isClose(answer.weeks.last?.findings?[0].unadjusted, 50.98569745632136))
        }
    }

    @Test("Clusters are analysed by the delta method of their real sizes, and their design effect is said")
    func clusters() throws {
        let answer = try Self.answer([.init("revenue")]) { $0.cluster = "account" }
        #expect(answer.data.count == 49)
        #expect(answer.data.largestCluster == 21)
        #expect(answer.data.notes == ["x randomises by \"user_id\"; this plan randomises by \"account\"."])
        #expect(Self.isClose(answer.data.metrics[0].variance, 4392.692608946443))
        #expect(Self.isClose(answer.data.metrics[0].designEffect, 1.0847786977094316))
        #expect(Self.isClose(answer.data.metrics[0].skewness, 0.3483854159995508))
        let single = try Self.answer([.init("revenue")]) { $0.cluster = "user_id" }
        #expect(single.data.notes == ["Every cluster has one unit, so that the clusters change nothing."])
    }

    @Test("An instant far from the others is an error, as it would make hundreds of weeks")
    func strayInstant() throws {
        let error = #expect(throws: AnalysisError.self) {
            _ = try Self.answer([.init("revenue")], file: Self.file + "z,9999-12-31T00:00:00Z,1,1,1,a1,true,7,\n")
        }
        #expect(error?.description.contains("arrive from 2026-11-01 to 9999-12-31, and a plan has at most 520") == true)
    }

    @Test("Two clusters may have a unit of one ID, and each has its own values")
    func sharedIDs() throws {
        let rows = (0..<90).map { "a\($0 / 9),u\($0 % 3),\($0)\n" }
        let answer = try Self.answer([.init("revenue")], file: "account,user_id,revenue\n" + rows.joined()) {
            ($0.atColumn, $0.cluster) = (nil, "account")
        }
        #expect(answer.data.clusterCount == 10)
        #expect(answer.data.unitCount == 30)
        #expect(Self.isClose(answer.data.metrics[0].ratio, 133.5))
        // By account 81 a + 36 for three units, so that numpy.var(sums, ddof=1) / 9 has 81² · 55 / 6 / 9.
        #expect(Self.isClose(answer.data.metrics[0].variance, 6682.5))
    }

    /// Counts of a replay in Python: `hashlib.sha256(f"x.replay.{k}:u{i}".encode())`, Welch's test by scipy, and CUPED
    /// and the delta method by numpy.
    @Test(
        "A replay counts what an independent one counts",
        arguments: [
            (PowerDataQuestion.Metric("revenue"), 300, [14, 3, 219, 116], 0.7588610455616648),
            (PowerDataQuestion.Metric("revenue", before: "before"), 300, [16, 3, 239, 119], 0.7837711595869054),
            (PowerDataQuestion.Metric("revenue", ratio: "sessions"), 100, [4, 0, 76, 24], 0.7422087246826611),
        ] as [(PowerDataQuestion.Metric, Int, [Int], Double)])
    func replay(metric: PowerDataQuestion.Metric, salts: Int, counts: [Int], power: Double) async throws {
        var answer = try Self.answer([metric])
        await answer.replay(salts: salts, taskCount: 2)
        let replay = try #require(answer.replay)
        #expect(replay.rates.map(\.count) == counts)
        #expect(Self.isClose(replay.rates[2].formula, power))
        #expect(replay.pValues[0].count == salts)
        #expect(!replay.disagrees)
        #expect(replay.rates[0].interval.contains(0.05))
        #expect(replay.confidence == 1 - 0.01 / 4)
        let report = answer.report
        #expect(report.isGood)
        var again = try Self.answer([metric])
        await again.replay(salts: salts, taskCount: 1)
        #expect(again.replay?.rates.map(\.count) == counts)
        #expect(again.json == answer.json)
    }

    /// `beta.ppf([0.00125, 1 - 0.00125], [k, k + 1], [301 - k, 300 - k])` by scipy for counts `k` of 300.
    @Test("The rates of a replay share an error of one percent")
    func intervals() async throws {
        var answer = try Self.answer([.init("revenue")])
        await answer.replay(salts: 300, taskCount: 2)
        let expected = [
            (0.017973369847276256, 0.09564726795415422), (0.0006888447819077643, 0.04190715389058424),
            (0.6464190648083115, 0.8035401500900887), (0.3031931944209384, 0.4750765703984483),
        ]
        for (rate, interval) in zip(try #require(answer.replay).rates, expected) {
            #expect(Self.isClose(rate.interval.lowerBound, interval.0))
            #expect(Self.isClose(rate.interval.upperBound, interval.1))
        }
        #expect(
            TextRenderer().lines(answer.report).contains {
                $0.contains("All 4 intervals together") && $0.contains("99% or more") && $0.contains("for 99.75%")
            })
    }

    @Test("A page has plots of changes and of power by week")
    func plots() throws {
        let report = try Self.answer([.init("revenue", before: "before")]).report
        let page = HTMLRenderer().page(report)
        for title in ["The smallest change of revenue by week", "The power of revenue by week"] {
            #expect(page.contains("<title>\(title)</title>"))
        }
        #expect(
            TextRenderer().lines(report).first?.hasPrefix(
                "Smallest change found with a probability of 80% after 3 weeks: 20.44 (4.08%)") == true)
        let one = try Self.answer([.init("revenue")]) { $0.atColumn = nil }.report
        #expect(!HTMLRenderer().page(one).contains("by week</title>"))
    }

    @Test("A replay says where a formula is wrong: one unit has nearly all of the revenue")
    func disagreement() async throws {
        let rows = (0..<400).map { "u\($0),\($0 == 0 ? 1_000_000 : $0 % 3)\n" }
        var answer = try Self.answer([.init("revenue")], file: "user_id,revenue\n" + rows.joined()) {
            $0.atColumn = nil
        }
        let before = answer.report
        #expect(before.isGood)
        #expect(TextRenderer().lines(before).contains { $0.contains("below 355 · skewness²") })
        await answer.replay(salts: 200, taskCount: 2)
        #expect(answer.disagrees)
        #expect(!answer.report.isGood)
        #expect(answer.replay?.rates.first?.disagrees == true)
    }

    @Test("Several treatments share the level by Dunnett's test, and several metrics by Holm's first step")
    func severalComparisons() async throws {
        let three = Self.plan([2, 1, 1])
        let one = try Self.answer([.init("revenue")], of: three)
        #expect(Self.isClose(one.level.fixed, 0.025977773586182664, within: 1e-5))
        #expect(one.level.sequential == 0.025)
        #expect(one.arms.names == ["a", "b", "c"])
        let bonferroni = try Self.answer([.init("revenue")], of: three) { $0.correction = .bonferroni }
        #expect(bonferroni.level.fixed == 0.025)
        var two = try Self.answer([.init("revenue"), .init("sessions")])
        #expect(two.level.fixed == 0.025)
        await two.replay(salts: 100, taskCount: 2)
        #expect(two.replay?.rates.count == 6)
        #expect(two.replay?.rates.first?.claim == .atMost)
        #expect(two.replay?.disagrees == false)
    }

    @Test("The margin of non-inferiority is tested on one side of the same interval")
    func margin() throws {
        let answer = try Self.answer([.init("revenue")]) { $0.margin = try WrittenNumber(argument: "10%") }
        let finding = try #require(answer.weeks.last?.findings?[0])
        #expect(Self.isClose(answer.margins?[0], 50.0318))
        // A test in both directions also finds, very rarely, effects of the other one.
        #expect(finding.margin >= finding.fixed)
        #expect(Self.isClose(finding.margin, finding.fixed, within: 1e-4))
        #expect((finding.powerOfMargin ?? 0) < 0.8)
    }

    @Test("The audience, traffic steps and the holdouts of the definition decide who is enrolled")
    func enrolment() throws {
        let plan = Self.plan { experiment in
            experiment.status = .draft
            experiment.traffic = .steps([
                .init(from: Instant(seconds: 2_000_000_000), share: 100_000),
                .init(from: Instant(seconds: 2_000_000_000 + 7 * 86_400), share: 500_000),
            ])
        }
        let answer = try Self.answer([.init("revenue")], of: plan)
        // A tenth of the 500 units of the first week, and half of those of the others.
        #expect(answer.weeks.map { $0.sizes.reduce(0, +).rounded() } == [50, 200, 300])
        let forced = Self.plan { $0.forced = [.init(unitID: "u3", variant: "a")] }
        let tested = try Self.answer([.init("revenue")], of: forced)
        #expect(tested.data.count == 999)
        #expect(tested.data.reasons[Int(Reason.forced.rawValue)] == 1)
    }

    @Test("Rows of one unit are added up, and true and false are numbers")
    func rowsOfUnits() throws {
        let rows = Self.file.split(separator: "\n").map(String.init)
        let twice = try Self.answer([.init("revenue")], file: (rows + rows.dropFirst()).joined(separator: "\n") + "\n")
        #expect(twice.data.count == 1000)
        #expect(Self.isClose(twice.data.metrics[0].ratio, 2 * 500.318))
        let rate = try Self.answer([.init("even")])
        #expect((0.4...0.6).contains(rate.data.metrics[0].ratio))
        #expect(!rate.data.metrics[0].isMultiplied)
    }

    @Test(
        "A question that data cannot answer is refused with the reason",
        arguments: [
            ("account", nil, "\"a0\" is not a number; a metric has numbers, or true and false"),
            (
                "constant", nil,
                "\"constant\" is the same for every unit; no experiment changes the variance of a constant"
            ),
            (
                "revenue", "constant",
                "\"constant\" is the same for every unit, so that it adjusts nothing; leave it out"
            ),
            ("revenue", "revenue", "\"revenue\" says all of \"revenue\", so that no variance is left to plan with"),
            ("empty", nil, "no unit of"), ("income", nil, "has no column \"income\" for a metric; it has"),
        ] as [(String, String?, String)])
    func refusals(metric: String, before: String?, message: String) {
        let error = #expect(throws: (any Error).self) { try Self.answer([.init(metric, before: before)]) }
        #expect(error.map { "\($0)" }?.contains(message) == true, "\(String(describing: error))")
    }

    @Test("More variants than units are refused")
    func fewUnits() {
        let file = "user_id,revenue\nu1,3\nu2,4\nu3,5\n"
        let error = #expect(throws: AnalysisError.self) {
            try Self.answer([.init("revenue")], of: Self.plan([1, 1, 1, 1]), file: file) { $0.atColumn = nil }
        }
        #expect(
            error?.description
                == "x has 4 variants, and the data have 3 units to enrol; each variant needs two or more")
    }

    @Test("Units without a value are left out, and said; those without a value before have the mean")
    func missingValues() throws {
        let file =
            "user_id,revenue,before\n"
            + (0..<100).map { unit in
                "u\(unit),\(unit == 5 ? "" : "\(unit % 7)"),\(unit == 6 ? "" : "\(unit % 7 + unit % 3)")\n"
            }.joined()
        let answer = try Self.answer([.init("revenue", before: "before")], file: file) { $0.atColumn = nil }
        #expect(answer.data.count == 99)
        #expect(
            answer.data.notes == [
                "1 unit left out that lacks a value of a metric; where a missing value means nothing was bought, "
                    + "write 0.",
                "1 unit without \"before\" has its mean.",
            ])
        #expect(answer.weeks.count == 1)
    }
}
