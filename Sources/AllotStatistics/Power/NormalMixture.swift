import RealModule

/// The sequential test of a mean that is valid at every look: Wald's sequential probability ratio test with a normal
/// mixture over the effects (mSPRT).
///
/// With a difference *x* of variance *V* the ratio is √(*V* / (*V* + *τ*²)) exp(*τ*² *x*² / (2 *V* (*V* + *τ*²))); the
/// test finds an effect once the ratio reaches 1/*α* (R. Johari, P. Koomen, L. Pekelis and D. Walsh, "Peeking at A/B
/// tests", 2017). The probability that it ever does so without an effect is at most *α*. *τ*² is the one whose limit is
/// lowest for the variance at the planned end (S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, "Time-uniform,
/// nonparametric, nonasymptotic confidence sequences", 2021, equation 62).
package struct NormalMixture: Sendable, Hashable {
    /// The variance of the effects in the mixture.
    package let variance: Double
    /// log (1/*α*).
    private let threshold: Double

    /// - Parameter squaredError: the variance of the difference at the planned end, above 0.
    package init(significance: Double, tunedTo squaredError: Double) {
        threshold = -.log(significance)
        // r = τ²/V solves r = 2 log(1/α) + log(1 + r), a contraction.
        var ratio = 2 * threshold
        for _ in 0..<200 {
            let next = 2 * threshold + .log(onePlus: ratio)
            guard abs(next - ratio) > 1e-15 * next else { break }
            ratio = next
        }
        variance = ratio * squaredError
    }

    /// The least difference, in standard errors, that is found at a look.
    package func limit(squaredError: Double) -> Double {
        let ratio = variance / squaredError
        return .sqrt((1 + 1 / ratio) * (2 * threshold + .log(onePlus: ratio)))
    }

    /// The probability that one look finds an effect; that of all looks until then is at least this.
    package func power(effect: Double, squaredError: Double) -> Double {
        power(standardised: abs(effect) / .sqrt(squaredError), limit(squaredError: squaredError))
    }

    /// The smallest effect that one look finds with a power.
    package func detectableEffect(power: Double, squaredError: Double) -> Double {
        let limit = limit(squaredError: squaredError)
        return .sqrt(squaredError) * Self.effect(reaching: power) { self.power(standardised: $0, limit) }
    }

    private func power(standardised effect: Double, _ limit: Double) -> Double {
        min(1, Normal.upper(limit - effect) + Normal.upper(limit + effect))
    }

    /// The effect, in standard errors, at which a rising function reaches a power.
    static func effect(reaching power: Double, _ function: (Double) -> Double) -> Double {
        FalsePosition.findAboveZero { PowerAnalysis.distance(function($0), power) }
    }
}
