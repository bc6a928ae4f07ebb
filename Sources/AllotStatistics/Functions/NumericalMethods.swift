import RealModule

/// Finds the zero of a rising function by the method of false position.
enum FalsePosition {
    /// By the method of Anderson and Björck ("A new high order method of regula falsi type", 1973), which keeps the
    /// zero enclosed and needs about six steps for a function that is nearly a straight line. The function is below 0
    /// at the start and not below at the end; the result is where it is 0 or just above, to about 14 digits.
    static func find(_ function: (Double) -> Double, from start: Double, to end: Double) -> Double {
        var (low, high) = (start, end)
        var (below, above) = (function(low), function(high))
        var wasBelow: Bool?
        for _ in 0..<200 {
            guard above > 0, high - low > 1e-14 * abs(high) else { break }
            let proposed = high - above * (high - low) / (above - below)
            let middle = proposed > low && proposed < high ? proposed : (low + high) / 2
            let value = function(middle)
            // An end that stays a second time is weighted less, so that it moves soon.
            if value < 0 {
                if wasBelow == true { above *= Self.weight(1 - value / below) }
                (low, below, wasBelow) = (middle, value, true)
            } else {
                if wasBelow == false { below *= Self.weight(1 - value / above) }
                (high, above, wasBelow) = (middle, value, false)
            }
        }
        return high
    }

    /// The zero above 0 of a function that is below 0 there.
    static func findAboveZero(_ function: (Double) -> Double) -> Double {
        var end = 1.0
        while function(end) < 0, end < 1e9 { end *= 2 }
        return find(function, from: 0, to: end)
    }

    private static func weight(_ factor: Double) -> Double { factor > 0 ? factor : 0.5 }
}

/// The continued fraction b₀ + a₁ / (b₁ + a₂ / (b₂ + …)), by the modified method of Lentz (W. J. Lentz 1976; I. J.
/// Thompson and A. R. Barnett 1986).
struct ContinuedFraction {
    private(set) var value: Double
    private var numerator: Double
    private var denominator = 0.0
    private var count = 0

    private static let limit = 100_000

    init(_ start: Double) {
        value = Self.nonzero(start)
        numerator = value
    }

    /// Adds one more term; returns whether the value has converged.
    mutating func append(_ a: Double, _ b: Double) -> Bool {
        denominator = 1 / Self.nonzero(b + a * denominator)
        numerator = Self.nonzero(b + a / numerator)
        let factor = numerator * denominator
        value *= factor
        count += 1
        return abs(factor - 1) <= 2 * Double.ulpOfOne || count == Self.limit
    }

    private static func nonzero(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }
}

/// Integrals of log-concave functions, from a point to where the function is negligible.
enum DecayingIntegral {
    /// exp(-46) is 1e-20: the omitted part is below the last digit.
    private static let negligible = 46.0

    /// The integral of exp(-*h*(*s*)) for *s* from 0 to a limit, of a convex *h* that is 0 and about least at 0, and
    /// infinite where the function is 0.
    ///
    /// - Parameters:
    ///   - scale: a first guess of the distance in which the function falls; above 0.
    ///   - error: the absolute error of *h*.
    static func value(to limit: Double, scale: Double, error: Double = 0, exponent: (Double) -> Double) -> Double {
        var end = min(scale, limit)
        while end < limit, exponent(end) < negligible { end = min(end * 2, limit) }
        while exponent(end / 2) > negligible { end /= 2 }
        return GaussLegendre.integral(from: 0, to: end, tolerance: max(1e-13, 8 * error)) { .exp(-exponent($0)) }
    }
}

/// Arithmetic of probabilities that are stored as logarithms.
enum Logarithm {
    /// log(1 - *p*) of log *p*.
    ///
    /// By M. Mächler, "Accurately computing log(1 - exp(-|a|))" (2012).
    static func complement(_ logarithm: Double) -> Double {
        guard logarithm < 0 else { return -.infinity }
        return logarithm > -0.6931 ? .log(-.expMinusOne(logarithm)) : .log(onePlus: -.exp(logarithm))
    }

    /// log(*p* + *q*) of log *p* and log *q*.
    static func sum(_ first: Double, _ second: Double) -> Double {
        let (low, high) = first < second ? (first, second) : (second, first)
        return low > -.infinity ? high + .log(onePlus: .exp(low - high)) : high
    }
}
