import RealModule

/// A test of counts against expected shares whose p-value is valid after every unit.
///
/// M. Lindon and A. Malek, "Anytime-valid inference for multinomial count data" (NeurIPS 2022). The null hypothesis,
/// that each unit falls into category *i* with probability θᵢ, is weighed against shares drawn from a Dirichlet
/// distribution with parameters *c* θᵢ. The Bayes factor is
///
///     B(cθ + n) / (B(cθ) Π θᵢ^nᵢ),   B being the multivariate beta function,
///
/// and the least of 1 and its reciprocal up to now is a p-value at every instant: whenever one stops, the probability
/// that it has been at or below α is at most α if the shares are true.
package struct SequentialRatioTest: Sendable, Hashable {
    package private(set) var counts: [Int]
    /// The natural logarithm of the Bayes factor of the counts: above 0 they speak against the shares, below 0 for
    /// them. Infinite once a category of share 0 was counted.
    package private(set) var bayesFactorLogarithm = 0.0
    /// The p-value that is valid at any time: it never rises, and is 0 once a category of share 0 was counted.
    package private(set) var pValue = PValue(logarithm: 0)

    private let shares: ExpectedShares
    private let concentration: Double
    /// The parameters of the Dirichlet distribution; 0 for a share of 0.
    private let priors: [Double]
    /// A constant that makes the Bayes factor 1 when nothing is counted.
    private let start: Double

    package init(shares: [Double], concentration: Double = 100) throws(CountsError) {
        precondition(concentration > 0 && concentration.isFinite, "the concentration is a finite number above 0")
        self.shares = try ExpectedShares(shares)
        self.concentration = concentration
        let expected = self.shares
        priors = shares.indices.map { concentration * expected.share($0) }
        start = Self.corrections(priors, sum: concentration)
        counts = shares.map { _ in 0 }
    }

    /// Counts units, and looks once: the test is as valid with many looks, but misses a mismatch among the units that
    /// passed before their end. Complexity: O(number of categories).
    package mutating func observe(counts: [Int]) {
        precondition(counts.count == self.counts.count, "one count for each share")
        for (category, count) in counts.enumerated() {
            precondition(count >= 0, "counts are 0 or more")
            self.counts[category] += count
        }
        bayesFactorLogarithm = currentLogarithm
        pValue = min(pValue, PValue(logarithm: -bayesFactorLogarithm))
    }

    /// The level of Pearson's test that detects the same deviations among *n* units: those with
    ///
    ///     χ² > (c + n)/n · (2 log(1/α) + (k - 1) log((c + n)/c)),
    ///
    /// which is where the Bayes factor reaches 1/α, but for terms that vanish with many units of each category.
    package static func equivalentLevel(
        _ level: Double, units: Double, degreesOfFreedom: Int, concentration: Double = 100
    ) -> Double {
        let growth = Double(degreesOfFreedom) * .log((concentration + units) / concentration)
        let critical = (concentration + units) / units * (growth - 2 * .log(level))
        let tail = ChiSquare.upperTail(critical, degreesOfFreedom: Double(degreesOfFreedom))
        // A level of 0 would never be reached.
        return max(tail.value, .leastNormalMagnitude)
    }

    /// With *z* = *cθ* + *n* the Bayes factor is Π Γ(zᵢ) θᵢ^-zᵢ / Γ(Σ z), and the same for the priors alone beneath
    /// it. In Stirling's formula of it the large terms are those of a deviance, which has no cancellation however
    /// large the counts.
    private var currentLogarithm: Double {
        let total = counts.reduce(DoubleDouble(0)) { $0 + DoubleDouble($1) }
        let sum = concentration + total.value
        var deviance = 0.0
        for (category, prior) in priors.enumerated() {
            let count = counts[category]
            guard shares.weights[category] > 0 else {
                if count > 0 { return .infinity }
                continue
            }
            deviance += SaddlePoint.deviance(
                prior + Double(count), expected: sum * shares.share(category),
                difference: shares.difference(count, of: total, in: category))
        }
        return deviance + Self.corrections(zip(priors, counts).map { $0 + Double($1) }, sum: sum) - start
    }

    /// The terms of Stirling's formula other than the deviance.
    private static func corrections(_ parameters: [Double], sum: Double) -> Double {
        parameters.reduce(0.5 * .log(sum) - SaddlePoint.stirlingError(sum)) { total, parameter in
            parameter > 0 ? total - 0.5 * .log(parameter) + SaddlePoint.stirlingError(parameter) : total
        }
    }
}
