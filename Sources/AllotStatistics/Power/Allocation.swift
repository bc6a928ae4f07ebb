import RealModule

/// How the units of an experiment are shared among its variants. The first is the control.
///
/// ```swift
/// let allocation = try Allocation(weights: [80, 10, 10])
/// print(allocation.counts(of: 1_000))  // [800, 100, 100]
/// ```
public struct Allocation: Sendable, Hashable {
    /// The share of each variant, above 0; together 1.
    public let shares: [Double]

    /// Shares in proportion to weights.
    ///
    /// - Parameter weights: two or more finite numbers above 0; the control's first.
    public init(weights: [Double]) throws(PowerError) {
        guard weights.count > 1 else { throw .tooFewVariants(weights.count) }
        for (index, weight) in weights.enumerated() where !(weight > 0 && weight.isFinite) {
            throw .invalidWeight(index: index, weight: weight)
        }
        let most = weights.max() ?? 1
        let sum = weights.reduce(0) { $0 + $1 / most }
        shares = weights.map { $0 / most / sum }
        // A share that is next to nothing would want more units than can be counted.
        if let index = shares.firstIndex(where: { $0 < 1e-9 }) {
            throw .invalidWeight(index: index, weight: weights[index])
        }
    }

    /// Equal shares.
    ///
    /// - Parameter variants: 2 or more, with the control.
    public init(variants: Int) throws(PowerError) {
        guard variants > 1 else { throw .tooFewVariants(variants) }
        try self.init(weights: [Double](repeating: 1, count: variants))
    }

    package var isEqual: Bool { shares.allSatisfy { $0 == shares.first } }

    /// The units of each variant, of a total number; rounded down.
    public func counts(of total: Int) -> [Int] { shares.map { Int((Double(total) * $0 * (1 + 1e-15)).rounded(.down)) } }

    /// The units of each variant, of a total number; rounded up.
    func counts(covering total: Double) -> [Int] { shares.map { Int((total * $0 * (1 - 1e-15)).rounded(.up)) } }
}

/// How the significance level is corrected if several treatments are compared with one control.
public enum Correction: String, Sendable, CaseIterable {
    /// Bonferroni's: the significance level is divided by the number of comparisons, so that the probability of any
    /// false alarm is at most that level.
    case bonferroni
    /// Dunnett's: as much as the comparisons need, which share one control, so that the probability of any false alarm
    /// is that level. For samples of hundreds of units.
    case dunnett
    /// No correction: each comparison has the whole significance level, and any false alarm is more likely than that.
    case none
}
