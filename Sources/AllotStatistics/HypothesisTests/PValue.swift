import RealModule

/// The probability, if nothing is wrong, of data at least as surprising as those seen.
///
/// It is stored as its logarithm: a p-value of 1e-512 is a number, not 0. Smaller is less.
///
/// ```swift
/// let p = PValue(logarithm: -2_000)  // far below the smallest Double
/// print(p < PValue(0.001), p.value)
/// ```
public struct PValue: Sendable, Hashable {
    /// The natural logarithm: 0 or less; minus infinity when the data are impossible.
    public let logarithm: Double

    /// Takes a probability.
    ///
    /// - Parameter probability: 0 to 1; a value outside by a rounding error is taken as the nearer end. NaN,
    ///   which says nothing, is taken as 1.
    public init(_ probability: Double) {
        self.init(logarithm: probability > 0 ? .log(probability) : probability.isNaN ? 0 : -.infinity)
    }

    /// Takes the natural logarithm of a probability.
    ///
    /// - Parameter logarithm: 0 or less; above 0, and NaN, it is taken as 0.
    public init(logarithm: Double) { self.logarithm = logarithm < 0 ? logarithm : 0 }

    /// The probability, 0 to 1; 0 also when it is below the least double, about 5e-324.
    public var value: Double { .exp(logarithm) }
}

extension PValue: Comparable {
    /// Whether the data of the left are the more surprising.
    public static func < (left: Self, right: Self) -> Bool { left.logarithm < right.logarithm }
}

extension PValue: CustomStringConvertible {
    /// Four decimals from 0.001 on, else two digits and the power of ten: "0.0086", "1.3e-512". "0" is for the
    /// impossible only.
    public var description: String {
        guard logarithm > -.infinity else { return "0" }
        let decimals = Int((value * 10_000).rounded())
        if value >= 0.001 { return "\(decimals / 10_000).\(String(10_000 + decimals % 10_000).dropFirst())" }
        let power = logarithm / Self.logarithmOfTen
        // Beyond this the digits in front of the power are not known, and at last not those of the power either.
        guard power > -1e12 else { return power > -9e18 ? "1e\(Int(power))" : "1e\(power)" }
        var exponent = Int(power.rounded(.down))
        // The power is split so that its digits after the decimal point stay.
        var tenths = Int((Double.exp10(power - Double(exponent)) * 10).rounded())
        if tenths == 100 { (tenths, exponent) = (10, exponent + 1) }
        return "\(tenths / 10).\(tenths % 10)e\(exponent)"
    }

    private static let logarithmOfTen = 2.302585092994045684017991454684364208
}
