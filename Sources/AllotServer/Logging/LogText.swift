/// Text that stays on its line, whatever it holds.
///
/// Escaped are the characters that break a line, drive a terminal, turn the direction of writing or cannot be seen.
enum LogText {
    /// Appends a JSON string.
    static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes.append(contentsOf: "\\\"".utf8)
            case "\\": bytes.append(contentsOf: "\\\\".utf8)
            case "\n": bytes.append(contentsOf: "\\n".utf8)
            case "\r": bytes.append(contentsOf: "\\r".utf8)
            case "\t": bytes.append(contentsOf: "\\t".utf8)
            case _ where isUnsafe(scalar):
                for unit in UTF16.encode(scalar) ?? .init() { append(escape: unit, to: &bytes) }
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends text as it is where that cannot be mistaken for anything else, or else as a JSON string.
    ///
    /// - Parameter spaces: whether the text may hold spaces unquoted.
    static func append(_ text: String, spaces: Bool, to bytes: inout [UInt8]) {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "\"", "\\", "=": false
            case " ": spaces
            default: !isUnsafe(scalar) && !scalar.properties.isWhitespace
            }
        }
        if isPlain, !text.isEmpty {
            bytes.append(contentsOf: text.utf8)
        } else {
            appendQuoted(text, to: &bytes)
        }
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }

    private static let hexadecimalDigits = Array("0123456789abcdef".utf8)

    private static func append(escape unit: UInt16, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "\\u".utf8)
        for shift in [12, 8, 4, 0] { bytes.append(hexadecimalDigits[Int(unit >> shift) & 15]) }
    }
}
