import AllotStatistics
import Testing

/// The power of comparisons of rates and of means, against statsmodels and scipy.
struct MetricPowerTests {
    /// A rate with its baseline, or a mean whose standard deviation is 1.
    enum Metric: Sendable {
        case rate(Double)
        case mean

        /// The units in which a mean is measured do not matter.
        var scales: [Double] { if case .mean = self { [1, 12.5, 1e-6, 1e6] } else { [1] } }

        func analysis(
            scale: Double = 1, _ weights: [Double], _ significance: Double, _ sides: TestSides
        ) throws -> PowerAnalysis {
            switch self {
            case .rate(let base): try PowerAnalysis.rate(base, weights, significance: significance, sides: sides)
            case .mean: try PowerAnalysis.mean(scale, weights, significance: significance, sides: sides)
            }
        }
    }

    /// statsmodels 0.15, `power_proportions_2indep(effect, baseline, n1, ratio=n0 / n1, alpha=…, alternative=…).power`
    /// and `TTestIndPower().power(d, n1, alpha, ratio=n0 / n1, alternative=…)`.
    @Test(
        "The power of a test agrees with statsmodels",
        arguments: [
            (.rate(0.1), 0.01, [14_751, 14_751], 0.05, .two, 0.8000065290879337),
            (.rate(0.1), 0.01, [10_000, 10_000], 0.05, .two, 0.6356078962785991),
            (.rate(0.1), -0.01, [25_583, 25_583], 0.01, .two, 0.9000048376390124),
            (.rate(0.1), 0.01, [11_620, 11_620], 0.05, .one, 0.8000278615713778),
            (.rate(0.1), -0.02, [2000, 3000], 0.05, .one, 0.7838612106495102),
            (.rate(0.5), 0.05, [6473, 1619], 0.05, .two, 0.9500919656620801),
            (.rate(0.001), 0.0001, [1_646_529, 1_646_529], 0.05, .two, 0.8000000346834705),
            (.rate(0.02), 1e-6, [300_000_000_000, 300_000_000_000], 0.05, .two, 0.7900004427781631),
            (.rate(0.1), 0.9, [2, 2], 0.05, .two, 0.3617135485193729),
            (.rate(0.3), 0.001, [50, 50], 0.05, .two, 0.05001348784047557),
            (.rate(0.1), 0.05, [2000, 2000], 1e-6, .two, 0.45579161785535094),
            (.mean, 0.04, [9813, 9813], 0.05, .two, 0.8000385255251369),
            (.mean, 1, [17, 17], 0.05, .two, 0.8070367151472196),
            (.mean, 0.2, [858, 286], 0.05, .one, 0.9001793956928371),
            (.mean, 3, [4, 4], 0.05, .two, 0.9389357455090207),
            (.mean, 0.1, [2096, 2096], 0.05 / 3, .two, 0.8001608603546537),
            (.mean, 0.0001, [1_569_772_103, 1_569_772_103], 0.05, .two, 0.8000000000435677),
            (.mean, 0.5, [2, 2], 0.05, .two, 0.06150785655602509),
            (.mean, -0.5, [2, 2], 0.05, .two, 0.06150785655602509),
            (.mean, -0.2, [858, 286], 0.05, .one, 0.9001793956928371),
        ] as [(Metric, Double, [Int], Double, TestSides, Double)])
    func power(
        metric: Metric, effect: Double, sizes: [Int], significance: Double, sides: TestSides, expected: Double
    ) throws {
        for scale in metric.scales {
            let analysis = try metric.analysis(scale: scale, [1, 1], significance, sides)
            expectClose(try analysis.power(effect: effect * scale, sizes: sizes), expected)
        }
    }

