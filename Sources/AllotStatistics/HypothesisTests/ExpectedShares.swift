/// What is expected of each category, checked.
struct ExpectedShares: Sendable, Hashable {
    /// In a unit of their own; 0 or more.
    let weights: [Double]
    /// The sum of the weights.
    let sum: DoubleDouble
    /// How many weights are above 0: two or more.
    let possibleCount: Int

    /// Takes shares in any unit.
    init(_ shares: [Double]) throws(SharesError) {
        for (index, share) in shares.enumerated() where !(share >= 0 && share.isFinite) {
            throw .invalid(index: index, share: share)
        }
        possibleCount = shares.count { $0 > 0 }
        guard possibleCount > 1, let most = shares.max() else { throw .tooFew(count: possibleCount) }
        // By a power of two, which is exact, so that no sum and no product overflows.
        weights = shares.map { Double(sign: .plus, exponent: -most.exponent, significand: $0) }
        sum = weights.reduce(DoubleDouble(0)) { $0 + DoubleDouble($1) }
    }

    /// The share of a category, 0 to 1.
    func share(_ index: Int) -> Double {
        weights[index] / sum.value
    }

    /// The share of all other categories, above 0 to 1.
    func remainder(_ index: Int) -> Double {
        (sum - DoubleDouble(weights[index])).value / sum.value
    }

    /// What a category has above what is expected of it. The two may agree in nearly all their digits.
    func difference(_ count: Int, of total: DoubleDouble, in index: Int) -> Double {
        (DoubleDouble(count) * sum - total * DoubleDouble(weights[index])).value / sum.value
    }
}
