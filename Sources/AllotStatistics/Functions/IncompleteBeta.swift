import RealModule

/// The regularised incomplete beta function *I*(*x*; *a*, *b*), as natural logarithms, and its inverse.
///
/// About 13 digits of the smaller tail, for *a* and *b* from ½ to 1e13 and tails down to 1e-100; below that as many
/// as the logarithm has after its decimal point. With *a* or *b* below 100 it is the continued fraction of A. R.
/// DiDonato and A. H. Morris ("Algorithm 708", 1992, equation 9); otherwise the density is integrated from *x*
/// outwards (`DecayingIntegral`), which takes about as long for any *a* and *b*.
package enum IncompleteBeta {
    /// From here on the density is integrated.
    private static let large = 100.0

    /// log *I*(*x*; *a*, *b*): the probability that a beta variable is at most *x*.
    package static func lowerLogarithm(_ a: Double, _ b: Double, _ x: Double, complement: Double? = nil) -> Double {
        let y = complement ?? 1 - x
        guard x > 0 else { return -.infinity }
        guard y > 0 else { return 0 }
        // The smaller tail directly, the larger one as its complement.
        let distance = distance(a, b, x, y)
        return distance >= 0
            ? density(a, b, x, y, distance) + .log(mass(a, b, x, y, distance))
            : Logarithm.complement(density(a, b, x, y, distance) + .log(mass(b, a, y, x, -distance)))
    }

    /// a y - b x, from the smaller of x and y, which is the more exact.
    private static func distance(_ a: Double, _ b: Double, _ x: Double, _ y: Double) -> Double {
        let sum = DoubleDouble(a) + DoubleDouble(b)
        return (x <= y ? DoubleDouble(a) - sum * DoubleDouble(x) : sum * DoubleDouble(y) - DoubleDouble(b)).value
    }

    /// log(x^a (1-x)^b / B(a, b)).
    static func logarithmicDensity(_ a: Double, _ b: Double, _ point: Quantile) -> Double {
        let (x, y) = (point.value, point.complement)
        return density(a, b, x, y, distance(a, b, x, y))
    }

    /// log(x^a y^b / B(a, b)).
    private static func density(_ a: Double, _ b: Double, _ x: Double, _ y: Double, _ distance: Double) -> Double {
        let sum = a + b
        return 0.5 * (.log(min(a, b)) + .log(max(a, b) / sum) - .log(2 * .pi))
            + SaddlePoint.stirlingError(sum) - SaddlePoint.stirlingError(a) - SaddlePoint.stirlingError(b)
            - SaddlePoint.deviance(a, expected: sum * x, difference: distance)
            - SaddlePoint.deviance(b, expected: sum * y, difference: -distance)
    }

    /// I(x; a, b) divided by the density, for x at most a / (a + b).
    private static func mass(_ a: Double, _ b: Double, _ x: Double, _ y: Double, _ distance: Double) -> Double {
        min(a, b) < large ? 1 / fraction(a, b, x, y, distance) : integral(a, b, x, y, distance) / y
    }

    private static func fraction(_ a: Double, _ b: Double, _ x: Double, _ y: Double, _ distance: Double) -> Double {
        func partial(_ m: Double) -> Double {
            m + m * (b - m) * x / (a + 2 * m - 1) + (a + m) * (distance + 1 + m * (1 + y)) / (a + 2 * m + 1)
        }
        var fraction = ContinuedFraction(a * (distance + 1) / (a + 1))
        var m = 1.0
        while true {
            let scale = x / (a + 2 * m - 1)
            let numerator = (a + m - 1) * scale * (a + b + m - 1) * scale * m * (b - m)
            if fraction.append(numerator, partial(m)) { return fraction.value }
            m += 1
        }
    }

    /// The integral of (t/x)^(a-1) ((1-t)/y)^(b-1) over t below x, in units of x.
    private static func integral(_ a: Double, _ b: Double, _ x: Double, _ y: Double, _ distance: Double) -> Double {
        let odds = x / y
        let slope = (distance - y + x) / y
        let width = 1 / (max(slope, 0) + .sqrt(a + b * odds * odds))
        return DecayingIntegral.value(to: 1, scale: width) { part in
            part * slope + (a - 1) * SaddlePoint.excess(-part) + (b - 1) * SaddlePoint.excess(part * odds)
        }
    }
}

extension IncompleteBeta {
    /// Where a tail of the beta distribution has a given probability: *x* and 1 - *x*, each with its digits.
    package struct Quantile: Sendable, Hashable {
        package let value: Double
        package let complement: Double

        /// The point in the distribution with *a* and *b* exchanged.
        var reversed: Self { Self(value: complement, complement: value) }
    }

    /// The *x* at which the lower tail *I*(*x*; *a*, *b*) is a given probability.
    ///
    /// Newton's method for the logarithm of the tail as a function of log(*x* / (1 - *x*)). That function is concave,
    /// so the method converges from any start. Values below 1e-304 are taken as that.
    package static func quantile(lowerLogarithm logarithm: Double, _ a: Double, _ b: Double) -> Quantile {
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
