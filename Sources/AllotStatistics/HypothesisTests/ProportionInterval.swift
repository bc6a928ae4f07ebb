import RealModule

package enum ProportionInterval {
    /// The interval of Clopper and Pearson: its coverage is never below the requested confidence, and often above.
    ///
    /// C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
    /// binomial" (1934), by the quantiles of the beta distribution. The interval of 0 trials is 0...1.
    package static func clopperPearson(successes: Int, trials: Int, confidence: Double) -> ClosedRange<Double> {
        precondition((0...trials).contains(successes), "successes are 0 to the number of trials")
        precondition(confidence > 0 && confidence < 1, "the confidence is above 0 and below 1")
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
}
