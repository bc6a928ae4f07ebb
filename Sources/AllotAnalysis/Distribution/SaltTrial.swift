import AllotCore
import AllotStatistics

/// A/A comparisons: the same units split in two halves under each of many salts. The halves do not differ,
/// so that a test at a level of 5% must find a difference for 5% of the salts.
public struct SaltTrial: Sendable {
    /// The number of salts.
    public let saltCount: Int
    let unitCount: Int
    /// How often Pearson's chi-square test took the split for uneven.
    public internal(set) var levels: [Level]
    /// The p-values of the salts in ascending order: exact ones of the binomial distribution, randomised.
    ///
    /// A count takes whole values only, so that its plain p-values are not uniform, even if all is well. A randomised
    /// one is P(farther from the mean) + *u* × P(as far), with a random *u* between 0 and 1; under the null hypothesis
    /// it is uniform, exactly.
    let pValues: [Double]
    /// Whether the p-values of the salts are uniform, by Kolmogorov and Smirnov.
    public internal(set) var uniformity: TestResult?

    /// The results at one level.
    public struct Level: Sendable, Hashable {
        /// The nominal level: 0.05 stands for 5%.
        public let nominal: Double
        /// The probability that the test rejects a fair split, from the binomial distribution; other than the
        /// nominal level because counts are whole numbers.
        public let attained: Double
        /// The number of salts whose p-value is below the nominal level.
        public let rejectionCount: Int
        /// The number of salts.
        public let saltCount: Int
        /// The Clopper–Pearson interval of 99% around the rate.
        let interval: ClosedRange<Double>
        /// The exact binomial test of the rate against ``attained``: the probability of counts that are no more
        /// probable than this one. That may be below 1% although the Clopper–Pearson interval of 99%, which is wider,
        /// holds the probability.
        public internal(set) var test: TestResult?

        var rate: Double { Double(rejectionCount) / Double(saltCount) }
        var isInside: Bool { interval.contains(attained) }
    }

    static let nominalLevels = [0.05, 0.01, 0.001]
    static let confidence = 0.99

    /// Judges splits by the number of units in the first half for each salt, of which there is at least one; the
    /// expected share of that half is 1/2 but for an odd number of buckets.
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
            let rejected = counts.count { plain[$0] < nominal }
            let interval = ProportionInterval.clopperPearson(
                successes: rejected, trials: counts.count, confidence: Self.confidence)
            let (outcomes, isTestable) = ([rejected, counts.count - rejected], attained > 0 && attained < 1)
            let exact = isTestable ? try? MultinomialTest(counts: outcomes, shares: [attained, 1 - attained]) : nil
            let test = exact.map { TestResult(statistic: Double(rejected), degreesOfFreedom: 0, pValue: $0.pValue) }
            return Level(
                nominal: nominal, attained: attained, rejectionCount: rejected, saltCount: counts.count,
                interval: interval, test: test)
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

extension DistributionStudy {
    private static let saltBatchSize = 16

    /// Splits the same units in two halves under each of many salts; `nil` without salts or units.
    func trial(on units: [UnitBlock], progress: @escaping @Sendable (Int) -> Void) async -> SaltTrial? {
        let unitCount = units.reduce(0) { $0 + $1.count }
        guard saltCount > 0, unitCount > 0, function.bucketCount > 1 else { return nil }
        let half = function.bucketCount / 2
        let counts = await counts(of: units, below: UInt32(half)) { progress($0 * unitCount) }
        return SaltTrial(
            counts: counts, unitCount: unitCount, share: Double(half) / Double(function.bucketCount), seed: seed)
    }

    private func counts(
        of units: [UnitBlock], below half: UInt32, progress: @escaping @Sendable (Int) -> Void
    ) async -> [Int] {
        await withTaskGroup(of: (Int, [Int]).self) { group in
            var batches = stride(from: 0, to: saltCount, by: Self.saltBatchSize).makeIterator()
            func addNext() {
                guard let start = batches.next() else { return }
                let salts = start..<min(start + Self.saltBatchSize, saltCount)
                group.addTask {
                    let counts = counts(of: units, under: salts, below: half)
                    progress(salts.count)
                    return (start, counts)
                }
            }
            for _ in 0..<max(taskCount, 1) { addNext() }
            var all = [Int](repeating: 0, count: saltCount)
            for await (start, counts) in group {
                all.replaceSubrange(start..<start + counts.count, with: counts)
                addNext()
            }
            return all
        }
    }

    private func counts(of units: [UnitBlock], under salts: Range<Int>, below half: UInt32) -> [Int] {
        var buckets = UnitBuckets(count: units.map(\.count).max() ?? 0)
        // Always a salt: letters, digits and hyphens.
        return salts.compactMap { Salt("aa-\(seed)-\($0)") }.map { salt in
            units.reduce(0) { sum, block in
                function.fill(&buckets, for: block, under: .sha256(salt))
                let seconds = buckets.second.span
                var count = sum
                for index in 0..<block.count where seconds[index] < half { count &+= 1 }
                return count
            }
        }
    }
}
