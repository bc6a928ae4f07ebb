import RealModule

extension IncompleteBeta {
    /// Where a tail of the beta distribution has a given probability: *x* and 1 - *x*, each with its digits.
    public struct Quantile: Sendable, Hashable {
        /// *x*, 0 to 1.
        public let value: Double
        /// 1 - *x*, 0 to 1.
        public let complement: Double

        /// The same point of the distribution with *a* and *b* exchanged.
        var reversed: Self { Self(value: complement, complement: value) }
    }

    /// The *x* at which the lower tail *I*(*x*; *a*, *b*) is a given probability.
    ///
    /// Newton's method for the logarithm of the tail as a function of log(*x* / (1 - *x*)). That function is concave, so the
    /// method converges from any start. Values below 1e-304 are taken as that.
    ///
    /// - Parameters:
    ///   - logarithm: the natural logarithm of the probability, below 0.
    ///   - a: above 0.
    ///   - b: above 0.
    public static func quantile(lowerLogarithm logarithm: Double, _ a: Double, _ b: Double) -> Quantile {
        guard logarithm > -.infinity else { return Quantile(value: 0, complement: 1) }
        guard logarithm < 0 else { return Quantile(value: 1, complement: 0) }
        var logit = Double.log(a / b)
        for _ in 0..<200 {
            let point = point(logit)
            let tail = lowerLogarithm(a, b, point.value, complement: point.complement)
            let slope = Double.exp(logarithmicDensity(a, b, point) - tail)
            let step = (logarithm - tail) / slope
            guard step.isFinite else { break }
            // A first step may go too far for a double; from there the way back is nearly straight.
            logit = min(max(logit + step, -700), 700)
            if abs(step) <= 1e-15 * max(1, abs(logit)) { break }
        }
        return point(logit)
    }

    private static func point(_ logit: Double) -> Quantile {
        let small = Double.exp(-abs(logit))
        let (less, more) = (small / (1 + small), 1 / (1 + small))
        return logit < 0 ? Quantile(value: less, complement: more) : Quantile(value: more, complement: less)
    }
}
