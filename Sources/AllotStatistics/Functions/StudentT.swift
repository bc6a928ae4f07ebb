import RealModule

/// Student's *t* distribution through the incomplete beta function (M. Abramowitz and I. A. Stegun, Handbook of
/// Mathematical Functions, 26.7.1), which keeps the digits of small tails, with up to 1e13 degrees of freedom.
struct StudentT: Sendable, Hashable {
    /// Above 0; not necessarily whole.
    let degreesOfFreedom: Double

    /// The value that is exceeded with a probability; 0 gives infinity and 1 minus infinity.
    func upperQuantile(_ probability: Double) -> Double {
        guard probability <= 0.5 else { return -upperQuantile(1 - probability) }
        guard probability > 0 else { return .infinity }
        let half = degreesOfFreedom / 2
        // Of the two tails of beta the smaller is the one to solve for.
        let point =
            probability < 0.25
            ? IncompleteBeta.quantile(lowerLogarithm: .log(2 * probability), half, 0.5)
            : IncompleteBeta.quantile(lowerLogarithm: .log(onePlus: -2 * probability), 0.5, half).reversed
        return .sqrt(degreesOfFreedom * (point.complement / point.value))
    }

    /// The natural logarithm of the probability of a value at least as far from 0, on either side.
    func outsideLogarithm(_ value: Double) -> Double {
        guard value.isFinite else { return value.isNaN ? 0 : -.infinity }
        let square = value * value
        let sum = degreesOfFreedom + square
        return IncompleteBeta.lowerLogarithm(
            degreesOfFreedom / 2, 0.5, degreesOfFreedom / sum, complement: square / sum)
    }
}
