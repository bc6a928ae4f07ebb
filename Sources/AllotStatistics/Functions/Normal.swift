import RealModule

/// The standard normal distribution.
public enum Normal {
    /// The natural logarithm of the probability of a value at least as large, for any value.
    public static func upperLogarithm(_ value: Double) -> Double {
        guard value > 0 else { return .log(onePlus: -0.5 * .erfc(-value * rootOfHalf)) }
        return .log(0.5 * scaledErrorFunction(value * rootOfHalf)) - 0.5 * value * value
    }

    /// The natural logarithm of the probability of a value at most as large, for any value.
    public static func lowerLogarithm(_ value: Double) -> Double {
        upperLogarithm(-value)
    }

    /// The probability of a value at most as large.
    public static func lower(_ value: Double) -> Double {
        0.5 * .erfc(-value * rootOfHalf)
    }

    /// The probability of a value at least as large.
    public static func upper(_ value: Double) -> Double {
        0.5 * .erfc(value * rootOfHalf)
    }

    /// The density, divided by the probability of a value at least as large.
    static func hazard(_ value: Double) -> Double {
        if value < -30 { return .exp(-0.5 * value * value) * rootOfHalf / .sqrt(.pi) }
        return rootOfHalf * 2 / (.sqrt(.pi) * scaledErrorFunction(value * rootOfHalf))
    }

    private static let rootOfHalf = 0.707106781186547524400844362104849039

    /// exp(*x*²) erfc(*x*).
    ///
    /// Above 25 by the asymptotic series (NIST DLMF 7.12.1), whose tenth term is below 1e-17 there.
    ///
    /// - Parameter x: above -25.
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
