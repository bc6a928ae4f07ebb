/// The means of arms, adjusted for covariates: the coefficients of the arms in a least-squares regression of the
/// outcome on an indicator of each arm and on covariates, with the same slopes in all arms (the analysis of covariance
/// of R. A. Fisher, 1932).
///
/// By the theorem of Frisch and Waugh (1933) and Lovell (1963) the sums of the arms are all that it needs. A regression
/// with interactions (W. Lin, "Agnostic notes on regression adjustments to experimental data", 2013) would need the
/// products of covariates in each arm of each draw; after rerandomisation the two differ little.
package struct ArmMeans: Sendable {
    /// The normal equations as *L* *D* *L*ᵀ: by arm the row of *L* before its diagonal, and the diagonal *D*.
    private let rows: [[Double]]
    private let diagonal: [Double]

    /// Prepares the arms of one draw. Returns `nil` if an arm has no unit, or if covariates determine an arm.
    ///
    /// - Parameters:
    ///   - counts: The number of units of each arm.
    ///   - sums: The sums of each arm of columns that are whitened over all units of the arms (``Whitening``); empty
    ///     lists for means without adjustment.
    package init?(counts: [Double], sums: [[Double]]) {
        let total = counts.reduce(0, +)
        func product(_ arm: Int, _ other: Int) -> Double {
            let covariates = zip(sums[arm], sums[other]).reduce(0) { $0 + $1.0 * $1.1 } / max(total - 1, 1)
            return (arm == other ? counts[arm] : 0) - covariates
        }
        var rows: [[Double]] = []
        var diagonal: [Double] = []
        for arm in counts.indices {
            var row: [Double] = []
            for other in 0..<arm {
                var value = product(arm, other)
                for place in 0..<other { value -= row[place] * rows[other][place] * diagonal[place] }
                row.append(value / diagonal[other])
            }
            var value = product(arm, arm)
            for place in 0..<arm { value -= row[place] * row[place] * diagonal[place] }
            guard counts[arm] > 0, value > counts[arm] * 1e-9 else { return nil }
            rows.append(row)
            diagonal.append(value)
        }
        (self.rows, self.diagonal) = (rows, diagonal)
    }

    /// The adjusted means of an outcome.
    ///
    /// - Parameter residuals: By arm, the sum of the outcome less its prediction by the whitened columns, whose
    ///   coefficients are Σ *z* *y* / (*n* - 1).
    package func means(_ residuals: [Double]) -> [Double] {
        var values = residuals
        for arm in values.indices {
            for other in 0..<arm { values[arm] -= rows[arm][other] * values[other] }
        }
        for arm in values.indices { values[arm] /= diagonal[arm] }
        for arm in values.indices.reversed() {
            for other in arm + 1..<values.count { values[arm] -= rows[other][arm] * values[other] }
        }
        return values
    }
}
