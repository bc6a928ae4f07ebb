import AllotStatistics
import Foundation
import TestSupport
import Testing

struct RandomisationTestTests {
    /// np.linalg.lstsq(np.column_stack([indicators of arms, Z]), y) with
    /// Z = X - X.mean(0), X = [[1,2],[2,1],[3,5],[4,3],[5,8],[6,4],[7,9],[9,6]].
    @Test("Adjusted means are the coefficients of least squares")
    func adjustedMeans() throws {
        let rows: [[Double]] = [[1, 2], [2, 1], [3, 5], [4, 3], [5, 8], [6, 4], [7, 9], [9, 6]]
        let outcomes: [Double] = [3, 1, 4, 1, 5, 9, 2, 6]
        let arms = [0, 1, 2, 0, 1, 2, 0, 1]
        let whitened = try Whitening(rows).whitened(rows)
        var slopes = [0.0, 0.0]
        for row in 0..<8 { for column in 0..<2 { slopes[column] += whitened[row][column] * outcomes[row] / 7 } }
        var (counts, sums, residuals) = ([0.0, 0, 0], [[0.0, 0], [0, 0], [0, 0]], [0.0, 0, 0])
        for (row, arm) in arms.enumerated() {
            counts[arm] += 1
            residuals[arm] += outcomes[row]
            for column in 0..<2 {
                sums[arm][column] += whitened[row][column]
                residuals[arm] -= whitened[row][column] * slopes[column]
            }
        }
        let means = try #require(ArmMeans(counts: counts, sums: sums)).means(residuals)
        for (mean, expected) in zip(means, [2.3213864276250433, 3.65042750082809, 6.5422791073203]) {
            expectClose(mean, expected)
        }
        #expect(ArmMeans(counts: [3, 0], sums: [[], []]) == nil)
        #expect(try #require(ArmMeans(counts: [2, 4], sums: [[], []])).means([3, 2]) == [1.5, 0.5])
    }

    /// A difference in means.
    private static func difference(_ outcomes: [Double], _ arms: [Bool]) -> Double {
        var (treated, others, count) = (0.0, 0.0, 0.0)
        for (outcome, isTreated) in zip(outcomes, arms) {
            if isTreated {
                treated += outcome
                count += 1
            } else {
                others += outcome
            }
        }
        return treated / count - others / (Double(arms.count) - count)
    }

    private static func test(_ outcomes: [Double], _ observed: [Bool], _ draws: [[Bool]]) -> RandomisationTest {
        let own = observed.map { $0 ? 1.0 : 0 }
        return RandomisationTest(
            estimate: difference(outcomes, observed),
            draws: draws.map {
                RandomisationTest.Draw(effect: difference(outcomes, $0), overlap: difference(own, $0))
            })
    }

    /// Arms of which neither is empty.
    private static func arms(_ count: Int, _ random: inout SeededGenerator) -> [Bool] {
        while true {
            let arms = (0..<count).map { _ in random.chance(0.5) }
            if arms.contains(true), arms.contains(false) { return arms }
        }
    }

    @Test("The p-value of an effect is that of the outcomes without it, and the interval has those above the level")
    func inversion() {
        var random = SeededGenerator(seed: 7)
        for count in [6, 9, 14] {
            let outcomes = (0..<count).map { _ in Double(random.number(-9...9)) }
            let observed = Self.arms(count, &random)
            let draws = (0..<59).map { _ in Self.arms(count, &random) }
            let test = Self.test(outcomes, observed, draws)
            let interval = test.interval(level: 0.1)
            for step in -60...60 {
                // Between the values at which a draw begins to be as extreme.
                let effect = Double(step) / 3 + 0.01234567
                let untreated = zip(outcomes, observed).map { $0 - ($1 ? effect : 0) }
                let distance = abs(test.estimate - effect)
                let extreme = draws.count { draw in
                    let imputed = zip(untreated, draw).map { $0 + ($1 ? effect : 0) }
                    return abs(Self.difference(imputed, draw) - effect) >= distance * (1 - 1e-9)
                }
                let expected = Double(1 + extreme) / 60
                #expect(test.pValue(of: effect) == expected)
                #expect(interval.contains(effect) == (expected > 0.1))
            }
            // Of whole numbers many draws are exactly as extreme.
            let extreme = draws.count { abs(Self.difference(outcomes, $0)) >= abs(test.estimate) * (1 - 1e-9) }
            #expect(abs(test.pValue.value - Double(1 + extreme) / 60) < 1e-12)
        }
    }

