import RealModule

/// The regularised incomplete gamma function *Q*(*a*, *x*), as a natural logarithm; *P* is 1 - *Q*.
///
/// About 13 digits, for *a* from ½ and tails down to 1e-100; below that as many as the logarithm has after its decimal
/// point. Up to *a* = 100 it is the power series of *P* below *a* + 1 (NIST DLMF 8.11.4) and Legendre's continued
/// fraction of *Q* above (8.9.2); for larger *a* the density is integrated from *x* outwards (`DecayingIntegral`), as
/// fast for any *a*.
package enum IncompleteGamma {
    /// From here on the density is integrated.
    private static let large = 100.0

    /// log *Q*(*a*, *x*): the upper tail.
    package static func upperLogarithm(_ a: Double, _ x: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x.isFinite else { return -.infinity }
        // x^a e^-x / Γ(a).
        let scale =
            0.5 * (.log(a) - .log(2 * .pi)) - SaddlePoint.deviance(a, expected: x) - SaddlePoint.stirlingError(a)
        // The smaller tail directly, the larger one as its complement.
        return x < a + 1
            ? Logarithm.complement(scale + .log(a < large ? series(a, x) : lowerIntegral(a, x)))
            : scale + .log(a < large ? fraction(a, x) : upperIntegral(a, x))
    }

    /// The sum of xⁿ / (a (a+1) … (a+n)).
    private static func series(_ a: Double, _ x: Double) -> Double {
        var term = 1 / a
        var sum = term
        var n = 1.0
        while term > sum * 1e-17 {
            term *= x / (a + n)
            sum += term
            n += 1
        }
        return sum
    }

    /// 1 / (x + 1 - a - 1(1 - a) / (x + 3 - a - 2(2 - a) / …)), which converges for x > a.
    private static func fraction(_ a: Double, _ x: Double) -> Double {
        var fraction = ContinuedFraction(x + 1 - a)
        var n = 1.0
        while !fraction.append(n * (a - n), x + 2 * n + 1 - a) { n += 1 }
        return 1 / fraction.value
    }

    /// The integral of (t/x)^(a-1) e^(x-t) over t above x, in units of x.
    private static func upperIntegral(_ a: Double, _ x: Double) -> Double {
        let order = a - 1
        let width = 1 / max(x - order, .sqrt(x))
        return DecayingIntegral.value(to: .infinity, scale: width) { part in
            part * (x - order) + order * SaddlePoint.excess(part)
        }
    }

    /// The integral of (t/x)^(a-1) e^(x-t) over t below x, in units of x.
    private static func lowerIntegral(_ a: Double, _ x: Double) -> Double {
        let order = a - 1
        let width = 1 / max(order - x, .sqrt(order))
        return DecayingIntegral.value(to: 1, scale: width) { part in
            part * (order - x) + order * SaddlePoint.excess(-part)
        }
    }
}