    /// scipy's `brentq` on the same functions: 14750.75, 19746.62, 31233.36, 4756.43, 3737043.03, 2352.94 and 4651.42
    /// units in the treatment for rates; 9812.04, 285.80, 2095.26 and 16.71 for means. At d = 0.5, power 0.99 and alpha
    /// 0.001 statsmodels fails: its power is 0.98967 for 254 units and NaN above.
    @Test(
        "Sizes reach the power, and smaller ones do not",
        arguments: [
            (.rate(0.1), 0.01, 0.8, 0.05, .two, [1, 1], [14_751, 14_751]),
            (.rate(0.1), 0.01, 0.9, 0.05, .two, [50, 50], [19_747, 19_747]),
            (.rate(0.05), 0.005, 0.8, 0.05, .two, [1, 1], [31_234, 31_234]),
            (.rate(0.2), -0.02, 0.8, 0.05, .one, [1, 1], [4757, 4757]),
            (.rate(0.001), 0.0001, 0.95, 0.01, .two, [1, 1], [3_737_044, 3_737_044]),
            (.rate(0.1), 0.02, 0.8, 0.05, .two, [80, 20], [9412, 2353]),
            (.rate(0.1), 0.02, 0.8, 0.05, .two, [1, 1, 1], [4652, 4652, 4652]),
            // The smallest treatment decides.
            (.rate(0.1), 0.02, 0.8, 0.05, .two, [1, 3, 1], [4652, 13_955, 4652]),
            (.mean, 0.04, 0.8, 0.05, .two, [1, 1], [9813, 9813]), (.mean, 0.2, 0.9, 0.05, .one, [3, 1], [858, 286]),
            (.mean, 0.1, 0.8, 0.05, .two, [1, 1, 1, 1], [2096, 2096, 2096, 2096]),
            (.mean, 1, 0.8, 0.05, .two, [1, 1], [17, 17]), (.mean, 0.5, 0.99, 0.001, .two, [1, 1], [256, 256]),
            (.mean, 1000, 0.8, 0.05, .two, [1, 1], [2, 2]),
        ] as [(Metric, Double, Double, Double, TestSides, [Double], [Int])])
    func sizes(
        metric: Metric, effect: Double, power: Double, significance: Double, sides: TestSides, weights: [Double],
        expected: [Int]
    ) throws {
        let analysis = try metric.analysis(weights, significance, sides)
        #expect(try analysis.sizes(effect: effect, power: power) == expected)
        #expect(try analysis.power(effect: effect, sizes: expected) >= power)
        guard expected.allSatisfy({ $0 > 2 }) else { return }
        #expect(try analysis.power(effect: effect, sizes: expected.map { $0 - 1 }) < power)
    }

    /// scipy's `brentq` on the same functions.
    @Test(
        "The detectable effect agrees with statsmodels",
        arguments: [
            (.rate(0.1), [50_000, 50_000], 0.8, 0.05, .two, .increase, 0.005378511713207964),
            (.rate(0.1), [50_000, 50_000], 0.8, 0.05, .two, .decrease, -0.005252942761338331),
            (.rate(0.02), [900_000, 100_000], 0.9, 0.01, .two, .increase, 0.0018290813238427683),
            (.rate(0.5), [30, 30], 0.8, 0.05, .one, .increase, 0.30084110660766356),
            (.mean, [10_000, 10_000], 0.8, 0.05, .two, .increase, 0.03962225240855373),
            (.mean, [30, 10], 0.8, 0.05, .one, .increase, 0.9245460153423547),
            (.mean, [30, 10], 0.8, 0.05, .one, .decrease, -0.9245460153423547),
            (.mean, [2, 2], 0.8, 0.05, .two, .increase, 5.653489266197126),
        ] as [(Metric, [Int], Double, Double, TestSides, EffectDirection, Double)])
    func detectableEffect(
        metric: Metric, sizes: [Int], power: Double, significance: Double, sides: TestSides,
        direction: EffectDirection, expected: Double
    ) throws {
        for scale in metric.scales {
            let analysis = try metric.analysis(scale: scale, [1, 1], significance, sides)
            expectClose(try analysis.detectableEffect(direction, sizes: sizes, power: power), expected * scale)
        }
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

    @Test(
        "A baseline has to be above 0 and below 1, and a standard deviation above 0",
        arguments: [0.0, -0.1, .nan, .infinity])
    func noMetric(value: Double) {
        #expect(throws: PowerError.self) { try ProportionMetric(baseline: value) }
        #expect(throws: PowerError.self) { try ProportionMetric(baseline: 1 + abs(value)) }
        #expect(throws: PowerError.self) { try MeanMetric(standardDeviation: value) }
    }
}
