import AllotConfiguration

/// How engines that are written in Rust read numbers in texts, and write them.
enum RustNumber {
    /// The number that Rust's `f64::from_str` reads. Returns `nil` for other text, infinities and NaN.
    static func number(of text: String) -> JSONNumber? { double(of: text).flatMap(JSONNumber.init) }

    /// The number that digits stand for, infinity if it is too large. Returns `nil` for other text, "inf" and "NaN".
    static func double(of text: String) -> Double? {
        let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        guard digits.contains(where: \.isDigit), text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) })
        else { return nil }
        return Double(padded(text))
    }

    /// The number that Rust writes as this text: the shortest digits, without an exponent. Returns `nil` if none.
    static func number(writtenAs text: String) -> JSONNumber? {
        guard let number = JSONNumber(text), number.double.isFinite, let shortest = JSONNumber(number.double),
            text.utf8.allSatisfy({ $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }),
            !(text.contains(".") && text.hasSuffix("0")), text != "-0", shortest.decimal == number.decimal
        else { return nil }
        return number
    }

    /// Text such as `.5` and `5.`, with the digit that Swift's parser needs.
    private static func padded(_ text: String) -> String {
        var result = ""
        var previous: Character = " "
        for character in text + " " {
            if character == ".", !previous.isNumber { result.append("0") }
            if previous == ".", !character.isNumber { result.append("0") }
            if character != " " { result.append(character) }
            previous = character
        }
        return result
    }
}

extension JSONNumber {
    /// Whether only this number is equal to it: from 2⁵³ on, different whole numbers share a double.
    var isExactAsDouble: Bool { double.magnitude < 9_007_199_254_740_992 }
}
