/// The expected shares of categories, validated.
struct ExpectedShares: Sendable, Hashable {
    /// In a unit of their own; 0 or more.
    let weights: [Double]
    let sum: DoubleDouble
    /// How many weights are above 0: two or more.
    let possibleCount: Int

    init(_ shares: [Double]) throws(CountsError) {
        for (index, share) in shares.enumerated() where !(share >= 0 && share.isFinite) {
            throw .invalidShare(index: index, share: share)
        }
        possibleCount = shares.count { $0 > 0 }
        guard possibleCount > 1, let most = shares.max() else { throw .tooFewShares(count: possibleCount) }
        // By a power of two, which is exact, so that no sum and no product overflows.
        weights = shares.map { Double(sign: .plus, exponent: -most.exponent, significand: $0) }
        sum = weights.reduce(DoubleDouble(0)) { $0 + DoubleDouble($1) }
    }

    func share(_ index: Int) -> Double { weights[index] / sum.value }

    /// The share of all other categories, above 0 to 1.
    func remainder(_ index: Int) -> Double { (sum - DoubleDouble(weights[index])).value / sum.value }

    /// The observed count of a category less the expected one, which may agree in nearly all digits.
    func difference(_ count: Int, of total: DoubleDouble, in index: Int) -> Double {
        (DoubleDouble(count) * sum - total * DoubleDouble(weights[index])).value / sum.value
    }
}

/// A fault of counts that are to be tested against shares.
public enum CountsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There are more counts than shares, or fewer.
    case unequalLengths(counts: Int, shares: Int)
    /// A count is below 0.
    case negativeCount(index: Int, count: Int)
    /// A share is negative, NaN or infinite.
    case invalidShare(index: Int, share: Double)
    /// Fewer than two categories have a share above 0: whatever is counted, nothing can be learnt.
    case tooFewShares(count: Int)
    /// Every count is 0.
    case nothingCounted

    /// The fault and its fix.
    public var description: String {
        switch self {
        case .unequalLengths(let counts, let shares):
            "there are \(counts) counts and \(shares) shares; give one share for each count"
        case .negativeCount(let index, let count): "count \(index + 1) is \(count); a count is 0 or more"
        case .invalidShare(let index, let share):
            "share \(index + 1) is \(share); a share is a finite number of 0 or more"
        case .tooFewShares(let count):
            "\(count == 1 ? "1 category has" : "\(count) categories have") a share above 0; give two or more one"
        case .nothingCounted: "all counts are 0; there is nothing to test yet"
        }
    }
}
