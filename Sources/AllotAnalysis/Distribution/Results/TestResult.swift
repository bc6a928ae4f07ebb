import AllotStatistics

/// What a test came to.
public struct TestResult: Sendable, Hashable {
    /// Chi-square; for Kolmogorov–Smirnov the largest distance, for a rate the count.
    public let statistic: Double
    /// Of the chi-square distribution; 0 for other tests.
    public let degreesOfFreedom: Int
    /// The probability of a result at least as extreme if nothing is wrong.
    public let pValue: PValue
    /// The p-value after Holm's correction for all the tests of a report.
    public internal(set) var adjustedPValue: PValue

    init(statistic: Double, degreesOfFreedom: Int, pValue: PValue) {
        self.statistic = statistic
        self.degreesOfFreedom = degreesOfFreedom
        self.pValue = pValue
        adjustedPValue = pValue
    }
}
