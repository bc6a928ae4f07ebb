import AllotStatistics
import TestSupport
import Testing

extension SequentialRatioTest {
    /// Counts one unit, and looks.
    fileprivate mutating func observe(_ category: Int) {
        observe(counts: counts.indices.map { $0 == category ? 1 : 0 })
    }
}

struct SequentialRatioTestTests {
    /// mpmath 1.3 with 60 digits, the formula with `loggamma`.
    @Test(
        "The Bayes factor agrees with mpmath",
        arguments: [
            ([10, 20], [1, 1], 100, 0.2562191872817771), ([44_700, 45_489], [1, 1], 100, 0.042164585370295685),
            ([821_588, 815_482], [1, 1], 100, 6.5323676706190903),
            ([500_000_001_000, 499_999_999_000], [0.5, 0.5], 100, -11.51542342335831),
            ([500_001_000_000, 499_999_000_000], [0.5, 0.5], 100, -9.5154254235549769),
            ([16, 18, 16, 14, 12, 40], [1, 1, 1, 1, 1, 1], 100, 4.7475095623914766),
            ([70, 25, 5], [0.7, 0.2, 0.1], 1.5, -2.542661886977154),
            ([1000, 0, 3], [1, 0, 1e-3], 100, -0.99268290096592222),
            ([300_000_000_000_000_000, 200_000_000_000_000_000], [3, 2], 10_000, -15.771548449567193),
        ])
    func bayesFactor(counts: [Int], shares: [Double], concentration: Double, expected: Double) throws {
        var test = try SequentialRatioTest(shares: shares, concentration: concentration)
        test.observe(counts: counts)
        // A sum of terms that were each about 50 has that many digits.
        #expect(abs(test.bayesFactorLogarithm - expected) <= 1e-12 * max(50, abs(expected)))
        #expect(test.pValue == PValue(logarithm: min(0, -test.bayesFactorLogarithm)))
        #expect(test.counts == counts)
    }

    /// The authors' form: each unit multiplies by the ratio of its predicted and its expected probability.
    @Test("Counting units one by one gives the same Bayes factor", arguments: 1...5)
    func unitsOneByOne(seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let shares = [0.5, 0.3, 0.2]
        var test = try SequentialRatioTest(shares: [5, 3, 2], concentration: 20)
        var counts = [0, 0, 0]
        var product = 0.0
        var least = 0.0
        for _ in 0..<500 {
            let draw = Double.random(in: 0..<1, using: &generator)
            let category = draw < 0.4 ? 0 : draw < 0.7 ? 1 : 2
            let predicted = (20 * shares[category] + Double(counts[category])) / (20 + Double(counts.reduce(0, +)))
            product += logarithm(predicted / shares[category])
            least = min(least, -product)
            counts[category] += 1
            test.observe(category)
            #expect(abs(test.bayesFactorLogarithm - product) < 1e-11)
            #expect(abs(test.pValue.logarithm - least) < 1e-11)
        }
    }

    @Test(
        "A fixed test of the equivalent level detects the same deviations",
        arguments: [(1000, 0.001), (10_000, 0.001), (10_000, 6.25e-6), (1_000_000, 0.001)])
    func equivalentLevel(units: Int, level: Double) throws {
        let equivalent = SequentialRatioTest.equivalentLevel(level, units: Double(units), degreesOfFreedom: 1)
        let half = units / 2
        var deviation = 0
        var test = try SequentialRatioTest(shares: [1, 1])
        while test.pValue >= PValue(level), deviation < half {
            deviation += 1
            test = try SequentialRatioTest(shares: [1, 1])
            test.observe(counts: [half + deviation, half - deviation])
        }
        let detected = try ChiSquare(counts: [half + deviation, half - deviation], shares: [1, 1])
        let missed = try ChiSquare(counts: [half + deviation - 1, half - deviation + 1], shares: [1, 1])
        #expect(detected.pValue.value < equivalent * 1.2)
        #expect(missed.pValue.value > equivalent / 1.2)
    }

    @Test("Without units the p-value is 1")
    func nothingSeen() throws {
        var test = try SequentialRatioTest(shares: [1, 2, 0])
        #expect(test.pValue == PValue(1))
        #expect(test.bayesFactorLogarithm == 0)
        test.observe(counts: [0, 0, 0])
        #expect(test.pValue == PValue(1))
        #expect(abs(test.bayesFactorLogarithm) < 1e-12)
    }

    @Test("A count in a category of share 0 is impossible")
    func aCountWhereNoneCanBe() throws {
        var test = try SequentialRatioTest(shares: [1, 1, 0])
        test.observe(2)
        #expect(test.bayesFactorLogarithm == .infinity)
        #expect(test.pValue.logarithm == -.infinity)
        test.observe(counts: [500, 500, 0])
        #expect(test.pValue.logarithm == -.infinity)
    }

    @Test(
        "Shares that are not valid are refused",
        arguments: [([1], CountsError.tooFewShares(count: 1)), ([1, -1], .invalidShare(index: 1, share: -1))])
    func refusals(shares: [Double], error: CountsError) {
        #expect(throws: error) { try SequentialRatioTest(shares: shares) }
    }
}
