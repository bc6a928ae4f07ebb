/// What one randomisation did to the units of a sample.
public struct DivisionResult: Sendable {
    /// What was tested.
    public let randomisation: Randomisation
    /// The units of each category, the remainder last.
    public let categories: [Category]
    /// The chi-square test of the counts against the expected shares; `nil` where fewer than 5 units are expected.
    public internal(set) var shares: TestResult?
    /// Whether the first buckets are uniform; `nil` where they decide nothing, or there are too few units.
    public internal(set) var firstBuckets: UniformityResult?
    /// Whether the second buckets are uniform; `nil` where they decide nothing, or there are too few units.
    public internal(set) var secondBuckets: UniformityResult?
    /// Whether first and second bucket, so enrolment and variant, are independent: chi-square over ``partCount`` ×
    /// ``partCount`` equal parts.
    public internal(set) var independence: TestResult?
    /// The number of parts of each bucket in ``independence``.
    public let partCount: Int

    /// The units of one category.
    public struct Category: Sendable, Hashable {
        public let name: String
        /// How many units were counted.
        public let count: Int
        /// The expected share of all units is `shareNumerator / shareDenominator`, exactly.
        public let shareNumerator: Int
        public let shareDenominator: Int
        /// The number of units of the sample.
        public let unitCount: Int

        /// The expected share, 0 to 1.
        public var expectedShare: Double {
            Double(shareNumerator) / Double(shareDenominator)
        }

        /// The expected number of units.
        public var expected: Double {
            expectedShare * Double(unitCount)
        }

        /// The share of the units, 0 to 1; 0 without units.
        public var share: Double {
            unitCount > 0 ? Double(count) / Double(unitCount) : 0
        }

        /// How far the share is from the expected one, in the standard deviations of chance.
        public var standardScore: Double {
            let variance = expected * (1 - expectedShare)
            return variance > 0 ? (Double(count) - expected) / variance.squareRoot() : 0
        }
    }

    /// The category whose share is farthest from the expected one.
    public var largestDeviation: Category? {
        categories.max { abs($0.share - $0.expectedShare) < abs($1.share - $1.expectedShare) }
    }
}
