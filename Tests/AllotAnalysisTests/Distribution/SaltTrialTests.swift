import AllotStatistics
import Testing

@testable import AllotAnalysis

/// Expected values: scipy 1.17, `scipy.stats.binom`, `chi2` and `binomtest`.
struct SaltTrialTests {
    @Test("The tails of the binomial distribution are exact")
    func tailsOfTheBinomialDistribution() {
        let skew = ExactBinomial(trials: 20, probability: 0.3)
        #expect(abs(skew.masses[7] - 0.1642619852172366) < 1e-14)
        // 9 is 3 above the mean of 6, as 3 is below it.
        #expect(abs(skew.tails(9).atLeastAsFar - (0.10708680450373087 + 0.11333146287697826)) < 1e-14)
        #expect(skew.tails(6).atLeastAsFar == 1)
        let even = ExactBinomial(trials: 100, probability: 0.5)
        #expect(abs(even.tails(40).atLeastAsFar - 0.05688793364098089) < 1e-14)
        #expect(abs(even.tails(60).farther - 0.035200200217704855) < 1e-14)
        #expect(even.tails(0).farther == 0)
        #expect(even.tails(100).atLeastAsFar > 0)
        #expect(abs(even.masses.reduce(0, +) - 1) < 1e-12)
    }

    /// What `--units 10000` promises: the chi-square test of halves of 10,000 units.
    @Test("The attained levels are exact")
    func attainedLevels() {
        let trial = SaltTrial(counts: [5000, 4902, 5098, 5130, 5170], unitCount: 10_000, share: 0.5, seed: 1)
        let expected = [0.05117069076829618, 0.010166327341753581, 0.0010009148692438547]
        for (level, attained) in zip(trial.levels, expected) { #expect(abs(level.attained - attained) < 1e-10) }
        // Counts 98, 130 and 170 from the mean have the p-values 0.04999579, 0.009321934 and 0.000673.
        #expect(trial.levels.map(\.rejectionCount) == [4, 2, 1])
        #expect(trial.levels.map(\.saltCount) == [5, 5, 5])
        #expect(trial.levels.map(\.rate) == [0.8, 0.4, 0.2])
    }

    /// Over all counts in their true proportions the randomised p-values are uniform.
    @Test("Randomised p-values are uniform", arguments: [0.5, 0.49])
    func randomisedPValuesAreUniform(share: Double) {
        let unitCount = 40
        let split = ExactBinomial(trials: unitCount, probability: share)
        let counts = split.masses.enumerated().flatMap { count, mass in
            [Int](repeating: count, count: Int(mass * 20_000 + 0.5))
        }
        let trial = SaltTrial(counts: counts, unitCount: unitCount, share: share, seed: 7)
        for tenth in 1..<10 {
            let below = Double(trial.pValues.count { $0 < Double(tenth) / 10 }) / Double(counts.count)
            // z = 3.29 at 20,000 values.
            #expect(abs(below - Double(tenth) / 10) < 3.29 * 0.5 / 141)
        }
        #expect(trial.pValues == trial.pValues.sorted())
        #expect(trial.pValues.allSatisfy { $0 >= 0 && $0 <= 1 })
    }

    /// The interval is of the doubled smaller tail, and so a little wider than the test.
    @Test("The test of a rate is that of allot srm, and agrees with the interval but for few counts at its ends")
    func testAndInterval() throws {
        for rejected in 0...30 {
            let counts = [Int](repeating: 700, count: rejected) + [Int](repeating: 500, count: 200 - rejected)
            for level in SaltTrial(counts: counts, unitCount: 1000, share: 0.5, seed: 1).levels {
                let shares = [level.attained, 1 - level.attained]
                let ratio = RatioTest(counts: [rejected, 200 - rejected], shares: shares)
                let test = try #require(level.test)
                if ratio?.method == .exact { #expect(test.pValue == ratio?.pValue) }
                #expect(level.isInside || test.pValue < PValue(0.0125))
                #expect(!level.isInside || test.pValue > PValue(0.005))
            }
        }
    }

    @Test("Few units leave levels that no count reaches")
    func fewUnitsLeaveLevelsThatNothingReaches() {
        let trial = SaltTrial(counts: [0, 1, 2, 3], unitCount: 3, share: 0.5, seed: 1)
        #expect(trial.levels.allSatisfy { $0.attained == 0 && $0.test == nil && $0.rejectionCount == 0 })
    }
}
