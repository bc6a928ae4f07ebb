/// Numbers for people.
enum NumberText {
    /// A whole number with its digits in groups of three: `1,000,000`.
    static func grouped(_ number: Int) -> String {
        var groups = ""
        for (place, digit) in String(number.magnitude).reversed().enumerated() {
            if place > 0, place % 3 == 0 { groups.append(",") }
            groups.append(digit)
        }
        return (number < 0 ? "-" : "") + String(groups.reversed())
    }

    /// A number with so many decimals, up to 9, and its whole digits in groups of three.
    static func fixed(_ value: Double, _ places: Int) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "\(value)" }
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int(abs(value) * Double(scale) + 0.5)
        let sign = value < 0 ? "-" : ""
        let whole = grouped(scaled / scale)
        return sign + (places > 0 ? "\(whole).\(String(scale + scaled % scale).dropFirst())" : whole)
    }

    /// A number with its sign: `+0.31`.
    static func signed(_ value: Double, _ places: Int) -> String {
        let text = fixed(value, places)
        return text.hasPrefix("-") ? text : "+\(text)"
    }

    /// A share as a percentage without needless zeros: 0.05 is `5%`.
    static func percent(_ share: Double, _ places: Int = 4) -> String {
        trimmed(fixed(share * 100, places)) + "%"
    }

    /// An exact share as a percentage, with as many decimals as it has, up to 10.
    static func percent(_ numerator: Int, of denominator: Int) -> String {
        let scale: UInt128 = 10_000_000_000
        let scaled =
            (UInt128(numerator) * 100 * scale + UInt128(denominator) / 2) / UInt128(max(denominator, 1))
        return trimmed("\(scaled / scale).\(String(scale + scaled % scale).dropFirst())") + "%"
    }

    private static func trimmed(_ text: String) -> String {
        guard text.contains(".") else { return text }
        var text = text
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    /// A number and its noun: `1 pair`, `3 pairs`.
    static func counted(_ count: Int, _ noun: String) -> String {
        "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
    }
}
