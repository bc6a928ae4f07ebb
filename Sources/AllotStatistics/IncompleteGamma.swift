import RealModule

/// The regularised incomplete gamma functions P and Q = 1 - P.
public enum IncompleteGamma {
    private static let relativeError = 1e-16
    private static let iterationLimit = 100_000

    /// Q(*a*, *x*), the upper tail.
    ///
    /// By the power series of P below *a* + 1 (Abramowitz and Stegun 6.5.29) and by Legendre's continued fraction above
    /// (6.5.31), evaluated with Lentz's method.
    ///
    /// - Parameters:
    ///   - a: above 0.
    ///   - x: 0 or more.
    public static func upper(_ a: Double, _ x: Double) -> Double {
        guard x > 0 else { return 1 }
        guard x.isFinite else { return 0 }
        let scale = Double.exp(a * .log(x) - x - .logGamma(a))
        return x < a + 1 ? 1 - scale * series(a, x) : scale * continuedFraction(a, x)
    }

    /// The sum of xⁿ / (a (a+1) … (a+n)).
    private static func series(_ a: Double, _ x: Double) -> Double {
        var term = 1 / a
        var sum = term
        var n = 1.0
        while abs(term) > abs(sum) * relativeError, n < Double(iterationLimit) {
            term *= x / (a + n)
            sum += term
            n += 1
        }
        return sum
    }

    private static func continuedFraction(_ a: Double, _ x: Double) -> Double {
        let tiny = Double.leastNormalMagnitude
        var b = x + 1 - a
        var c = 1 / tiny
        var d = 1 / b
        var fraction = d
        for n in 1..<iterationLimit {
            let an = -Double(n) * (Double(n) - a)
            b += 2
            d = 1 / nonzero(an * d + b)
            c = nonzero(b + an / c)
            fraction *= d * c
            if abs(d * c - 1) < relativeError { break }
        }
        return fraction
    }

    private static func nonzero(_ value: Double) -> Double {
        abs(value) < .leastNormalMagnitude ? .leastNormalMagnitude : value
    }
}
