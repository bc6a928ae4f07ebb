import RealModule

/// The standard normal distribution.
public enum Normal {
    /// The natural logarithm of the probability of a value at least as large, for any value.
    package static func upperLogarithm(_ value: Double) -> Double {
        guard value > 0 else { return .log(onePlus: -0.5 * .erfc(-value * rootOfHalf)) }
        return .log(0.5 * scaledErrorFunction(value * rootOfHalf)) - 0.5 * value * value
    }

    /// The probability of a value at least as large.
    package static func upper(_ value: Double) -> Double { 0.5 * .erfc(value * rootOfHalf) }

    /// The density, divided by the probability of a value at least as large.
    static func hazard(_ value: Double) -> Double {
        if value < -30 { return .exp(-0.5 * value * value) * rootOfHalf / .sqrt(.pi) }
        return rootOfHalf * 2 / (.sqrt(.pi) * scaledErrorFunction(value * rootOfHalf))
    }

    private static let rootOfHalf = 0.707106781186547524400844362104849039

    /// exp(*x*²) erfc(*x*) of an *x* above -25; above 25 by the asymptotic series (NIST DLMF 7.12.1), whose tenth
    /// term is below 1e-17 there.
    static func scaledErrorFunction(_ x: Double) -> Double {
        let square = x * x
        guard x > 25 else { return .exp(square) * (1 + (-square).addingProduct(x, x)) * .erfc(x) }
        var term = 1.0
        var sum = 1.0
        for n in 1..<10 {
            term *= -Double(2 * n - 1) / (2 * square)
            sum += term
        }
        return sum / (x * .sqrt(.pi))
    }
}

extension Normal {
    /// The value that is exceeded with a probability.
    ///
    /// M. J. Wichura's rational approximations (algorithm AS 241, "The percentage points of the normal distribution",
    /// 1988), good for 16 digits, and one step of Newton's method, which takes out what was rounded.
    ///
    /// - Parameter probability: 0 to 1; 0 gives infinity and 1 minus infinity.
    public static func upperQuantile(_ probability: Double) -> Double {
        guard probability > 0 else { return .infinity }
        guard probability < 1 else { return -.infinity }
        let centred = 0.5 - probability
        if abs(centred) <= 0.425 {
            let r = 0.180625 - centred * centred
            return centred * ratio(central, r)
        }
        let tail = min(probability, 1 - probability)
        let r = Double.sqrt(-.log(tail))
        let value = r <= 5 ? ratio(middle, r - 1.6) : ratio(far, r - 5)
        let refined = value + (upperLogarithm(value) - .log(tail)) / hazard(value)
        return centred > 0 ? refined : -refined
    }

    /// The value below which a variable is with a probability; 0 gives minus infinity and 1 infinity.
    package static func quantile(_ probability: Double) -> Double { -upperQuantile(probability) }

    private typealias Polynomials = (above: [Double], below: [Double])

    private static func ratio(_ polynomials: Polynomials, _ r: Double) -> Double {
        func value(_ coefficients: [Double]) -> Double { coefficients.reversed().reduce(0) { $0 * r + $1 } }
        return value(polynomials.above) / value(polynomials.below)
    }

    private static let central: Polynomials = (
        [
            3.3871328727963666080, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
            4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3,
        ],
        [
            1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3, 2.1213794301586595867e+4,
            3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3,
        ]
    )

    private static let middle: Polynomials = (
        [
            1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
            1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
        ],
        [
            1, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
            1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
        ]
    )

    private static let far: Polynomials = (
        [
            6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 2.96560571828504891230e-1,
            2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
        ],
        [
            1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
            7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
        ]
    )
}
