import RealModule

/// The distance of arms in covariates, and the distances that a rerandomisation accepts.
///
/// The distance is Σ *n*ₐ (x̄ₐ - x̄)ᵀ *S*⁻¹ (x̄ₐ - x̄) over the arms *a*: for two arms the *M* of K. L. Morgan and
/// D. B. Rubin, "Rerandomization to improve covariate balance in experiments" (2012), and for more of them *n* - 1
/// times the trace of K. C. S. Pillai (1955). Without rerandomisation the distance has about a chi-square distribution
/// with *p* (*k* - 1) degrees of freedom, for *p* linearly independent covariates and *k* arms.
package struct BalanceCriterion: Sendable, Hashable {
    /// The number of linearly independent covariates.
    package let rank: Int
    /// The number of arms, at least 2.
    package let armCount: Int

    package init(rank: Int, armCount: Int) {
        (self.rank, self.armCount) = (rank, armCount)
    }

    /// The degrees of freedom of the distance's distribution.
    package var degreesOfFreedom: Int { rank * (armCount - 1) }

    /// The distance of arms; infinite if an arm has no unit.
    ///
    /// - Parameters:
    ///   - counts: The number of units of each arm.
    ///   - sums: The sums of whitened columns (``Whitening``) of each arm.
    package func distance(counts: [Double], sums: [[Double]]) -> Double {
        guard counts.allSatisfy({ $0 > 0 }) else { return .infinity }
        var distance = 0.0
        let total = counts.reduce(0, +)
        for column in 0..<rank {
            var sum = 0.0
            for arm in 0..<armCount { sum += sums[arm][column] }
            let mean = sum / total
            for arm in 0..<armCount {
                let difference = sums[arm][column] / counts[arm] - mean
                distance += counts[arm] * difference * difference
            }
        }
        return distance
    }

    /// The largest distance that is accepted with a probability: Morgan and Rubin's threshold *a*.
    package func threshold(acceptance: Double) -> Double {
        ChiSquare.lowerQuantile(acceptance, degreesOfFreedom: Double(degreesOfFreedom))
    }

    /// The probability of a distance up to this one.
    package func probability(of distance: Double) -> Double {
        1 - ChiSquare.upperTail(distance, degreesOfFreedom: Double(degreesOfFreedom)).value
    }

    /// The variance of a difference in means after rerandomisation, as a part of the variance without, for an outcome
    /// whose correlation with the covariates has the square `r2`: 1 - (1 - *v*) *R*² with
    /// *v* = P(χ²ₚ₊₂ ≤ *a*) / P(χ²ₚ ≤ *a*) (Morgan and Rubin 2012, theorem 3.1, for two arms; X. Li, P. Ding and
    /// D. B. Rubin, "Asymptotic theory of rerandomization in treatment-control experiments", 2018).
    package func remainingVariance(acceptance: Double, r2: Double) -> Double {
        let threshold = threshold(acceptance: acceptance)
        let degrees = Double(degreesOfFreedom)
        let below = 1 - ChiSquare.upperTail(threshold, degreesOfFreedom: degrees + 2).value
        return 1 - (1 - below / acceptance) * r2
    }

    /// The variance of a difference in means under the best of several draws, as a part of that under one draw, for an
    /// outcome that the covariates determine: the expectation of the least distance, ∫ P(χ² > *x*)ⁿ d*x*, divided by
    /// that of a distance (Y. Wang and X. Li, "Asymptotic theory of the best-choice rerandomization using the
    /// Mahalanobis distance", 2023).
    package func remainingVariance(tries: Int) -> Double {
        let degrees = Double(degreesOfFreedom)
        // Beyond it the least distance is with a probability of exp(-30).
        let farthest = ChiSquare.lowerQuantile(-.expMinusOne(-30 / Double(tries)), degreesOfFreedom: degrees)
        // Over the root of the distance, as one degree of freedom has a density without bound at 0.
        let expectation = GaussLegendre.integral(from: 0, to: .sqrt(farthest), tolerance: 1e-10) { root in
            let upper = IncompleteGamma.upperLogarithm(degrees / 2, root * root / 2)
            return .exp(Double(tries) * upper) * 2 * root
        }
        return min(expectation / degrees, 1)
    }
}
