import RealModule

/// Pearson's chi-square test of counts against expected shares.
public struct ChiSquare: Sendable, Hashable {
    /// The statistic: the sum of (observed - expected)² / expected.
    public let statistic: Double
    /// The number of categories less one.
    public let degreesOfFreedom: Int
    /// The probability of a statistic at least as large if the shares are true, 0 to 1.
    public let pValue: Double

    /// Tests counts against shares.
    ///
    /// Categories of share 0 are left out; a count in one of them makes the p-value 0. The formula is Pearson's
    /// (1900); it is a good approximation when each expected count is 5 or more.
    ///
    /// - Parameters:
    ///   - counts: how often each category was seen, 0 or more.
    ///   - shares: what is expected, in any unit; as many as counts.
    /// - Returns: `nil` when fewer than two categories have a share, or nothing was counted.
    public init?(counts: [Int], shares: [Double]) {
        let totalShare = shares.reduce(0, +)
        let total = Double(counts.reduce(0, +))
        let categories = zip(counts, shares).filter { $0.1 > 0 }
        guard total > 0, totalShare > 0, categories.count > 1 else { return nil }
        let hasImpossible = zip(counts, shares).contains { $0.0 > 0 && $0.1 <= 0 }
        statistic = categories.reduce(0) { sum, category in
            let expected = total * category.1 / totalShare
            let difference = Double(category.0) - expected
            return sum + difference * difference / expected
        }
        degreesOfFreedom = categories.count - 1
        pValue =
            hasImpossible ? 0 : Self.upperTail(statistic, degreesOfFreedom: Double(degreesOfFreedom))
    }

    /// The probability that a chi-square variable exceeds a value: Q(*k*/2, *x*/2).
    ///
    /// - Parameters:
    ///   - value: 0 or more.
    ///   - degreesOfFreedom: above 0.
    public static func upperTail(_ value: Double, degreesOfFreedom: Double) -> Double {
        IncompleteGamma.upper(degreesOfFreedom / 2, value / 2)
    }
}
