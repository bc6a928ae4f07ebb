import AllotConfiguration

/// The conversions of texts by Foundation's `NSString` on Apple's systems, which never fail.
enum LeadingNumber {
    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) }
    private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }

    /// `integerValue`: the whole number after blanks, limited to the range of `Int`; 0 if there is none.
    static func integer(_ text: String) -> Int {
        let start = text.utf8.drop(while: isBlank)
        let digits = start.dropFirst(start.first.map(isSign) == true ? 1 : 0).prefix(while: \.isDigit)
        guard !digits.isEmpty else { return 0 }
        return Int(Substring(start[..<digits.endIndex])) ?? (start.first == UInt8(ascii: "-") ? .min : .max)
    }

    /// `doubleValue`: the number after blanks, with fraction and exponent; 0 if there is none.
    static func double(_ text: String) -> Double {
        let start = text.utf8.drop(while: isBlank)
        var rest = start
        func skipDigits() -> Bool {
            let digits = rest.prefix(while: \.isDigit)
            rest = rest[digits.endIndex...]
            return !digits.isEmpty
        }
        if rest.first.map(isSign) == true { rest.removeFirst() }
        let hasWhole = skipDigits()
        var hasFraction = false
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            hasFraction = skipDigits()
        }
        guard hasWhole || hasFraction else { return 0 }
        var end = rest.startIndex
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if rest.first.map(isSign) == true { rest.removeFirst() }
            if skipDigits() { end = rest.startIndex }
        }
        return Double(Substring(start[..<end])) ?? 0
    }

    /// `boolValue`: whether one of `YyTt` or a digit from 1 to 9 follows blanks, a sign and zeros.
    static func bool(_ text: String) -> Bool {
        var rest = text.utf8.drop(while: isBlank)
        if rest.first.map(isSign) == true { rest.removeFirst() }
        return rest.first { $0 != UInt8(ascii: "0") }.map("YyTt123456789".utf8.contains) ?? false
    }
}
