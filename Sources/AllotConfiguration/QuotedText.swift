/// A text of a user, as a message shows it: in double quotes, on one line, not too long. `Sendable`.
///
/// Quotes and backslashes are escaped as in JSON, and so are characters that could move the cursor, break the line or
/// turn the writing direction of the terminal that shows the message.
package struct QuotedText: CustomStringConvertible, Sendable {
    /// How many Unicode scalars of a text are shown.
    package static let limit = 64

    /// The text in quotes.
    package let description: String

    /// Quotes a text.
    package init(_ text: String) {
        let escaped = PrintableText.escaped(text.unicodeScalars.prefix(Self.limit)) { $0 == "\"" || $0 == "\\" }
        let isCut = text.unicodeScalars.dropFirst(Self.limit).first != nil
        description = "\"\(escaped)\(isCut ? "…" : "")\""
    }
}

/// A text of a user on one line of a terminal, without quotes: what could move the cursor is escaped. `Sendable`.
package struct PrintableText: CustomStringConvertible, Sendable {
    /// The text.
    package let description: String

    /// Escapes a text.
    package init(_ text: String) {
        description = Self.escaped(text.unicodeScalars[...]) { _ in false }
    }

    fileprivate static func escaped(
        _ scalars: Substring.UnicodeScalarView, _ needsBackslash: (Unicode.Scalar) -> Bool
    ) -> String {
        var text = ""
        for scalar in scalars {
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where needsBackslash(scalar): text += "\\\(scalar)"
            case _ where needsEscape(scalar): text += escape(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F...0x9F: true
        case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }

    /// The scalar as `\u202E`; all that need an escape lie below U+10000.
    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
