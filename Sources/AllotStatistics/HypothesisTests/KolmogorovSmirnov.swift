import RealModule

/// The test of Kolmogorov and Smirnov: are values uniform from 0 to 1? A. N. Kolmogorov, "Sulla determinazione empirica
/// di una legge di distribuzione" (1933). The p-value is two-sided and exact.
package struct KolmogorovSmirnov: Sendable, Hashable {
    /// The largest distance of the empirical distribution from the uniform one, 0 to 1.
    package let statistic: Double
    package let pValue: PValue

    package init?(uniform values: [Double]) {
        guard !values.isEmpty, values.allSatisfy({ $0 >= 0 && $0 <= 1 }) else { return nil }
        let count = Double(values.count)
        var statistic = 0.0
        for (index, value) in values.sorted().enumerated() {
            statistic = max(statistic, Double(index + 1) / count - value, value - Double(index) / count)
        }
        self.statistic = statistic
        pValue = Self.upperTail(statistic, count: values.count)
    }

    /// Above this product of the sample size and the squared distance, the probability that a sample is too high in
    /// one place and too low in another is below 1e-12 of that of either.
    private static let oneSided = 4.6
    /// Below this one the p-value is 1 in all its digits.
    private static let certain = 0.0225

    /// The probability of at least this distance, 0 to 1, between a sample of some values and their distribution.
    package static func upperTail(_ statistic: Double, count: Int) -> PValue {
        let product = statistic * Double(count)
        guard product > 0.5, product * statistic > certain else { return PValue(1) }
        guard statistic < 1 else { return PValue(0) }
        if statistic >= 0.5 || product * statistic > oneSided {
            return PValue(logarithm: .log(2) + SmirnovTail.upperLogarithm(statistic, count: count))
        }
        let lower =
            product >= KolmogorovSpectrum.leastProduct
            ? KolmogorovSpectrum.lower(statistic, count: count) : KolmogorovMatrix.lower(statistic, count: count)
        return PValue(logarithm: .log(onePlus: -lower))
    }
}
