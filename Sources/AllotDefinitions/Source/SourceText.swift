import AllotConfiguration

/// The bytes of one file, known to be UTF-8 and not too large, without the byte order mark. `Sendable`. JSON and YAML
/// files both start here.
struct SourceText: Sendable {
    /// The text in UTF-8, without a byte order mark at its start.
    let bytes: [UInt8]

    /// Checks size and encoding, or returns nil and adds the problem.
    init?(_ bytes: [UInt8], maximumBytes: Int, problems: inout ProblemList) {
        guard bytes.count <= maximumBytes else {
            problems.add(Self.tooLarge(maximumBytes), at: nil)
            return nil
        }
        if let encoding = Self.foreignEncoding(bytes) {
            problems.add("the file is in \(encoding); save it as UTF-8", at: .start)
            return nil
        }
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if let offset = UTF8Validation.firstInvalidOffset(in: self.bytes) {
            let byte = String(self.bytes[offset], radix: 16, uppercase: true)
            problems.add("byte 0x\(byte) is not UTF-8; save the file as UTF-8", at: position(at: offset))
            return nil
        }
    }

    static func tooLarge(_ maximumBytes: Int) -> String {
        "the file has more than \(maximumBytes) bytes, and no more are read; split it or make it smaller"
    }

    /// The encoding that a byte order mark of UTF-16 or UTF-32 announces.
    private static func foreignEncoding(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
        return bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) ? "UTF-16" : nil
    }
}

// MARK: - Positions

extension SourceText {
    /// The position of the scalar that starts at a byte. Complexity: O(offset), so only for messages.
    func position(at offset: Int) -> SourcePosition {
        var cursor = TextPosition()
        cursor.advance(to: offset, in: bytes)
        return SourcePosition(cursor)
    }

    /// The byte at which the scalar at a position starts; the end of the line or of the text when there is no such
    /// scalar. Complexity: O(size of the text), so only for messages and edits.
    func offset(of position: SourcePosition) -> Int {
        var cursor = TextPosition()
        while cursor.line < position.line || (cursor.line == position.line && cursor.column < position.column),
            cursor.offset < bytes.count
        {
            if cursor.line == position.line, bytes[cursor.offset].isLineEnd { break }
            var next = cursor.offset + 1
            while isContinuation(at: next) { next += 1 }
            cursor.advance(to: next, in: bytes)
        }
        return cursor.offset
    }

    func isContinuation(at offset: Int) -> Bool { offset < bytes.count && bytes[offset] & 0xC0 == 0x80 }
}

extension UInt8 { var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") } }

// MARK: - Characters that YAML forbids

extension SourceText {
    /// The number of characters of one file that are reported: a file that is not text has thousands.
    private static let reported = 10

    /// Adds a problem for each character that cannot stand in a YAML file, for the first ten at most. Returns whether
    /// there were none. YAML forbids control characters except tab, LF and CR, and the noncharacters U+FFFE and U+FFFF.
    /// Also refused are U+0085, U+2028 and U+2029, which libyaml takes for line breaks and editors do not, and a byte
    /// order mark inside the file, which is invisible.
    func hasOnlyYAMLCharacters(problems: inout ProblemList) -> Bool {
        var cursor = TextPosition()
        var count = 0
        for offset in bytes.indices where count < Self.reported {
            guard let value = forbiddenCharacter(at: offset) else { continue }
            count += 1
            cursor.advance(to: offset, in: bytes)
            problems.add(message(for: value), at: SourcePosition(cursor))
        }
        return count == 0
    }

    private func forbiddenCharacter(at offset: Int) -> UInt32? {
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

    private func message(for value: UInt32) -> String {
        let code = String(value, radix: 16, uppercase: true).leftPadded(to: 4, with: "0")
        switch value {
        case 0 where bytes.prefix(2).contains(0):
            return "the character U+0000 (NUL) is not allowed in YAML; the file looks like UTF-16, so save it as UTF-8"
        case 0: return "the character U+0000 (NUL) is not allowed in YAML; remove it"
        case 0x85, 0x2028, 0x2029:
            return "the line separator U+\(code) is not supported; write \\u\(code) in double-quoted text"
        case 0xFEFF: return "a byte order mark (U+FEFF) is inside the file; remove it"
        case 0xFFFE, 0xFFFF: return "the character U+\(code) is not allowed in YAML; remove it"
        default:
            return "the control character U+\(code) is not allowed in YAML; remove it, or write \\u\(code) in "
                + "double-quoted text"
        }
    }
}
