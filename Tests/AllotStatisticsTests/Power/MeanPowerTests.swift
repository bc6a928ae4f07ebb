import AllotStatistics
import Testing

struct MeanPowerTests {
    /// statsmodels 0.15, `TTestIndPower().power(d, n1, alpha, ratio=n0 / n1, alternative=…)`.
    @Test(
        "The power of a t-test agrees with statsmodels",
        arguments: [
            (0.04, [9813, 9813], 0.05, TestSides.two, 0.8000385255251369),
            (1, [17, 17], 0.05, .two, 0.8070367151472196),
            (0.2, [858, 286], 0.05, .one, 0.9001793956928371), (3, [4, 4], 0.05, .two, 0.9389357455090207),
            (0.1, [2096, 2096], 0.05 / 3, .two, 0.8001608603546537),
            (0.0001, [1_569_772_103, 1_569_772_103], 0.05, .two, 0.8000000000435677),
            (0.5, [2, 2], 0.05, .two, 0.06150785655602509),
        ])
    func power(effect: Double, sizes: [Int], significance: Double, sides: TestSides, expected: Double) throws {
        for deviation in [1.0, 12.5, 1e-9, 1e9] {
            let analysis = try PowerAnalysis.mean(deviation, significance: significance, sides: sides)
            expectClose(try analysis.power(effect: effect * deviation, sizes: sizes), expected)
            expectClose(try analysis.power(effect: -effect * deviation, sizes: sizes), expected)
        }
    }

    /// statsmodels 0.15, `TTestIndPower().solve_power(d, None, alpha, power, …)`: 9812.04, 285.80, 2095.26 and 16.71.
    /// At d = 0.5, power 0.99 and alpha 0.001 it fails: its power is 0.98967 for 254 units and NaN above.
    @Test(
        "Sizes reach the power, and smaller ones do not",
        arguments: [
            (0.04, 0.8, 0.05, TestSides.two, [1.0, 1], [9813, 9813]), (0.2, 0.9, 0.05, .one, [3, 1], [858, 286]),
            (0.1, 0.8, 0.05, .two, [1, 1, 1, 1], [2096, 2096, 2096, 2096]), (1, 0.8, 0.05, .two, [1, 1], [17, 17]),
            (0.5, 0.99, 0.001, .two, [1, 1], [256, 256]), (1000, 0.8, 0.05, .two, [1, 1], [2, 2]),
        ])
    func sizes(
        effect: Double, power: Double, significance: Double, sides: TestSides, weights: [Double], expected: [Int]
    ) throws {
        let analysis = try PowerAnalysis.mean(1, weights, significance: significance, sides: sides)
        #expect(try analysis.sizes(effect: effect, power: power) == expected)
        guard expected.allSatisfy({ $0 > 2 }) else { return }
        #expect(try analysis.power(effect: effect, sizes: expected) >= power)
        #expect(try analysis.power(effect: effect, sizes: expected.map { $0 - 1 }) < power)
    }

    /// scipy's `brentq` on `TTestIndPower().power`.
    @Test(
        "The detectable effect agrees with statsmodels",
        arguments: [
            ([10_000, 10_000], TestSides.two, 0.03962225240855373), ([30, 10], .one, 0.9245460153423547),
            ([2, 2], .two, 5.653489266197126),
        ])
    func detectableEffect(sizes: [Int], sides: TestSides, expected: Double) throws {
        for deviation in [1.0, 1e-6, 1e6] {
            let analysis = try PowerAnalysis.mean(deviation, sides: sides)
            expectClose(try analysis.detectableEffect(sizes: sizes), expected * deviation)
            expectClose(try analysis.detectableEffect(.decrease, sizes: sizes), -expected * deviation)
        }
    }

    @Test("A standard deviation has to be above 0", arguments: [0.0, -1, .nan, .infinity])
    func noDeviation(deviation: Double) {
        #expect(throws: PowerError.self) { try MeanMetric(standardDeviation: deviation) }
    }
}
