import AllotStatistics
import Testing

struct ProportionIntervalTests {
    /// statsmodels 0.15, `proportion_confint(k, n, 1 - c, "beta")`; the upper end of 3 in 1,000,000 is mpmath's, as
    /// statsmodels has 11 digits of it.
    @Test(
        "The interval of Clopper and Pearson agrees with statsmodels",
        arguments: [
            (0, 10, 0.95, 0.0, 0.3084971078187607), (1, 10, 0.95, 0.0025285785444617865, 0.4450161170281954),
            (5, 10, 0.99, 0.12831055393508328, 0.8716894460649167), (10, 10, 0.95, 0.6915028921812392, 1),
            (3, 1_000_000, 0.95, 6.186725501906402e-07, 8.7672477881452223e-6),
            (500, 1000, 0.9, 0.47351773123569124, 0.5264822687643087),
            (123_456_789, 1_000_000_000_000, 0.95, 0.00012343501391363278, 0.00012347856698005115),
            (999_999_999_999, 1_000_000_000_000, 0.95, 0.9999999999944283, 0.9999999999999747),
            (500_000_000_000, 1_000_000_000_000, 0.999, 0.4999983547361343, 0.5000016452638657),
        ])
    func clopperPearson(successes: Int, trials: Int, confidence: Double, lower: Double, upper: Double) {
        let interval = ProportionInterval.clopperPearson(successes: successes, trials: trials, confidence: confidence)
        expectClose(interval.lowerBound, lower, within: 1e-12)
        expectClose(interval.upperBound, upper, within: 1e-12)
    }

    @Test("An interval contains the observed share, and is 0 to 1 without trials", arguments: [0.5, 0.95, 0.999])
    func theShareIsWithin(confidence: Double) {
        for (successes, trials) in [(0, 1), (1, 1), (1, 3), (20, 30), (99, 100)] {
            let exact = ProportionInterval.clopperPearson(
                successes: successes, trials: trials, confidence: confidence)
            #expect(exact.contains(Double(successes) / Double(trials)))
            #expect(exact.clamped(to: 0...1) == exact)
        }
        #expect(ProportionInterval.clopperPearson(successes: 0, trials: 0, confidence: confidence) == 0...1)
    }
}
