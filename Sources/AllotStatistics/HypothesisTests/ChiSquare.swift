import RealModule

/// Pearson's chi-square test of counts against expected shares: is the sample ratio what it should be?
///
/// K. Pearson, "On the criterion that a given system of deviations …" (1900). The p-value is a good approximation
/// when 5 or more are expected of each category.
///
/// ```swift
/// let test = try ChiSquare(counts: [44_700, 45_489], shares: [0.5, 0.5])
/// print(test.statistic, test.pValue)  // 6.90, p = 0.0086
/// ```
public struct ChiSquare: Sendable, Hashable {
    /// The sum of (observed - expected)² / expected over the categories, 0 or more; infinite when a category of share
    /// 0 was counted.
    public let statistic: Double
    /// The number of categories with a share, less one; at least 1.
    public let degreesOfFreedom: Int
    /// The probability of a statistic at least as large if the shares are true.
    public let pValue: PValue
    /// For each category the standardised residual, (observed - expected) / √(expected (1 - share)): a standard normal
    /// variable if the shares are true, so that the category with the largest one is the first to look at. With two
    /// categories its square is the statistic. In a category of share 0 it is 0, or infinite when there is a count.
    public let residuals: [Double]

    /// Tests counts against shares.
    ///
    /// A category of share 0 is left out while its count is 0; a count in it is impossible, and the p-value 0 (its
    /// logarithm minus infinity). No count is too large: differences are taken with 31 digits.
    ///
    /// Complexity: O(*n*) in the number of categories, and less than a millisecond for any of the numbers.
    ///
    /// - Parameters:
    ///   - counts: how often each category was seen, 0 or more.
    ///   - shares: the expected shares in any unit, 0 or more; as many as counts.
    public init(counts: [Int], shares: [Double]) throws(CountsError) {
        guard counts.count == shares.count else { throw .unequalLengths(counts: counts.count, shares: shares.count) }
        if let index = counts.firstIndex(where: { $0 < 0 }) { throw .negativeCount(index: index, count: counts[index]) }
        let expected = try ExpectedShares(shares)
        let total = counts.reduce(DoubleDouble(0)) { $0 + DoubleDouble($1) }
        guard total.value > 0 else { throw .nothingCounted }

        var statistic = 0.0
        var residuals: [Double] = []
        for (index, count) in counts.enumerated() {
            let difference = expected.difference(count, of: total, in: index)
            guard difference != 0 else {
                residuals.append(0)
                continue
            }
            let root = Double.sqrt(total.value) * .sqrt(expected.share(index))
            statistic += (difference / root) * (difference / root)
            residuals.append(difference / root / .sqrt(expected.remainder(index)))
        }
        self.statistic = statistic
        self.residuals = residuals
        degreesOfFreedom = expected.possibleCount - 1
        pValue = Self.upperTail(statistic, degreesOfFreedom: Double(degreesOfFreedom))
    }

    /// The probability that a chi-square variable exceeds a value: *Q*(*k*/2, *x*/2).
    package static func upperTail(_ value: Double, degreesOfFreedom: Double) -> PValue {
        PValue(logarithm: IncompleteGamma.upperLogarithm(degreesOfFreedom / 2, value / 2))
    }

    /// The value below which a chi-square variable is with a probability, above 0 and below 1.
    package static func lowerQuantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
        func distance(_ logarithm: Double) -> Double {
            let above = IncompleteGamma.upperLogarithm(degreesOfFreedom / 2, .exp(logarithm) / 2)
            // Of the two tails the smaller is the one to compare.
            return probability < 0.5
                ? Logarithm.complement(above) - .log(probability) : .log(onePlus: -probability) - above
        }
        var (low, high) = (Double.log(degreesOfFreedom), Double.log(degreesOfFreedom))
        while distance(low) > 0, low > -700 { low -= 1 }
        while distance(high) < 0, high < 700 { high += 1 }
        return .exp(FalsePosition.find(distance, from: low, to: high))
    }
}
