import Allot
import AllotConfiguration

/// Which characters stand in literals as they are, and how the others are written.
enum LiteralText {
    /// Whether a character reads as itself in any engine, any tool and any reader's eyes: printable ASCII without the
    /// quote and the back-slash, and letters, digits and marks of any language; nothing invisible or turned round.
    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20...0x7E).contains(scalar.value) && scalar != "'" && scalar != "\\" }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .currencySymbol, .mathSymbol, .otherSymbol, .dashPunctuation,
            .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation:
            return !scalar.properties.isDefaultIgnorableCodePoint
        default:
            return false
        }
    }

    private static func isPlainOrQuote(_ scalar: Unicode.Scalar) -> Bool { isPlain(scalar) || scalar == "'" }

    /// A literal of plain characters and quotes, which are doubled.
    private static func quoted(_ text: String) -> String { "'" + text.doubling("'") + "'" }

    /// Text as a literal with doubled quotes; with escapes, which a prefix announces, where something is not plain.
    ///
    /// - Parameters:
    ///   - short: the escape of a number of four digits, before the digits.
    ///   - long: that of a greater number, and its count of digits.
    static func literal(
        _ text: String, escapedBehind prefix: String, short: String, long: (prefix: String, digits: Int)
    ) -> String {
        if text.unicodeScalars.allSatisfy(isPlainOrQuote) { return quoted(text) }
        return "\(prefix)'\(escaped(text, quote: "''", short: short, long: long))'"
    }

    /// Text as one literal, or as several joined where characters have to be named by their numbers.
    ///
    /// - Parameter character: an expression for a character that is neither plain nor a quote.
    static func concatenated(
        _ text: String, character: (Unicode.Scalar) -> String, joined: ([String]) -> String
    ) -> String {
        var parts: [String] = []
        var run = ""
        for scalar in text.unicodeScalars {
            if isPlainOrQuote(scalar) {
                run.unicodeScalars.append(scalar)
            } else {
                if !run.isEmpty { parts.append(quoted(run)) }
                run = ""
                parts.append(character(scalar))
            }
        }
        if !run.isEmpty || parts.isEmpty { parts.append(quoted(run)) }
        // One character alone would be no text everywhere.
        if parts.count == 1, run.isEmpty, !text.isEmpty { parts.insert(quoted(""), at: 0) }
        return parts.count == 1 ? parts[0] : joined(parts)
    }

    /// Text with escapes in place of all that is not plain.
    static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if isPlain(scalar) { result.unicodeScalars.append(scalar) } else { result += escape(scalar) }
        }
        return result
    }

    /// Text with a quote of one kind and a back-slash escaped, and all else that is not plain by its number.
    ///
    /// - Parameters:
    ///   - short: the escape of a number of four digits, before the digits.
    ///   - long: that of a greater number, and its count of digits.
    static func escaped(_ text: String, quote: String, short: String, long: (prefix: String, digits: Int)) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "'": quote
            case "\\": "\\\\"
            case _ where scalar.value <= 0xFFFF: short + hexadecimal(scalar.value, digits: 4)
            default: long.prefix + hexadecimal(scalar.value, digits: long.digits)
            }
        }
    }

    /// Refuses the one character that the text of some engines cannot hold.
    static func checkHoldsNoNull(_ text: String, in title: String) throws(Unsupported) {
        guard !text.unicodeScalars.contains("\0") else {
            throw Unsupported("the text of \(title) cannot hold U+0000; take it out of the definitions")
        }
    }

    /// A number in hexadecimal digits.
    static func hexadecimal(_ value: some BinaryInteger, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// The bytes of text in hexadecimal digits.
    static func hexadecimal(_ text: String) -> String {
        text.utf8.map { hexadecimal($0, digits: 2) }.joined()
    }
}

/// Names of tables and columns.
enum NameText {
    /// Refuses what no engine can name.
    static func check(_ name: String, in title: String) throws(Unsupported) {
        guard !name.isEmpty else { throw Unsupported("a name is empty; give the table's or column's name") }
        guard let scalar = name.unicodeScalars.first(where: isUnsafe) else { return }
        let number = LiteralText.hexadecimal(scalar.value, digits: 4).uppercased()
        throw Unsupported(
            "the name \(QuotedText(name)) holds the character U+\(number), which shows a statement otherwise than \(title) reads it; "
                + "rename it")
    }

    /// Whether a character ends lines to some reader, or shows text in another order than the engine reads.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}

/// Instants as literals.
enum ClockText {
    /// 9999-12-31T23:59:59.999999Z
    private static let last = Instant(seconds: 253_402_300_799, nanoseconds: 999_999_000)

    /// `2026-11-21 12:00:00.000000`, in UTC; what is below microseconds counts as the next one, because engines' clocks
    /// do not tick in between.
    ///
    /// No clock shows what is before 1970, and not every engine takes it; nor what is after the year 9999.
    static func standard(_ instant: Instant) -> String {
        let instant = min(max(instant, Instant(seconds: 0)), last)
        let microseconds = (Int64(instant.nanoseconds) + 999) / 1000
        let rounded = Instant(
            seconds: instant.seconds + microseconds / 1_000_000, nanoseconds: Int32(microseconds % 1_000_000 * 1000))
        var text = String(rounded.description.dropLast())
        if !text.contains(".") { text += "." }
        text += String(repeating: "0", count: max(0, 26 - text.utf8.count))
        return text.replacing("T", with: " ")
    }
}

/// Numbers as literals.
enum NumberLiteral {
    /// A whole number that every engine's integers and doubles hold exactly.
    static func whole(_ number: Double) -> String? {
        guard let whole = Int64(exactly: number), whole.magnitude < 1 << 53 else { return nil }
        return "\(whole)"
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter, a digit or "_": what names are made of that need no quotes.
    var isOfPlainName: Bool {
        (self | 0x20) &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10 || self == UInt8(ascii: "_")
    }
}

extension String {
    /// The text with each quote written twice.
    func doubling(_ quote: Character) -> String {
        var result = ""
        for scalar in unicodeScalars {
            result.unicodeScalars.append(scalar)
            if Character(scalar) == quote { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}

extension String {
    /// As engines fold names that are written without quotes.
    var lowercasedASCII: String {
        String(decoding: utf8.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// As engines fold names that are written without quotes.
    var uppercasedASCII: String {
        String(decoding: utf8.map { $0 &- UInt8(ascii: "a") < 26 ? $0 & 0xDF : $0 }, as: UTF8.self)
    }
}
