import RealModule

/// Confidence intervals of a proportion.
package enum ProportionInterval {
    /// Wilson's score interval: on average its coverage is the requested confidence.
    ///
    /// E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
    ///
    /// - Parameters:
    ///   - successes: 0 to `trials`.
    ///   - trials: 0 or more; the interval of 0 trials is 0...1.
    ///   - confidence: above 0 and below 1, such as 0.95.
    package static func wilson(successes: Int, trials: Int, confidence: Double) -> ClosedRange<Double> {
        check(successes, trials, confidence)
        guard trials > 0 else { return 0...1 }
        let z = Normal.upperQuantile((1 - confidence) / 2)
        let (count, share) = (Double(successes), Double(successes) / Double(trials))
        // The two solutions of the quadratic equation, the smaller from their product, so that neither cancels.
        let middle = count + z * z / 2
        let root = z * .sqrt(z * z / 4 + count * (Double(trials - successes) / Double(trials)))
        let upper = min(1, (middle + root) / (Double(trials) + z * z))
        return min(upper, share * (count / (middle + root)))...upper
    }

    /// The interval of Clopper and Pearson: its coverage is never below the requested confidence, and often above.
    ///
    /// C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
    /// binomial"
    /// (1934), by the quantiles of the beta distribution.
    ///
    /// - Parameters:
    ///   - successes: 0 to `trials`.
    ///   - trials: 0 or more; the interval of 0 trials is 0...1.
    ///   - confidence: above 0 and below 1, such as 0.95.
    package static func clopperPearson(successes: Int, trials: Int, confidence: Double) -> ClosedRange<Double> {
        check(successes, trials, confidence)
        guard trials > 0 else { return 0...1 }
        let tail = Double.log((1 - confidence) / 2)
        let failures = trials - successes
        let lower =
            successes == 0
            ? 0 : IncompleteBeta.quantile(lowerLogarithm: tail, Double(successes), Double(failures) + 1).value
        let upper =
            failures == 0
            ? 1 : IncompleteBeta.quantile(lowerLogarithm: tail, Double(failures), Double(successes) + 1).complement
        return lower...max(lower, upper)
    }

    private static func check(_ successes: Int, _ trials: Int, _ confidence: Double) {
        precondition(trials >= 0 && (0...trials).contains(successes), "successes are 0 to the number of trials")
        precondition(confidence > 0 && confidence < 1, "the confidence is above 0 and below 1")
    }
}
