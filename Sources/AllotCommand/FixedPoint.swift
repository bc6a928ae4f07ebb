/// Numbers for people.
enum FixedPoint {
    /// A number with so many decimals.
    static func text(_ value: Double, _ places: Int) -> String {
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int((value * Double(scale)).rounded())
        return "\(scaled / scale).\(String(scale + scaled % scale).dropFirst())"
    }

    /// A probability: four decimals, or the power of ten of a small one.
    static func probability(_ value: Double) -> String {
        if value >= 0.001 { return text(value, 4) }
        guard value > 0 else { return "0" }
        var mantissa = value
        var exponent = 0
        // What rounds to 10.0 is 1.0 of the next power.
        while mantissa < 0.995 {
            mantissa *= 10
            exponent -= 1
        }
        return "\(text(mantissa, 1))e\(exponent)"
    }
}
