import RealModule

/// How the units of an experiment are shared among its variants. The first is the control.
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

    /// Whether all variants have the same share.
    public var isEqual: Bool {
        shares.allSatisfy { $0 == shares.first }
    }

    /// What each variant gets of a number of units, rounded down, so that nothing is promised that may not come.
    public func counts(of total: Int) -> [Int] {
        shares.map { Int((Double(total) * $0 * (1 + 1e-15)).rounded(.down)) }
    }

    /// What each variant needs so that none has less than its share of a number of units.
    func counts(covering total: Double) -> [Int] {
        shares.map { Int((total * $0 * (1 - 1e-15)).rounded(.up)) }
    }
}
