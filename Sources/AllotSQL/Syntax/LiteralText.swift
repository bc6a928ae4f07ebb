import AllotConfiguration
import AllotCore

/// Literals of text: characters that need no escape, and escapes of all others.
enum LiteralText {
    /// Whether a character means the same for every engine, tool and reader: nothing invisible or bidirectional.
    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20...0x7E).contains(scalar.value) && scalar != "'" && scalar != "\\" }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .currencySymbol, .mathSymbol, .otherSymbol, .dashPunctuation,
            .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation:
            return !scalar.properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }

    /// The characters of a text, and whether each can stand in a literal as it is: plain, and not a mark of Jinja.
    static func characters(of text: String) -> some Sequence<(scalar: Unicode.Scalar, isPlain: Bool)> {
        let scalars = text.unicodeScalars
        let following = scalars.dropFirst().map(Optional.init) + [nil]
        return zip(scalars, following).lazy.map { scalar, next in
            (scalar, isPlain(scalar) && !JinjaMark.begins(with: scalar, next))
        }
    }

    private static func quoted(_ text: String) -> String { "'" + text.doubling("'") + "'" }

    /// Text as a literal with doubled quotes. If a character is not plain, the literal has a prefix and escapes.
    static func literal(
        _ text: String, escapedAfter prefix: String, short: String, long: (prefix: String, digits: Int)
    ) -> String {
        if characters(of: text).allSatisfy({ $0.isPlain || $0.scalar == "'" }) { return quoted(text) }
        return "\(prefix)'\(escaped(text, quote: "''", short: short, long: long))'"
    }

    /// Text as one literal, or as several joined ones if characters must be written by number.
    static func concatenated(
        _ text: String, character: (Unicode.Scalar) -> String, joined: ([String]) -> String
    ) -> String {
        var parts: [String] = []
        var run = ""
        for (scalar, isPlain) in characters(of: text) {
            if isPlain || scalar == "'" {
                run.unicodeScalars.append(scalar)
            } else {
                if !run.isEmpty { parts.append(quoted(run)) }
                run = ""
                parts.append(character(scalar))
            }
        }
        if !run.isEmpty || parts.isEmpty { parts.append(quoted(run)) }
        // A single character would not be text in every engine.
        if parts.count == 1, run.isEmpty, !text.isEmpty { parts.insert(quoted(""), at: 0) }
        return parts.count == 1 ? parts[0] : joined(parts)
    }

    /// Text with escapes for all characters that cannot stand in a literal as they are.
    static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        var result = ""
        for (scalar, isPlain) in characters(of: text) {
            if isPlain { result.unicodeScalars.append(scalar) } else { result += escape(scalar) }
        }
        return result
    }

    /// Text with escapes for quotes and backslashes, and with numbers for other characters that are not plain.
    static func escaped(_ text: String, quote: String, short: String, long: (prefix: String, digits: Int)) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "'": quote
            case "\\": "\\\\"
            case _ where scalar.value <= 0xFFFF: short + scalar.value.zeroPadded(to: 4, radix: 16)
            default: long.prefix + scalar.value.zeroPadded(to: long.digits, radix: 16)
            }
        }
    }

    /// Rejects U+0000, which the text of some engines cannot contain.
    static func checkHasNoNull(_ text: String, in title: String) throws(Unsupported) {
        guard !text.unicodeScalars.contains("\0") else {
            throw Unsupported("the text of \(title) cannot contain U+0000; remove it from the definitions")
        }
    }

    static func hexadecimal(_ text: String) -> String { hexadecimal(Array(text.utf8)) }
    static func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { $0.zeroPadded(to: 2, radix: 16) }.joined() }
}

/// The beginning of an expression, a statement or a comment of Jinja.
enum JinjaMark {
    static func begins(with scalar: Unicode.Scalar, _ next: Unicode.Scalar?) -> Bool {
        scalar == "{" && (next == "{" || next == "%" || next == "#")
    }

    static func occurs(in text: String) -> Bool {
        zip(text.unicodeScalars, text.unicodeScalars.dropFirst()).contains { begins(with: $0, $1) }
    }
}

enum NameText {
    /// Rejects names that no engine supports, and names that dbt would change.
    static func check(_ name: String, in title: String) throws(Unsupported) {
        guard !name.isEmpty else { throw Unsupported("a name is empty; write the name of the table or column") }
        guard !JinjaMark.occurs(in: name) else {
            throw Unsupported("dbt would replace the mark of Jinja in the name \(QuotedText(name)); rename it")
        }
        guard let scalar = name.unicodeScalars.first(where: isUnsafe) else { return }
        let number = scalar.value.zeroPadded(to: 4, radix: 16).uppercased()
        throw Unsupported(
            "the name \(QuotedText(name)) contains the character U+\(number), which makes a statement look different "
                + "from what \(title) reads; rename it")
    }

    /// Whether a character ends lines for some readers, or shows text in another order than engines read it.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}

enum InstantLiteral {
    /// The instants that most engines read: those of the years 1 to 9999, in whole microseconds.
    static let common = Instant(seconds: -62_135_596_800)...Instant(seconds: 253_402_300_799, nanoseconds: 999_999_000)

    /// Microseconds since 1970, rounded up, so that a time in microseconds compares with it as with the instant.
    static func microseconds(_ instant: Instant) -> Int64 {
        instant.seconds * 1_000_000 + (Int64(instant.nanoseconds) + 999) / 1000
    }

    /// `2026-11-21 12:00:00.000000`, in UTC; with nine decimals if needed, or else rounded up to microseconds.
    static func digits(_ instant: Instant, hasNanoseconds: Bool) -> String {
        var instant = instant
        if !hasNanoseconds, instant.nanoseconds % 1000 != 0 {
            let (seconds, rest) = microseconds(instant).flooredQuotientAndRemainder(dividingBy: 1_000_000)
            instant = Instant(seconds: seconds, nanoseconds: Int32(rest) * 1000)
        }
        var text = String(instant.description.dropLast())
        if !text.contains(".") { text += "." }
        let length = instant.nanoseconds % 1000 == 0 ? 26 : 29
        text += String(repeating: "0", count: max(0, length - text.utf8.count))
        return text.replacing("T", with: " ")
    }
}

extension String {
    /// The text with each occurrence of a character written twice.
    func doubling(_ quote: Character) -> String {
        var result = ""
        for scalar in unicodeScalars {
            result.unicodeScalars.append(scalar)
            if Character(scalar) == quote { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// The text as engines fold names without quotes.
    var lowercasedASCII: String {
        String(decoding: utf8.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
