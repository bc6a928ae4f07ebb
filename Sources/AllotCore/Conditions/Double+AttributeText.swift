private let exactPowersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
]

extension Double {
    /// The double nearest to the number in untyped text, as from CSV. Returns `nil` for text outside the grammar
    /// `-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?` or of more than 40 characters. Digits up to 2⁵³ with a power of ten
    /// up to 22 take one exact multiplication or division (Clinger, "How to read floating point numbers accurately",
    /// 1990); the standard library reads the rest.
    package init?(attributeText bytes: Span<UInt8>) {
        guard bytes.count <= 40 else { return nil }
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
            let scaled = power < 0 ? value / exactPowersOfTen[-power] : value * exactPowersOfTen[power]
            self = isNegative ? -scaled : scaled
        } else {
            self.init(String(copying: bytes))
        }
    }
}

extension String {
    /// Copies bytes that are known to be UTF-8.
    package init(copying bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
