import AllotStatistics

/// The outcomes of the units of a test in the layout of ``ArmSums``, and the effects that a draw of arms gives.
///
/// The columns are an indicator of each observed arm, the outcome, and whitened covariates. Units without an outcome
/// have zeros only: they count for the balance of a draw and for nothing else.
struct OutcomeColumns: Sendable {
    let armCount: Int
    /// The number of whitened covariates; 0 without adjustment.
    let covariateCount: Int
    /// By column, by unit.
    private(set) var columns: [[Double]]
    /// The number of units with an outcome.
    let unitCount: Double
    /// The coefficients of the outcome on the covariates.
    private var slopes: [Double]
    /// By observed arm the coefficients of its indicator.
    private var armSlopes: [[Double]]

    /// - Parameters:
    ///   - values: By unit its outcome less the mean of all; NaN without one.
    ///   - arms: By unit the observed arm.
    ///   - whitened: The whitened covariates of the units with an outcome.
    init(values: [Double], arms: [UInt8], armCount: Int, whitened: [Double], covariateCount: Int) {
        (self.armCount, self.covariateCount) = (armCount, covariateCount)
        let zeros = [Double](repeating: 0, count: values.count)
        columns = Array(repeating: zeros, count: armCount + 1 + covariateCount)
        slopes = Array(repeating: 0, count: covariateCount)
        armSlopes = Array(repeating: slopes, count: armCount)
        var used = 0
        for (unit, value) in values.enumerated() where !value.isNaN {
            columns[Int(arms[unit])][unit] = 1
            columns[armCount][unit] = value
            for column in 0..<covariateCount {
                let covariate = whitened[used * covariateCount + column]
                columns[armCount + 1 + column][unit] = covariate
                slopes[column] += covariate * value
                armSlopes[Int(arms[unit])][column] += covariate
            }
            used += 1
        }
        unitCount = Double(used)
        let divisor = max(unitCount - 1, 1)
        slopes = slopes.map { $0 / divisor }
        armSlopes = armSlopes.map { slopes in slopes.map { $0 / divisor } }
    }

    /// The means that a draw gives its arms.
    struct Means: Sendable {
        /// The number of units of each arm.
        let counts: [Double]
        /// The means of the outcome.
        let outcomes: [Double]
        /// By observed arm the means of its indicator.
        let indicators: [[Double]]
    }

    /// The means of the arms of a draw, adjusted or not. Returns `nil` if an arm has no unit with an outcome.
    func means(_ sums: [[Double]], isAdjusted: Bool) -> Means? {
        let cross = sums.map { Array($0.prefix(armCount)) }
        let counts = cross.map { $0.reduce(0, +) }
        let covariates = sums.map { isAdjusted ? Array($0.dropFirst(armCount + 1)) : [] }
        guard let arms = ArmMeans(counts: counts, sums: covariates) else { return nil }
        func residuals(_ sums: [Double], _ slopes: [Double]) -> [Double] {
            sums.enumerated().map { arm, sum in zip(covariates[arm], slopes).reduce(sum) { $0 - $1.0 * $1.1 } }
        }
        let outcomes = arms.means(residuals(sums.map { $0[armCount] }, slopes))
        let indicators = (0..<armCount).map { observed in
            arms.means(residuals(cross.map { $0[observed] }, armSlopes[observed]))
        }
        return Means(counts: counts, outcomes: outcomes, indicators: indicators)
    }
}

/// The tests of all arms by one estimator, from the observed draw and others.
struct EffectTests: Sendable {
    /// By treatment the test of its difference from the first arm.
    let tests: [RandomisationTest]
    /// The p-value of no effect of any arm.
    let jointPValue: PValue
    /// By treatment the p-value after Holm's correction.
    let adjustedPValues: [PValue]

    /// - Parameters:
    ///   - observed: The means of the observed draw.
    ///   - draws: Those of the other draws; `nil` for one that gives an arm no unit, which counts as extreme.
    init(observed: OutcomeColumns.Means, draws: [OutcomeColumns.Means?]) {
        let effects = observed.outcomes.map { $0 - observed.outcomes[0] }
        let tests = effects.indices.dropFirst().map { arm in
            RandomisationTest(
                estimate: effects[arm],
                draws: draws.map { draw in
                    guard let draw else { return RandomisationTest.Draw(effect: .infinity, overlap: 1) }
                    // Other arms have the effects that were estimated; those of two arms alone are exact.
                    var effect = draw.outcomes[arm] - draw.outcomes[0]
                    for other in effects.indices where other != 0 && other != arm {
                        let indicator = draw.indicators[other]
                        effect -= effects[other] * (indicator[arm] - indicator[0])
                    }
                    let own = draw.indicators[arm]
                    return RandomisationTest.Draw(effect: effect, overlap: own[arm] - own[0])
                })
        }
        self.tests = tests
        let statistic = Self.joint(observed)
        let extreme = draws.count { $0.map { Self.joint($0) * (1 + 1e-9) >= statistic } ?? true }
        jointPValue = PValue(Double(1 + extreme) / Double(1 + draws.count))
        adjustedPValues = Holm.adjusted(tests.map(\.pValue))
    }

    /// The sum of squares between arms.
    private static func joint(_ means: OutcomeColumns.Means) -> Double {
        let pairs = zip(means.counts, means.outcomes)
        let mean = pairs.reduce(0) { $0 + $1.0 * $1.1 } / means.counts.reduce(0, +)
        return pairs.reduce(0) { $0 + $1.0 * ($1.1 - mean) * ($1.1 - mean) }
    }
}
