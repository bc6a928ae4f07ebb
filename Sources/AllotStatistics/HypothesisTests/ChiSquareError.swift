/// Why counts cannot be tested against shares.
public enum ChiSquareError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There are more counts than shares, or fewer.
    case unequalLengths(counts: Int, shares: Int)
    /// A count is below 0.
    case negativeCount(index: Int, count: Int)
    /// The shares are none.
    case shares(SharesError)
    /// Every count is 0.
    case nothingCounted

    /// What is wrong, and how to mend it.
    public var description: String {
        switch self {
        case .unequalLengths(let counts, let shares):
            "there are \(counts) counts and \(shares) shares; give one share for each count"
        case .negativeCount(let index, let count): "count \(index + 1) is \(count); a count is 0 or more"
        case .shares(let error): error.description
        case .nothingCounted: "all counts are 0; there is nothing to test yet"
        }
    }
}
