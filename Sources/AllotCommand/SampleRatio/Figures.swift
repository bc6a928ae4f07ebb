import AllotAnalysis
import AllotConfiguration

/// Numbers of any size for people.
enum Figures {
    /// Beyond this a double has no decimals that mean something.
    private static let largestWithDecimals = 1e14
    private static let largestWhole = 9e18

    /// A number with so many decimals.
    static func text(_ value: Double, _ places: Int) -> String {
        guard value.magnitude < largestWhole else { return String(value) }
        guard value.magnitude < largestWithDecimals, places > 0 else { return String(Int(value.rounded())) }
        return (value < 0 ? "-" : "") + FixedPoint.text(value.magnitude, places)
    }

    /// A number with so many decimals and its sign.
    static func signed(_ value: Double, _ places: Int) -> String {
        let digits = text(value.magnitude, places)
        let isZero = digits.allSatisfy { $0 == "0" || $0 == "." }
        return isZero ? digits : (value < 0 ? "-" : "+") + digits
    }

    /// A small number such as 0.001, without the noise of its last digits.
    static func shortest(_ value: Double) -> String {
        let millionths = (value * 1e9).rounded()
        return millionths >= 1 ? String(millionths / 1e9) : String(value)
    }

    /// A number and what it counts.
    static func counted(_ count: Int, _ noun: String) -> String {
        AllotConfiguration.counted(count, noun)
    }

    /// A part of a whole, 0 to 1, in percent.
    static func percent(_ part: Double) -> String {
        "\(text(part * 100, part > 0 && part < 0.1 ? 2 : 1))%"
    }
}
