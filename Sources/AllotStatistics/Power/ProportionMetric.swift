import RealModule

/// A share of units, such as a conversion rate, compared by the *z*-test of two proportions.
///
/// The test's standard error is that of the pooled proportion; the power allows for the different variances of the two
/// proportions if the effect is real. That is J. L. Fleiss, "Statistical methods for rates and proportions" (1981),
/// without correction for continuity; `power_proportions_2indep` of statsmodels and `power.prop.test` of R do the
/// same. The normal approximation needs 10 or more successes and failures in each sample.
///
/// ```swift
/// let conversion = try ProportionMetric(baseline: 0.1)
/// let analysis = try PowerAnalysis(metric: conversion, allocation: Allocation(variants: 2))
/// print(try analysis.power(effect: 0.01, sizes: [10_000, 10_000]))
/// ```
public struct ProportionMetric: PowerMetric, Hashable {
    /// The control's rate, above 0 and below 1.
    public let baseline: Double

    /// A rate of which the control's is known.
    ///
    /// - Parameter baseline: the control's rate, above 0 and below 1.
    public init(baseline: Double) throws(PowerError) {
        guard baseline > 0, baseline < 1 else { throw .invalidBaseline(baseline) }
        self.baseline = baseline
    }

    /// The control's rate.
    public var control: Double? { baseline }

    /// From a rate of 0 to one of 1.
    public var effects: ClosedRange<Double> { -baseline...(1 - baseline) }

    /// The probability that the test finds an effect.
    public func power(_ effect: Double, in comparison: SampleComparison) -> Double {
        let (control, treatment) = (comparison.control, comparison.treatment)
        let rate = min(max(baseline + effect, 0), 1)
        let pooled = (control * baseline + treatment * rate) / (control + treatment)
        let nullError = Double.sqrt(pooled * (1 - pooled) * (1 / control + 1 / treatment))
        let error = Double.sqrt(baseline * (1 - baseline) / control + rate * (1 - rate) / treatment)
        let critical = Normal.upperQuantile(comparison.tail) * nullError
        let found = Normal.upper((critical - abs(effect)) / error)
        return comparison.sides == .two ? min(1, found + Normal.upper((critical + abs(effect)) / error)) : found
    }

    /// Whether each of two samples is expected to have enough successes and failures for a good approximation.
    package func isApproximationGood(_ effect: Double, control: Int, treatment: Int) -> Bool {
        let fewest = 10.0
        let rate = baseline + effect
        return Double(control) * min(baseline, 1 - baseline) >= fewest
            && Double(treatment) * min(rate, 1 - rate) >= fewest
    }
}
