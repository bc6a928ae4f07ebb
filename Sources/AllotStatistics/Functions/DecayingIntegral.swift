import RealModule

/// Integrals of log-concave functions, from a point to where nothing is left.
enum DecayingIntegral {
    /// exp(-46) is 1e-20: what is left out is beyond the last digit.
    private static let negligible = 46.0

    /// The integral of exp(-*h*(*s*)) for *s* from 0 to a limit.
    ///
    /// - Parameters:
    ///   - limit: the end of the domain; may be infinite.
    ///   - scale: a first guess of the distance in which the function falls; above 0.
    ///   - error: the absolute error of *h*.
    ///   - exponent: *h*, convex, with *h*(0) = 0, at its least at 0 or near it, and infinite rather than undefined where the
    ///     function is 0.
    static func value(to limit: Double, scale: Double, error: Double = 0, exponent: (Double) -> Double) -> Double {
        var end = min(scale, limit)
        while end < limit, exponent(end) < negligible { end = min(end * 2, limit) }
        while exponent(end / 2) > negligible { end /= 2 }
        return GaussLegendre.integral(from: 0, to: end, tolerance: max(1e-13, 8 * error)) { .exp(-exponent($0)) }
    }
}
