/// Reading of untyped text as a number.
package enum NumberText {
    /// Longer text is no number.
    private static let maximumLength = 40

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    /// The nearest double of text in the grammar `-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?` of at most 40 characters,
    /// `nil` for other text.
    ///
    /// Digits up to 2^53 with a power of ten up to 22 are exact by one multiplication or division (Clinger 1990), the
    /// rest goes through the standard library.
    package static func parse(_ bytes: Span<UInt8>) -> Double? {
        guard bytes.count <= maximumLength else { return nil }
        var index = 0
        func byte() -> UInt8 { index < bytes.count ? bytes[index] : 0 }
        func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

        let isNegative = byte() == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var mantissa: UInt64 = 0
        var mantissaIsExact = true
        func takeDigits() -> Int {
            let start = index
            while isDigit(byte()) {
                if mantissa < 900_719_925_474_098 {
                    mantissa = mantissa * 10 + UInt64(byte() - UInt8(ascii: "0"))
                } else {
                    mantissaIsExact = false
                }
                index += 1
            }
            return index - start
        }
        guard takeDigits() > 0 else { return nil }
        var power = 0
        if byte() == UInt8(ascii: ".") {
            index += 1
            let decimals = takeDigits()
            guard decimals > 0 else { return nil }
            power = -decimals
        }
        if byte() == UInt8(ascii: "e") || byte() == UInt8(ascii: "E") {
            index += 1
            let exponentIsNegative = byte() == UInt8(ascii: "-")
            if exponentIsNegative || byte() == UInt8(ascii: "+") { index += 1 }
            var exponent = 0
            let start = index
            while isDigit(byte()) {
                // A third digit is outside the grammar; more would not fit an integer.
                guard index - start < 2 else { return nil }
                exponent = exponent * 10 + Int(byte() - UInt8(ascii: "0"))
                index += 1
            }
            guard index > start else { return nil }
            power += exponentIsNegative ? -exponent : exponent
        }
        guard index == bytes.count else { return nil }

        if mantissaIsExact, abs(power) <= 22 {
            let value = Double(mantissa)
            let scaled = power < 0 ? value / powersOfTen[-power] : value * powersOfTen[power]
            return isNegative ? -scaled : scaled
        }
        return Double(String(copying: bytes))
    }
}

extension String {
    /// Text of a span that is known to be UTF-8.
    package init(copying bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
