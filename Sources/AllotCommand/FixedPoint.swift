/// Numbers for people.
enum FixedPoint {
    /// A number, 0 or more, with so many decimals.
    static func text(_ value: Double, _ places: Int) -> String {
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int((value * Double(scale)).rounded())
        guard places > 0 else { return "\(scaled)" }
        return "\(scaled / scale).\(String(scale + scaled % scale).dropFirst())"
    }

    /// A number with so many significant digits, without the zeros at its end; very large and very small ones with a power
    /// of ten.
    static func significant(_ value: Double, _ digits: Int) -> String {
        let magnitude = abs(value)
        guard magnitude > 0 else { return "0" }
        guard magnitude >= 1e-6, magnitude < 1e12 else { return powerOfTen(value, digits) }
        var places = digits - 1
        var rest = magnitude
        while rest >= 10 { (rest, places) = (rest / 10, places - 1) }
        while rest < 1 { (rest, places) = (rest * 10, places + 1) }
        var text = text(magnitude, max(0, places))
        if text.contains(".") {
            while text.hasSuffix("0") { text.removeLast() }
            if text.hasSuffix(".") { text.removeLast() }
        }
        return value < 0 ? "-\(text)" : text
    }

    private static func powerOfTen(_ value: Double, _ digits: Int) -> String {
        var mantissa = abs(value)
        var exponent = 0
        while mantissa >= 10 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
        while mantissa < 1 { (mantissa, exponent) = (mantissa * 10, exponent - 1) }
        return "\(value < 0 ? "-" : "")\(significant(mantissa, digits))e\(exponent)"
    }
}
