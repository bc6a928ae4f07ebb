import RealModule

/// A mean, such as revenue for each user, compared by Student's *t*-test of two samples with equal variances.
///
/// The power is exact for normal values, by the noncentral *t* distribution, as `TTestIndPower` of statsmodels has
/// it. For other values it is a good approximation in the samples of hundreds that experiments have.
///
/// ```swift
/// let revenue = try MeanMetric(standardDeviation: 12.5)
/// let analysis = try PowerAnalysis(metric: revenue, allocation: Allocation(variants: 2))
/// print(try analysis.detectableEffect(sizes: [5_000, 5_000]))
/// ```
public struct MeanMetric: PowerMetric, Hashable {
    /// The standard deviation among units, above 0.
    public let standardDeviation: Double
    /// The mean of the control; `nil` if it is not known.
    public let control: Double?

    /// A mean of values that differ so much.
    ///
    /// - Parameters:
    ///   - standardDeviation: among units, a finite number above 0.
    ///   - control: the mean of the control, for relative effects.
    public init(standardDeviation: Double, control: Double? = nil) throws(PowerError) {
        guard standardDeviation > 0, standardDeviation.isFinite else {
            throw .invalidStandardDeviation(standardDeviation)
        }
        (self.standardDeviation, self.control) = (standardDeviation, control)
    }

    /// A mean may change by any amount.
    public var effects: ClosedRange<Double> { -.infinity ... .infinity }

    /// The probability that the test finds an effect: of either sign the same.
    public func power(_ effect: Double, in comparison: SampleComparison) -> Double {
        let (control, treatment) = (comparison.control, comparison.treatment)
        let degreesOfFreedom = control + treatment - 2
        let critical = StudentT(degreesOfFreedom: degreesOfFreedom).upperQuantile(comparison.tail)
        let scale = Double.sqrt(control * (treatment / (control + treatment)))
        let statistic = NoncentralT(
            degreesOfFreedom: degreesOfFreedom, noncentrality: abs(effect) / standardDeviation * scale)
        return statistic.power(critical, comparison.sides)
    }
}
