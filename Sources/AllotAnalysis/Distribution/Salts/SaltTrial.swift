import AllotStatistics

/// A/A comparisons: the same units split in two halves under each of many salts. Nothing differs between the halves,
/// so that a test at a level of 5% must find a difference for 5% of the salts.
public struct SaltTrial: Sendable {
    /// The number of salts.
    public let saltCount: Int
    /// The number of units that each salt splits.
    public let unitCount: Int
    /// How often Pearson's chi-square test took the split for uneven.
    public internal(set) var levels: [Level]
    /// The p-values of the salts in ascending order: exact ones of the binomial distribution, randomised.
    ///
    /// A count takes whole values only, so that its plain p-values are not uniform, even if all is well. A randomised
    /// one is P(farther from the mean) + *u* × P(as far), with *u* drawn between 0 and 1; under the null hypothesis it
    /// is uniform, exactly.
    public let pValues: [Double]
    /// Whether ``pValues`` are uniform, by Kolmogorov and Smirnov.
    public internal(set) var uniformity: TestResult?

    /// The results at one level.
    public struct Level: Sendable, Hashable {
        /// The nominal level: 0.05 stands for 5%.
        public let nominal: Double
        /// The probability that the test rejects a fair split, from the binomial distribution. It differs from the
        /// nominal level because counts are whole numbers.
        public let attained: Double
        /// The number of salts whose p-value is below the nominal level.
        public let rejectionCount: Int
        /// The number of salts.
        public let saltCount: Int
        /// The Clopper–Pearson interval of 99% around the rate.
        public let interval: ClosedRange<Double>
        /// The exact binomial test of the rate against ``attained``.
        public internal(set) var test: TestResult?

        /// The share of salts whose p-value is below the nominal level.
        public var rate: Double {
            Double(rejectionCount) / Double(saltCount)
        }

        /// Whether the interval holds the probability of rejecting a fair split.
        public var isInside: Bool {
            interval.contains(attained)
        }
    }

    static let nominalLevels = [0.05, 0.01, 0.001]
    static let confidence = 0.99

    /// Judges splits.
    ///
    /// - Parameters:
    ///   - counts: for each salt how many units are in the first half; at least one salt.
    ///   - unitCount: the number of units, 1 or more.
    ///   - share: the expected share of the first half, which is 1/2 but for an odd number of buckets.
    ///   - seed: what the randomised p-values depend on.
    init(counts: [Int], unitCount: Int, share: Double, seed: UInt64) {
        saltCount = counts.count
        self.unitCount = unitCount
        let split = ExactBinomial(trials: unitCount, probability: share)
        let mean = Double(unitCount) * share
        let plain = (0...unitCount).map { count in
            let difference = Double(count) - mean
            return ChiSquare.upperTail(difference * difference / (mean * (1 - share)), degreesOfFreedom: 1.0).value
        }
        levels = Self.nominalLevels.map { nominal in
            let attained = plain.indices.reduce(0) { $0 + (plain[$1] < nominal ? split.masses[$1] : 0) }
            return Level(
                nominal: nominal, attained: attained, rejected: counts.count { plain[$0] < nominal }, of: counts.count)
        }
        pValues = counts.enumerated().map { index, count in
            let tails = split.tails(count)
            return tails.farther
                + NumberedRandom.fraction(index, seed: ~seed) * max(tails.atLeastAsFar - tails.farther, 0)
        }.sorted()
        uniformity = KolmogorovSmirnov(uniform: pValues).map {
            TestResult(statistic: $0.statistic, degreesOfFreedom: 0, pValue: $0.pValue)
        }
    }
}

extension SaltTrial.Level {
    fileprivate init(nominal: Double, attained: Double, rejected: Int, of saltCount: Int) {
        self.nominal = nominal
        self.attained = attained
        rejectionCount = rejected
        self.saltCount = saltCount
        interval = ProportionInterval.clopperPearson(
            successes: rejected, trials: saltCount, confidence: SaltTrial.confidence)
        guard attained > 0, attained < 1 else { return }
        let exact = ExactBinomial(trials: saltCount, probability: attained)
        test = TestResult(
            statistic: Double(rejected), degreesOfFreedom: 0, pValue: PValue(exact.pValue(rejected)))
    }
}
