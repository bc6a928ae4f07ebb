import RealModule

/// The two terms of Stirling's formula from which gamma, beta and Poisson densities are computed without cancellation.
///
/// After C. Loader, "Fast and accurate computation of binomial probabilities" (2000).
enum SaddlePoint {
    /// *x* log(*x*/*m*) + *m* - *x*: how far an observed value, 0 or more, is from an expected one, above 0.
    ///
    /// - Parameter difference: *x* - *m*, for callers that know it more exactly than their difference.
    static func deviance(_ observed: Double, expected: Double, difference: Double) -> Double {
        guard observed > 0 else { return expected }
        let ratio = -difference / observed
        if ratio < -0.5 {
            let quotient = expected / observed
            // The quotient may be too small for a double where its logarithm is not.
            return observed * (ratio - (quotient > 1e-300 ? .log(quotient) : .log(expected) - .log(observed)))
        }
        return observed * excess(ratio)
    }

    /// *x* log(*x*/*m*) + *m* - *x*.
    static func deviance(_ observed: Double, expected: Double) -> Double {
        deviance(observed, expected: expected, difference: observed - expected)
    }

    /// *u* - log(1 + *u*), 0 or more, for *u* above -1.
    ///
    /// With *r* = *u*/(2 + *u*), log(1 + *u*) is 2 artanh *r*, and *u* - 2*r* is *u r*: the rest is a short series.
    static func excess(_ u: Double) -> Double {
        guard abs(u) <= 0.5 else { return u - .log(onePlus: u) }
        let r = u / (2 + u)
        let square = r * r
        var power = square
        var sum = 0.0
        var n = 3.0
        while power > 1e-18 {
            sum += power / n
            power *= square
            n += 2
        }
        return r * (u - 2 * sum)
    }

    private static let halfLogOfTwoPi = 0.918938533204672741780329736405617639

    /// log Γ(*z*) - ((*z* - ½) log *z* - *z* + ½ log 2π), the error of Stirling's formula (NIST DLMF 5.11.1), *z* > 0.
    static func stirlingError(_ z: Double) -> Double {
        guard z >= 10 else { return .logGamma(z) - (z - 0.5) * .log(z) + z - halfLogOfTwoPi }
        let square = 1 / (z * z)
        return stirlingCoefficients.reversed().reduce(0) { $0 * square + $1 } / z
    }

    /// B(2k) / (2k (2k - 1)), B being Bernoulli's numbers.
    private static let stirlingCoefficients: [Double] = [
        1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360_360, 1.0 / 156, -3617.0 / 122_400,
        43867.0 / 244_188,
    ]
}
