import RealModule

/// The comparisons of several treatments with one control, in samples that are large enough for normal distributions.
///
/// C. W. Dunnett, "A multiple comparison procedure for comparing several treatments with a control" (1955): the
/// differences share the control, so that two of them have the correlation *λ*ᵢ *λ*ⱼ with *λ*ᵢ = √(*n*ᵢ / (*n*ᵢ +
/// *n*₀)), and given the control they are independent. One integral is therefore exact for any number of treatments of
/// any sizes.
package struct Dunnett: Sendable, Hashable {
    private let loadings: [Double]
    private let sides: TestSides

    /// - Parameter shares: in proportion to the units of the arms, each above 0; the control's first, and one or more
    ///   treatments'.
    package init(shares: [Double], sides: TestSides) {
        loadings = shares.dropFirst().map { .sqrt($0 / ($0 + shares[0])) }
        self.sides = sides
    }

    /// The probability that any difference, in standard errors, exceeds a value if no treatment has an effect.
    package func exceeding(_ value: Double) -> Double {
        stride(from: -12.0, to: 12, by: 2).reduce(0) { sum, start in
            sum
                + GaussLegendre.integral(from: start, to: start + 2, tolerance: 1e-13) { control in
                    .exp(-0.5 * control * control) / .sqrt(2 * .pi) * exceeding(value, given: control)
                }
        }
    }

    private func exceeding(_ value: Double, given control: Double) -> Double {
        let inside = loadings.reduce(0) { sum, loading in
            let rest = Double.sqrt(1 - loading * loading)
            let above = Normal.upper((value - loading * control) / rest)
            let below = sides == .two ? Normal.upper((value + loading * control) / rest) : 0
            return sum + .log(onePlus: -min(above + below, 1))
        }
        return -.expMinusOne(inside)
    }

    /// The level of each comparison at which the probability of any false alarm is a level for all.
    package func comparisonSignificance(_ significance: Double) -> Double {
        guard loadings.count > 1 else { return significance }
        let tails = sides == .two ? 2.0 : 1
        let least = Normal.upperQuantile(significance / tails)
        let most = Normal.upperQuantile(significance / tails / Double(loadings.count))
        let critical = FalsePosition.find(
            { .log(significance) - .log(exceeding($0)) }, from: least, to: most + 1e-9)
        return tails * Normal.upper(critical)
    }
}
