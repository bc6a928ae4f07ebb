import AllotStatistics
import Testing

struct ProportionPowerTests {
    /// statsmodels 0.15, `power_proportions_2indep(effect, baseline, n1, ratio=n0 / n1, alpha=…, alternative=…).power`.
    @Test(
        "The power of a z-test agrees with statsmodels",
        arguments: [
            (0.1, 0.01, [14_751, 14_751], 0.05, TestSides.two, 0.8000065290879337),
            (0.1, 0.01, [10_000, 10_000], 0.05, .two, 0.6356078962785991),
            (0.1, -0.01, [25_583, 25_583], 0.01, .two, 0.9000048376390124),
            (0.1, 0.01, [11_620, 11_620], 0.05, .one, 0.8000278615713778),
            (0.1, -0.02, [2000, 3000], 0.05, .one, 0.7838612106495102),
            (0.5, 0.05, [6473, 1619], 0.05, .two, 0.9500919656620801),
            (0.001, 0.0001, [1_646_529, 1_646_529], 0.05, .two, 0.8000000346834705),
            (0.02, 1e-6, [300_000_000_000, 300_000_000_000], 0.05, .two, 0.7900004427781631),
            (0.1, 0.9, [2, 2], 0.05, .two, 0.3617135485193729),
            (0.3, 0.001, [50, 50], 0.05, .two, 0.05001348784047557),
            (0.1, 0.05, [2000, 2000], 1e-6, .two, 0.45579161785535094),
        ])
    func power(
        baseline: Double, effect: Double, sizes: [Int], significance: Double, sides: TestSides, expected: Double
    ) throws {
        let analysis = try PowerAnalysis.rate(baseline, significance: significance, sides: sides)
        expectClose(try analysis.power(effect: effect, sizes: sizes), expected)
    }

    /// scipy's `brentq` on the same function: 14750.75, 19746.62, 31233.36, 4756.43, 3737043.03, 2352.94 and 4651.42
    /// units in the treatment.
    @Test(
        "Sizes reach the power, and smaller ones do not",
        arguments: [
            (0.1, 0.01, 0.8, 0.05, TestSides.two, [1.0, 1], [14_751, 14_751]),
            (0.1, 0.01, 0.9, 0.05, .two, [50, 50], [19_747, 19_747]),
            (0.05, 0.005, 0.8, 0.05, .two, [1, 1], [31_234, 31_234]),
            (0.2, -0.02, 0.8, 0.05, .one, [1, 1], [4757, 4757]),
            (0.001, 0.0001, 0.95, 0.01, .two, [1, 1], [3_737_044, 3_737_044]),
            (0.1, 0.02, 0.8, 0.05, .two, [80, 20], [9412, 2353]),
            (0.1, 0.02, 0.8, 0.05, .two, [1, 1, 1], [4652, 4652, 4652]),
            // The smallest treatment decides.
            (0.1, 0.02, 0.8, 0.05, .two, [1, 3, 1], [4652, 13_955, 4652]),
        ])
    func sizes(
        baseline: Double, effect: Double, power: Double, significance: Double, sides: TestSides, weights: [Double],
        expected: [Int]
    ) throws {
        let analysis = try PowerAnalysis.rate(baseline, weights, significance: significance, sides: sides)
        let sizes = try analysis.sizes(effect: effect, power: power)
        #expect(sizes == expected)
        #expect(try analysis.power(effect: effect, sizes: sizes) >= power)
        #expect(try analysis.power(effect: effect, sizes: sizes.map { $0 - 1 }) < power)
    }

    /// scipy's `brentq` on the same function.
    @Test(
        "The detectable effect agrees with statsmodels",
        arguments: [
            (0.1, [50_000, 50_000], 0.8, 0.05, TestSides.two, EffectDirection.increase, 0.005378511713207964),
            (0.1, [50_000, 50_000], 0.8, 0.05, .two, .decrease, -0.005252942761338331),
            (0.02, [900_000, 100_000], 0.9, 0.01, .two, .increase, 0.0018290813238427683),
            (0.5, [30, 30], 0.8, 0.05, .one, .increase, 0.30084110660766356),
        ])
    func detectableEffect(
        baseline: Double, sizes: [Int], power: Double, significance: Double, sides: TestSides,
        direction: EffectDirection, expected: Double
    ) throws {
        let analysis = try PowerAnalysis.rate(baseline, significance: significance, sides: sides)
        expectClose(try analysis.detectableEffect(direction, sizes: sizes, power: power), expected)
    }

    @Test("An effect may take a rate to 0 or 1")
    func theWholeRange() throws {
        let analysis = try PowerAnalysis.rate(0.25)
        #expect(try analysis.power(effect: 0.75, sizes: [1000, 1000]) == 1)
        #expect(try analysis.power(effect: -0.25, sizes: [1000, 1000]) > 0.999999)
        #expect(throws: PowerError.effectOutOfRange(effect: 0.76, baseline: 0.25)) {
            try analysis.power(effect: 0.76, sizes: [10, 10])
        }
        #expect(throws: PowerError.effectOutOfRange(effect: -0.26, baseline: 0.25)) {
            try analysis.sizes(effect: -0.26)
        }
    }

    @Test("The approximation is good from 10 expected successes and failures on")
    func whenTheApproximationIsGood() throws {
        let metric = try ProportionMetric(baseline: 0.01)
        #expect(metric.isApproximationGood(0.01, control: 1000, treatment: 500))
        #expect(!metric.isApproximationGood(0.01, control: 999, treatment: 500))
        #expect(!metric.isApproximationGood(0.01, control: 1000, treatment: 499))
        #expect(!metric.isApproximationGood(-0.01, control: 1_000_000, treatment: 1_000_000))
    }

    @Test("A baseline has to be above 0 and below 1", arguments: [0.0, 1, -0.1, 1.1, .nan, .infinity])
    func noRate(baseline: Double) {
        #expect(throws: PowerError.self) { try ProportionMetric(baseline: baseline) }
    }
}
