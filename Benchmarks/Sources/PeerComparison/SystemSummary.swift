import AllotAnalysis
import AllotStatistics

/// What the comparison says of one system.
public struct SystemSummary: Sendable {
    /// The system's name.
    public let name: String
    /// The system's number of buckets.
    public let bucketCount: Int
    /// The whole report; its p-values are corrected for one another.
    public let report: DistributionReport

    /// Summarises a report on a function.
    public init(_ function: any BucketingFunction, report: DistributionReport) {
        name = function.name
        bucketCount = function.bucketCount
        self.report = report
    }

    /// A family of tests that must all pass.
    public struct Family: Sendable {
        /// What is wrong when a test of them fails.
        public let failure: String
        /// The number of tests.
        public let count: Int
        /// The number of tests that fail: corrected p-values below the alarm level.
        public let failed: Int
        /// The smallest p-value before correction; `nil` without tests.
        public let smallest: PValue?
        /// The smallest p-value after Holm's correction for all tests of the system; `nil` without tests.
        public let smallestAdjusted: PValue?

        init(_ failure: String, _ tests: [TestResult?], level: Double) {
            let tests = tests.compactMap(\.self)
            self.failure = failure
            count = tests.count
            failed = tests.count { $0.adjustedPValue < PValue(level) }
            smallest = tests.map(\.pValue).min()
            smallestAdjusted = tests.map(\.adjustedPValue).min()
        }
    }

    private func family(_ failure: String, _ tests: (DistributionSample) -> [TestResult?]) -> Family {
        Family(failure, report.samples.flatMap(tests), level: report.alarmLevel)
    }

    /// Are the halves of every salt and shape equal?
    public var shares: Family {
        family("halves are not equal") { $0.divisions.map(\.shares) }
    }

    /// Is every bucket as frequent as the others, of each salt and of all together?
    public var uniformity: Family {
        family("buckets are not uniform") { sample in
            sample.uniformity.map(\.test)
                + sample.divisions.flatMap { [$0.firstBuckets?.test, $0.secondBuckets?.test] }
        }
    }

    /// Are any two salts independent, and with them the two buckets of one salt, where there are two?
    public var independence: Family {
        family("salts depend on each other") { sample in
            sample.pairs.map(\.test) + sample.divisions.map(\.independence)
        }
    }

    /// Do A/A comparisons find differences as often as they should?
    public var rates: Family {
        family("A/A comparisons alarm too often or too rarely") { $0.trial?.levels.map(\.test) ?? [] }
    }

    /// Are the p-values of A/A comparisons uniform?
    public var trialUniformity: Family {
        family("p-values of A/A comparisons are not uniform") { [$0.trial?.uniformity] }
    }

    /// All of them.
    public var families: [Family] {
        [shares, uniformity, independence, rates, trialUniformity]
    }

    /// The mean p-value of the halves, over salts and shapes; about 1/2 if nothing is wrong.
    public var meanSharePValue: Double {
        let values = report.samples.flatMap { $0.divisions.compactMap { $0.shares?.pValue.value } }
        return values.reduce(0, +) / Double(max(values.count, 1))
    }

    /// How often A/A comparisons found a difference at a level, over all shapes.
    public struct Rate: Sendable {
        /// The level: 0.05 stands for 5%.
        public let nominal: Double
        /// How often a perfect hash would: counts are whole numbers, so that it is not the level itself.
        public let attained: Double
        /// The number of comparisons.
        public let comparisonCount: Int
        /// The number of those that found a difference.
        public let rejectionCount: Int

        /// The share of comparisons that found a difference.
        public var value: Double {
            Double(rejectionCount) / Double(max(comparisonCount, 1))
        }
    }

    /// The false-positive rates at each level.
    public var falsePositives: [Rate] {
        let trials = report.samples.compactMap(\.trial)
        return (trials.first?.levels ?? []).indices.map { index in
            let levels = trials.map { $0.levels[index] }
            return Rate(
                nominal: levels[0].nominal, attained: levels[0].attained,
                comparisonCount: levels.reduce(0) { $0 + $1.saltCount },
                rejectionCount: levels.reduce(0) { $0 + $1.rejectionCount })
        }
    }
}
