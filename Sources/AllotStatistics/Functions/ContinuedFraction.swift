/// The continued fraction b₀ + a₁ / (b₁ + a₂ / (b₂ + …)), by the modified method of Lentz (W. J. Lentz 1976; I. J. Thompson
/// and A. R. Barnett 1986).
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

    /// Takes one more term in; returns whether the value has converged.
    mutating func append(_ a: Double, _ b: Double) -> Bool {
        denominator = 1 / Self.nonzero(b + a * denominator)
        numerator = Self.nonzero(b + a / numerator)
        let factor = numerator * denominator
        value *= factor
        count += 1
        return abs(factor - 1) <= 2 * Double.ulpOfOne || count == Self.limit
    }

    private static func nonzero(_ value: Double) -> Double {
        abs(value) < 1e-300 ? 1e-300 : value
    }
}
