/// Text from outside as messages show it: in double quotes, on one line, at most ``limit`` characters of it, escaped as
/// ``PrintableText`` is, and quotes and backslashes too.
package struct QuotedText: CustomStringConvertible, Sendable {
    /// The number of Unicode scalars that are shown.
    package static let limit = 64

    package let description: String

    package init(_ text: String) {
        let isCut = text.unicodeScalars.dropFirst(Self.limit).first != nil
        let shown = PrintableText.escaped(text.unicodeScalars.prefix(Self.limit), escapesQuotes: true)
        description = "\"\(shown)\(isCut ? "…" : "")\""
    }
}

/// Text from outside on one line of a terminal, without quotes: at most ``limit`` characters of a name or a value, and
/// ``lineLimit`` of a whole line.
///
/// Characters that break a line, move the cursor, turn the direction of writing or cannot be seen are escaped as in
/// JSON: `\n`, `\u202E`, and beyond U+FFFF as a pair such as `\uDB40\uDC01`. Joiners stay where they are in use.
package struct PrintableText: CustomStringConvertible, Sendable {
    package let description: String

    /// Escapes the beginning of a text: at most `limit` Unicode scalars of it.
    package init(_ text: String, atMost limit: Int = Self.limit) {
        let isCut = text.unicodeScalars.dropFirst(limit).first != nil
        description = Self.escaped(text.unicodeScalars.prefix(limit), escapesQuotes: false) + (isCut ? "…" : "")
    }

    /// Escapes a sentence, a path, or another text that fills a line.
    package init(line text: String) { self.init(text, atMost: Self.lineLimit) }

    /// Escapes each line of a text of several lines, at most ``lineLimit`` characters of it.
    package init(lines text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        description = lines.map { Self(line: String($0)).description }.joined(separator: "\n")
    }

    package static let limit = 512
    package static let lineLimit = 4096

    /// Whether a character by itself would not be seen as what it is.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        // Such as the filler of Hangul. Variation selectors choose the look of an emoji.
        default: scalar.properties.isDefaultIgnorableCodePoint && !(0xFE00...0xFE0F).contains(scalar.value)
        }
    }

    /// A JSON string with the whole text, hidden characters escaped.
    package static func jsonString(_ text: String) -> String {
        "\"\(escaped(text.unicodeScalars[...], escapesQuotes: true))\""
    }

    private static func isUnusualSpace(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && scalar.properties.generalCategory == .spaceSeparator
    }

    fileprivate static func escaped(_ scalars: Substring.UnicodeScalarView, escapesQuotes: Bool) -> String {
        var text = ""
        for index in scalars.indices {
            let scalar = scalars[index]
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\"" where escapesQuotes: text += "\\\""
            case "\\" where escapesQuotes: text += "\\\\"
            // In quotes an unusual space could be taken for a usual one.
            case _
            where isHidden(scalar) && !scalars.isJoinerInUse(at: index)
                || (escapesQuotes && isUnusualSpace(scalar)):
                for unit in UTF16.encode(scalar) ?? .init() {
                    text += "\\u" + String(unit, radix: 16, uppercase: true).leftPadded(to: 4, with: "0")
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
