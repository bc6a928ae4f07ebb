import AllotConfiguration
import RealModule

/// Writes numbers for people. Every report uses it.
package enum NumberFormat {
    /// A number with a fixed number of decimals: `1234.50`; none where it is too large for them.
    package static func fixed(_ value: Double, _ places: Int) -> String {
        parts(value, places).map { $0.sign + String($0.whole) + $0.fraction } ?? "\(value)"
    }

    /// A number with its whole digits in groups of three: `1,234.50`.
    package static func grouped(_ value: Double, _ places: Int) -> String {
        guard abs(value) < 1e9 else { return "\(value)" }
        return parts(value, places).map { $0.sign + grouped($0.whole) + $0.fraction } ?? "\(value)"
    }

    /// A whole number with its digits in groups of three: `1,000,000`.
    package static func grouped(_ number: Int) -> String { number.inGroups }

    /// A difference with its sign: `+0.31`, `-2.00`, and `0.00` where nothing else is left of it.
    package static func difference(_ value: Double, _ places: Int) -> String {
        let digits = fixed(value.magnitude, places)
        return digits.allSatisfy { $0 == "0" || $0 == "." } ? digits : (value < 0 ? "-" : "+") + digits
    }

    /// A score with its sign, also where it is rounded to zero: `+0.0`, `-0.0`.
    package static func signed(_ value: Double, _ places: Int) -> String {
        (value < 0 ? "-" : "+") + grouped(abs(value), places)
    }

    /// A number with the given number of significant digits, without zeros at its end; very large and very small
    /// numbers with a power of ten; `inf` and `nan` where there are no digits.
    package static func significant(_ value: Double, _ digits: Int) -> String {
        var (mantissa, exponent) = (abs(value), 0)
        guard value.isFinite else { return "\(value)" }
        guard mantissa > 0 else { return "0" }
        while mantissa >= 10 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
        while mantissa < 1 { (mantissa, exponent) = (mantissa * 10, exponent - 1) }
        let isPlain = abs(value) >= 1e-6 && abs(value) < 1e12
        let plain = isPlain ? trimmed(fixed(abs(value), max(0, digits - 1 - exponent))) : nil
        let text = plain ?? "\(trimmed(fixed(mantissa, digits - 1)))e\(exponent)"
        return value < 0 ? "-\(text)" : text
    }

    /// A small number such as 0.001, without the noise of its last digits.
    package static func shortest(_ value: Double) -> String {
        let billionths = (value * 1e9).rounded()
        return billionths >= 1 ? String(billionths / 1e9) : String(value)
    }

    /// A part of a whole, 0 to 1, in percent: `28.6%`, and `0.13%` for small parts.
    package static func part(_ part: Double) -> String { "\(fixed(part * 100, part > 0 && part < 0.1 ? 2 : 1))%" }

    /// A part of a whole above 0, in percent, never rounded to nothing or everything: `<0.1%`.
    package static func roughPart(_ part: Double) -> String {
        let tenths = Int(part * 1000 + 0.5)
        if tenths == 0 { return "<0.1%" }
        return tenths == 1000 && part < 1 ? ">99.9%" : "\(trimmed(fixed(Double(tenths) / 10, 1)))%"
    }

    /// A share as a percentage without needless zeros: 0.05 is `5%`.
    package static func percent(_ share: Double, _ places: Int = 4) -> String {
        trimmed(grouped(share * 100, places)) + "%"
    }

    /// An exact share as a percentage, with as many decimals as it has, up to 10.
    package static func percent(_ numerator: Int, of denominator: Int) -> String {
        let scale: UInt128 = 10_000_000_000
        let scaled = (UInt128(numerator) * 100 * scale + UInt128(denominator) / 2) / UInt128(max(denominator, 1))
        return trimmed("\(scaled / scale).\(String(scale + scaled % scale).dropFirst())") + "%"
    }

    /// A share as a percentage with the given number of significant digits: `10%`, `0.0125%`; with more where they
    /// would say everything: `99.9998%`.
    package static func percent(_ share: Double, digits: Int) -> String {
        let text = significant(share * 100, digits)
        guard text == "100" || text == "-100", abs(share) < 1 else { return "\(text)%" }
        return "\(trimmed(fixed(share * 100, places(for: 1 - abs(share)))))%"
    }

    /// A share as a percentage with two decimals: `25.00%`; with more where they would say nothing or everything:
    /// `0.0015%`, `99.9985%`.
    package static func share(_ share: Double) -> String {
        let text = fixed(share * 100, 2)
        guard text == "0.00" || text == "100.00", share > 0, share < 1 else { return "\(text)%" }
        return "\(fixed(share * 100, places(for: min(share, 1 - share))))%"
    }

    /// How many decimals a percentage needs for two digits of a small share, at most 12.
    private static func places(for share: Double) -> Int {
        var (value, places) = (share * 100, 0)
        while value < 10, places < 12 { (value, places) = (value * 10, places + 1) }
        return places
    }

    /// A relative change: `+10%`, `-1.5%`.
    package static func relativeChange(_ change: Double) -> String {
        "\(change > 0 ? "+" : "")\(percent(change, digits: 4))"
    }

    /// An absolute change of a share: `+1 percentage point`, `-0.5 percentage points`.
    package static func points(_ change: Double) -> String {
        let points = significant(change * 100, 4)
        return "\(change > 0 ? "+" : "")\(points) percentage \(points == "1" || points == "-1" ? "point" : "points")"
    }

    /// A number, with its digits in groups of three, and what it counts: `1,200 pairs`.
    package static func countedInGroups(_ count: Int, _ noun: String) -> String {
        "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// From here on a double has no decimals that mean anything, and from there on it fits no integer.
    private static let (largestWithDecimals, largestWhole) = (1e14, 9e18)

    /// The parts of a number that is rounded to decimals; `nil` for one that is too large.
    private static func parts(_ value: Double, _ places: Int) -> (sign: String, whole: Int, fraction: String)? {
        let magnitude = value.magnitude
        guard magnitude < largestWhole else { return nil }
        let places = magnitude < largestWithDecimals ? places : 0
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((magnitude * Double(scale)).rounded())
        let fraction = places > 0 ? ".\(String(scale + scaled % scale).dropFirst())" : ""
        return (value < 0 ? "-" : "", scaled / scale, fraction)
    }

    private static func trimmed(_ text: String) -> String {
        guard text.contains(".") else { return text }
        let digits = text.reversed().drop { $0 == "0" }
        return String(digits.drop { $0 == "." }.reversed())
    }
}