    @Test("Too few draws reject nothing, and the fewest that can do are known")
    func fewDraws() {
        #expect(RandomisationTest.fewestDraws(level: 0.05) == 19)
        #expect(RandomisationTest.fewestDraws(level: 0.01) == 99)
        let draws = (0..<18).map { RandomisationTest.Draw(effect: Double($0) / 100, overlap: 0) }
        let test = RandomisationTest(estimate: 5, draws: draws)
        #expect(test.interval(level: 0.05) == -.infinity ... .infinity)
        #expect(test.pValue.value > 0.05)
        let enough = RandomisationTest(estimate: 5, draws: draws + [draws[0]])
        #expect(enough.interval(level: 0.05).lowerBound > 4)
    }

    @Test("The observed draw, and its mirror, are always as extreme")
    func sameDraw() {
        let draws = [1.0, -1.0].map { RandomisationTest.Draw(effect: 2 * $0, overlap: $0) }
        let test = RandomisationTest(estimate: 2, draws: draws)
        #expect(test.pValue.value == 1)
        #expect(test.interval(level: 0.5) == -.infinity ... .infinity)
    }

    /// The number of trials: 20,000 show a rate of 5% to half a percent.
    private static let trialCount =
        ProcessInfo.processInfo.environment["ALLOT_RERANDOMISED_TRIALS"].flatMap { Int($0) } ?? 300

    @Test("After rerandomisation, the test alarms at its level and its interval covers, which the usual test does not")
    func levels() throws {
        var random = SeededGenerator(seed: 55)
        let (units, effect) = (30, 0.4)
        var (alarms, covered, usualAlarms) = (0, 0, 0)
        for _ in 0..<Self.trialCount {
            let known = (0..<units).map { _ in Double.random(in: -1...1, using: &random) }
            let whitened = try Whitening(known.map { [$0] }).whitened(known.map { [$0] }).map { $0[0] }
            let untreated = known.map { 3 * $0 + Double.random(in: -1...1, using: &random) }
            // The best half: |difference| below its median, about.
            func accepted() -> [Bool] {
                while true {
                    let arms = Self.arms(units, &random)
                    let difference = Self.difference(whitened, arms)
                    let count = Double(arms.count { $0 })
                    let distance = difference * difference * count * (Double(units) - count) / Double(units)
                    if distance < 0.1 { return arms }
                }
            }
            let observed = accepted()
            let outcomes = zip(untreated, observed).map { $0 + ($1 ? effect : 0) }
            let draws = (0..<39).map { _ in accepted() }
            let test = Self.test(outcomes, observed, draws)
            if test.pValue(of: effect) <= 0.05 { alarms += 1 }
            if test.interval(level: 0.05).contains(effect) { covered += 1 }
            let null = Self.difference(untreated, observed)
            let mean = untreated.reduce(0, +) / Double(units)
            let variance = untreated.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(units - 1)
            if abs(null) > 1.96 * (variance * 4 / Double(units)).squareRoot() { usualAlarms += 1 }
        }
        let trials = Double(Self.trialCount)
        let slack = 3.29 * (0.05 * 0.95 / trials).squareRoot()
        #expect(abs(Double(alarms) / trials - 0.05) < slack)
        #expect(abs(Double(covered) / trials - 0.95) < slack)
        #expect(Double(usualAlarms) / trials < 0.01)
    }
}
