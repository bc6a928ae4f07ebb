import AllotStatistics
import TestSupport
import Testing

@testable import AllotAnalysis

/// Units of the values `x0`, `x1`, … of one attribute, in rows of counts.
struct Values: Sendable {
    var shares = "control=1,green=1"
    var threshold = RatioTest.threshold
    var isNamed = false
    /// By value, the units of each variant.
    var counts: [[Int]]

    func report() throws -> SampleRatioReport {
        let variants = shares.split(separator: ",").map { $0.prefix { $0 != "=" } }
        var csv = "variant,count,x\n"
        for (value, counts) in counts.enumerated() {
            for (variant, count) in zip(variants, counts) { csv += "\(variant),\(count),x\(value)\n" }
        }
        return try sampleRatio(csv, shares: shares) {
            $0.threshold = threshold
            $0.attributes = isNamed ? ["x"] : []
        }.reports[0]
    }
}

/// The ratio within values: what may be said of it, and how often it is wrong.
struct ValueRatioTests {
    private func binomial(_ trials: Int, _ share: Double, _ generator: inout SeededGenerator) -> Int {
        (0..<trials).count { _ in generator.chance(share) }
    }

    /// 1,000 values of 300 units, of which 2% have a variant: 6 are expected. The chance of a false alarm is 0.05, so
    /// that more than 7 of 40 have one of 0.001; Pearson's p-values give 14 (36% of 800 data sets, by scipy).
    @Test("Small values with unequal shares raise no more false alarms than the threshold says")
    func unequalSharesOfCleanData() throws {
        // P(k or fewer) of the binomial distribution, to draw from it by one number each.
        let masses = ExactBinomial(trials: 300, probability: 0.02).masses
        let sums = masses.reduce(into: [Double]()) { $0.append(($0.last ?? 0) + $1) }
        var (alarms, approximate) = (0, 0)
        for seed in 0..<40 {
            var generator = SeededGenerator(seed: seed)
            let rare = (0..<1000).map { _ in
                let point = Double.random(in: 0..<1, using: &generator)
                return sums.firstIndex { $0 > point } ?? 300
            }
            let report = try Values(
                shares: "rare=2,common=98", threshold: 0.05, isNamed: true, counts: rare.map { [$0, 300 - $0] }
            ).report()
            if case .hidden = report.localisation.finding { alarms += 1 }
            let most = rare.max() ?? 0
            let least = rare.min() ?? 0
            let worst = try [most, least].map { try ChiSquare(counts: [$0, 300 - $0], shares: [2, 98]).pValue.value }
            if (worst.min() ?? 1) * 1000 < 0.05 { approximate += 1 }
        }
        #expect(alarms <= 7)
        #expect(approximate > 7)
    }

    /// 15% of the units of one variant are lost in 7 of 10 values. "Everywhere" would send people the wrong way.
    @Test("A loss in 7 of 10 values is not said to be everywhere")
    func mostValues() throws {
        var (everywhere, located) = (0, 0)
        for seed in 0..<30 {
            var generator = SeededGenerator(seed: seed)
            let counts = (0..<10).map { value in
                let green = binomial(2000, 0.5, &generator)
                let kept = value < 7 ? binomial(green, 0.85, &generator) : green
                return [2000 - green, kept]
            }
            let report = try Values(counts: counts).report()
            #expect(report.isMismatch)
            switch report.localisation.finding {
            case .everywhere: everywhere += 1
            case .source(let values, _):
                located += 1
                #expect(values.count <= 8)
            default: break
            }
        }
        #expect(everywhere <= 3)
        #expect(located >= 15)
    }

    private static let equal = Array(repeating: [10_000, 10_000], count: 7)
    private static let lossEverywhere = Array(repeating: [10_000, 9200], count: 9)

    @Test(
        "The finding names all causes, a part of a loss, an attribute, everywhere, or a value that the total hides",
        arguments: [
            // Without x0 and x1 the ratio of all others is right, but not that of x2: p = 3.4e-13.
            (Values(counts: [[10_000, 8000], [10_000, 8200], [1000, 700]] + equal), "source x=x0, x=x1, x=x2"),
            (Values(counts: [[10_000, 7000]] + lossEverywhere), "part x=x0"),
            (Values(counts: [[10_000, 9200]] + lossEverywhere), "everywhere"),
            // Too little for each value: homogeneity has p = 3e-5 (`scipy.stats.chi2_contingency`).
            (Values(counts: (0..<40).map { [500, $0 % 2 == 0 ? 500 : 410] }), "uneven x"),
            // One variant in a thousand units blinds no value: `scipy.stats.binomtest(350, 1000)` is below 1e-20.
            (Values(shares: "tiny=1,a=500,b=499", counts: [[1, 650, 350], [9, 4600, 4391]]), "source x=x0"),
            (Values(counts: [[1000, 700], [3000, 3300]]), "hidden x=x0"),
            (Values(isNamed: true, counts: [[1000, 700], [3000, 3300]]), "hidden x=x0"),
        ] as [(Values, String)])
    func findings(values: Values, text: String) throws {
        let report = try values.report()
        #expect(report.localisation.finding.text == text)
        if case .source(_, let without) = report.localisation.finding, values.shares.hasPrefix("control") {
            #expect(without == PValue(1))
        }
        if text.hasPrefix("hidden") {
            // Only a named attribute makes it an alarm.
            #expect(report.alarms == (values.isNamed ? ["within-a-value"] : []))
        } else {
            #expect(report.isMismatch)
        }
    }

    /// Random draws alone would have said 1/50001 at the least, which is 0.0012 after Holm's correction.
    @Test("A small value whose units all have one variant of many stands out among many values")
    func manyVariants() throws {
        let names = (0..<12).map { "v\($0)" }
        let shares = names.map { "\($0)=1" }.joined(separator: ",")
        // All units together have the right ratio, 200 of each: 40 of x0, and 160 of others here and there.
        var counts = Array(repeating: names.map { _ in 0 }, count: 60)
        counts[0][0] = 40
        var others = 0
        for unit in 0..<2360 {
            let isFirst = (unit + 1) * 160 / 2360 > unit * 160 / 2360
            counts[1 + unit / 40][isFirst ? 0 : 1 + others % 11] += 1
            others += isFirst ? 0 : 1
        }
        let report = try Values(shares: shares, isNamed: true, counts: counts).report()
        #expect(report.localisation.finding.text == "hidden x=x0")
    }
}
