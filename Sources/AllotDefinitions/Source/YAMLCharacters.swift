/// Finds characters that YAML forbids, and those that would make a line or a column mean two things.
enum YAMLCharacters {
    /// How many characters of one file are reported: a file that is not text has thousands.
    private static let reported = 10

    /// Adds a problem for each forbidden character, for the first ten at most.
    ///
    /// Forbidden by YAML are control characters except tab, LF and CR, and the noncharacters U+FFFE and U+FFFF. Also
    /// refused are U+0085, U+2028 and U+2029, which libyaml takes for line breaks and editors do not, and a byte order
    /// mark inside the file, which nobody sees.
    ///
    /// - Returns: Whether there were none.
    static func check(_ text: SourceText, problems: inout ProblemList) -> Bool {
        var count = 0
        var offset = 0
        while offset < text.bytes.count, count < reported {
            if let value = forbiddenCharacter(in: text.bytes, at: offset) {
                count += 1
                problems.addError(message(for: value, in: text), at: text.position(at: offset))
            } else if beginsWithEscapedMark(text.bytes[offset...]) {
                count += 1
                problems.addError(
                    "text that begins with \\uFEFF, a byte order mark, would lose it in YAML; remove it, or write this file "
                        + "as JSON", at: text.position(at: offset))
            }
            offset += 1
        }
        return count == 0
    }

    /// The forbidden character that starts at a byte of valid UTF-8.
    private static func forbiddenCharacter(in bytes: [UInt8], at offset: Int) -> UInt32? {
        switch bytes[offset] {
        case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x20...0x7E: return nil
        case 0...0x1F, 0x7F: return UInt32(bytes[offset])
        case 0xC2: return bytes[offset + 1] < 0xA0 ? UInt32(bytes[offset + 1]) : nil
        case 0xE2, 0xEF:
            let high = UInt32(bytes[offset] & 0x0F) << 12
            let value = high | UInt32(bytes[offset + 1] & 0x3F) << 6 | UInt32(bytes[offset + 2] & 0x3F)
            switch value {
            case 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: return value
            default: return nil
            }
        default: return nil
        }
    }

    private static let escapedMarks = ["\"\\uFEFF", "\"\\U0000FEFF"].map { Array($0.utf8) }

    /// Whether double-quoted text begins with an escaped U+FEFF, which the parser's strings would drop.
    private static func beginsWithEscapedMark(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "\"") else { return false }
        return escapedMarks.contains { escape in
            let start = bytes.prefix(escape.count)
            // The letter behind the backslash is u or U; the digits may be in either case.
            return start.prefix(3).elementsEqual(escape.prefix(3))
                && start.dropFirst(3).elementsEqual(escape.dropFirst(3)) { $0 & 0xDF == $1 & 0xDF }
        }
    }

    private static func message(for value: UInt32, in text: SourceText) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        switch value {
        case 0 where text.bytes.prefix(2).contains(0):
            return "the character U+0000 (NUL) cannot stand in YAML; the file looks like UTF-16, so save it as UTF-8"
        case 0: return "the character U+0000 (NUL) cannot stand in YAML; remove it"
        case 0x85, 0x2028, 0x2029:
            return "the line separator U+\(code) is not supported; write \\u\(code) in double-quoted text"
        case 0xFEFF: return "a byte order mark (U+FEFF) stands inside the file; remove it"
        case 0xFFFE, 0xFFFF: return "the character U+\(code) cannot stand in YAML; remove it"
        default:
            return "the control character U+\(code) cannot stand in YAML; remove it, or write \\u\(code) in "
                + "double-quoted text"
        }
    }
}
