/// Finds where values end in the text of a definitions file, as the tree has only their starts.
///
/// It knows values on one line, and lists and maps in brackets. Its results are not relied on: the edited text is read
/// again and compared.
struct ValueExtent {
    let bytes: [UInt8]

    /// The end of a scalar that starts at an offset.
    ///
    /// - Parameter isInBrackets: Whether it is in a list or map in brackets, where commas end it.
    func endOfScalar(at start: Int, isInBrackets: Bool) -> Int {
        guard start < bytes.count else { return start }
        switch bytes[start] {
        case UInt8(ascii: "\""): return endOfQuoted(at: start, escape: UInt8(ascii: "\\"))
        case UInt8(ascii: "'"): return endOfQuoted(at: start, escape: UInt8(ascii: "'"))
        default: break
        }
        var end = start
        while end < bytes.count, !isEnd(end, isInBrackets: isInBrackets) { end += 1 }
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
        return end
    }

    /// The end of a list or map in brackets that starts at an offset, after its closing bracket. Returns nil if it has
    /// no closing bracket.
    func endOfBrackets(at start: Int) -> Int? {
        guard start < bytes.count, Self.opening.contains(bytes[start]) else { return nil }
        var depth = 0
        var offset = start
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") || (byte == UInt8(ascii: "'") && isTokenStart(offset)) {
                offset = endOfScalar(at: offset, isInBrackets: true)
                continue
            }
            if byte == UInt8(ascii: "#"), isTokenStart(offset) {
                offset = endOfLine(offset)
                continue
            }
            if Self.opening.contains(byte) { depth += 1 }
            if Self.closing.contains(byte) { depth -= 1 }
            offset += 1
            if depth == 0 { return offset }
        }
        return nil
    }

    /// The comments within a range, each from its `#` to the end of its line.
    func comments(in range: Range<Int>) -> [String] {
        var comments: [String] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            switch bytes[offset] {
            case UInt8(ascii: "\""): offset = endOfScalar(at: offset, isInBrackets: true)
            case UInt8(ascii: "'") where isTokenStart(offset): offset = endOfScalar(at: offset, isInBrackets: true)
            case UInt8(ascii: "#") where isTokenStart(offset):
                let end = min(endOfLine(offset), range.upperBound)
                comments.append(String(decoding: bytes[offset..<end], as: UTF8.self))
                offset = end
            default: offset += 1
            }
        }
        return comments
    }

    /// The offset of the next line break, or of the text's end.
    func endOfLine(_ offset: Int) -> Int {
        bytes[offset...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.count
    }

    /// Whether there is only white space between the start of the line and an offset.
    func isFirstOfLine(_ offset: Int) -> Bool {
        bytes[..<offset].reversed().prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.allSatisfy(isBlank)
    }

    private static let opening: [UInt8] = [UInt8(ascii: "["), UInt8(ascii: "{")]
    private static let closing: [UInt8] = [UInt8(ascii: "]"), UInt8(ascii: "}")]

    private func endOfQuoted(at start: Int, escape: UInt8) -> Int {
        let quote = bytes[start]
        var offset = start + 1
        while offset < bytes.count {
            if bytes[offset] == escape, escape != quote || (offset + 1 < bytes.count && bytes[offset + 1] == quote) {
                offset += 2
            } else if bytes[offset] == quote {
                return offset + 1
            } else {
                offset += 1
            }
        }
        return bytes.count
    }

    private func isEnd(_ offset: Int, isInBrackets: Bool) -> Bool {
        let byte = bytes[offset]
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return true }
        if byte == UInt8(ascii: "#"), isTokenStart(offset) { return true }
        return isInBrackets && (byte == UInt8(ascii: ",") || Self.closing.contains(byte))
    }

    /// Whether a token can start here: `#` and `'` inside words are text.
    private func isTokenStart(_ offset: Int) -> Bool {
        guard offset > 0 else { return true }
        let previous = bytes[offset - 1]
        return isBlank(previous) || previous == UInt8(ascii: "\n") || previous == UInt8(ascii: "\r")
            || previous == UInt8(ascii: ",") || previous == UInt8(ascii: ":") || Self.opening.contains(previous)
    }

    private func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
