import RealModule

/// The noncentral *t* distribution: that of (*z* + *δ*) / *s*, with *z* a standard normal variable and *k s*² an
/// independent chi-square variable of *k* degrees of freedom.
///
/// The density of *s* times the normal tail that remains is log-concave; it is integrated to both sides of its maximum,
/// so that small tails keep their digits.
struct NoncentralT: Sendable, Hashable {
    /// *k*, 1 or more; not necessarily whole.
    let degreesOfFreedom: Double
    /// *δ*, the mean of the normal variable.
    let noncentrality: Double

    /// The probability that a test finds something: beyond a critical value or, on two sides, its negative.
    func power(_ critical: Double, _ sides: TestSides) -> Double {
        let found = Double.exp(upperLogarithm(critical))
        return sides == .two ? min(1, found + .exp(lowerLogarithm(-critical))) : found
    }

    /// The natural logarithm of the probability of a value at most as large.
    func lowerLogarithm(_ value: Double) -> Double {
        Self(degreesOfFreedom: degreesOfFreedom, noncentrality: -noncentrality).upperLogarithm(-value)
    }

    /// The natural logarithm of the probability of a value at least as large.
    func upperLogarithm(_ value: Double) -> Double {
        let mode = mode(value)
        let height = density(mode, value)
        guard height > -.infinity else { return height }
        let scale = 1 / Double.sqrt(degreesOfFreedom)
        let error = abs(height) * .ulpOfOne
        let above = DecayingIntegral.value(to: .infinity, scale: scale, error: error) {
            height - density(mode + $0, value)
        }
        guard mode > 0 else { return min(0, height + .log(above)) }
        let below = DecayingIntegral.value(to: mode, scale: scale, error: error) {
            height - density(mode - $0, value)
        }
        return min(0, height + .log(above + below))
    }

    /// The logarithm of the density of s times the probability that z exceeds t s - δ.
    private func density(_ s: Double, _ value: Double) -> Double {
        let k = degreesOfFreedom
        let part = s - 1
        // sᵏ⁻¹ exp(-k s²/2) kᵏ² / (2ᵏ²⁻¹ Γ(k/2)), written so that nothing large cancels.
        let power = k > 1 ? (k - 1) * SaddlePoint.excess(part) : 0
        let density =
            0.5 * (.log(k) - .log(.pi)) - SaddlePoint.stirlingError(k / 2) - part - k * part * part / 2 - power
        return density + Normal.upperLogarithm(value * s - noncentrality)
    }

    /// Where the density is largest: its logarithm is concave, and its slope falls.
    private func mode(_ value: Double) -> Double {
        func rises(_ s: Double) -> Bool {
            let k = degreesOfFreedom
            return (k - 1) / s - k * s > value * Normal.hazard(value * s - noncentrality)
        }
        var (low, high) = (0.0, 1.0)
        while rises(high) { (low, high) = (high, 2 * high) }
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if rises(middle) { low = middle } else { high = middle }
        }
        return low
    }
}
