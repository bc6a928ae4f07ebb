/// An exact decimal number, sign × digits × 10^exponent, where floating point would be wrong. `Sendable`.
package struct Decimal: Sendable, Hashable, Comparable {
    package let isNegative: Bool
    /// The significant digits 0...9, most significant first, without leading or trailing zeros; empty for zero.
    package let digits: [UInt8]
    /// The power of ten by which the digits, read as a whole number, are multiplied; 0 for zero.
    package let exponent: Int

    /// Exponents are limited to this magnitude: no definition needs such a number.
    private static let exponentLimit: Int64 = 1_000_000_000

    package init(_ number: JSONNumber) {
        let text = number.text.utf8
        let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        var digits = mantissa.filter(\.isDigit).drop { $0 == UInt8(ascii: "0") }.map { $0 - UInt8(ascii: "0") }
        let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        let power = text[mantissa.endIndex...].dropFirst()
        let largest = power.first == UInt8(ascii: "-") ? -Self.exponentLimit : Self.exponentLimit
        let written = power.isEmpty ? 0 : Int64(Substring(power)) ?? largest
        var exponent = Int(min(max(written, -Self.exponentLimit), Self.exponentLimit)) - fraction.count
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : exponent
        isNegative = !digits.isEmpty && number.text.utf8.first == UInt8(ascii: "-")
    }

    package var isWhole: Bool { exponent >= 0 }
    package var fractionDigitCount: Int { max(0, -exponent) }

    /// `self` × 10^`places` if that is a whole number from 0 to `limit`. Returns `nil` if it is not.
    package func scaled(byPowerOfTen places: Int, limit: UInt64) -> UInt64? {
        guard let value = whole(UInt64.self, byPowerOfTen: places), value <= limit else { return nil }
        return value
    }

    /// `self` × 10^`places` if that is a whole number of a type. Returns `nil` if it is not.
    package func whole<Whole: FixedWidthInteger>(_ type: Whole.Type, byPowerOfTen places: Int = 0) -> Whole? {
        let zeros = digits.isEmpty ? 0 : exponent + places
        // No integer has more digits.
        guard zeros >= 0, digits.count + zeros <= 39 else { return nil }
        let text = digits.map { String($0) }.joined() + String(repeating: "0", count: zeros)
        return Whole((isNegative ? "-0" : "0") + text)
    }

    package static func < (left: Self, right: Self) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.magnitudePrecedes(left) : left.magnitudePrecedes(right)
    }

    private func magnitudePrecedes(_ other: Self) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        let order = digits.count + exponent
        let otherOrder = other.digits.count + other.exponent
        return order == otherOrder ? digits.lexicographicallyPrecedes(other.digits) : order < otherOrder
    }
}
