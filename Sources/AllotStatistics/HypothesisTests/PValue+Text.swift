import RealModule

extension PValue: CustomStringConvertible {
    /// Four decimals from 0.001 on, else two digits and the power of ten: "0.0086", "1.3e-512". "0" is said of the
    /// impossible alone.
    public var description: String {
        guard logarithm > -.infinity else { return "0" }
        let decimals = Int((value * 10_000).rounded())
        if value >= 0.001 { return "\(decimals / 10_000).\(String(10_000 + decimals % 10_000).dropFirst())" }
        let power = logarithm / Self.logarithmOfTen
        // Beyond this the digits in front of the power are not known, and at last not those of the power either.
        guard power > -1e12 else { return power > -9e18 ? "1e\(Int(power))" : "1e\(power)" }
        var exponent = Int(power.rounded(.down))
        // The multiple of the logarithm is taken apart so that the digits behind the point of the power stay.
        var tenths = Int((Double.exp10(power - Double(exponent)) * 10).rounded())
        if tenths == 100 { (tenths, exponent) = (10, exponent + 1) }
        return "\(tenths / 10).\(tenths % 10)e\(exponent)"
    }

    private static let logarithmOfTen = 2.302585092994045684017991454684364208
}
