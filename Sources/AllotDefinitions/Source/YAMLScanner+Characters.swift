// Moving over characters, and what they are.

extension YAMLScanner {
    /// Goes over one byte that is not a line end.
    mutating func advance() {
        if !SourceText.isContinuation(bytes[offset]) { column += 1 }
        offset += 1
    }

    mutating func advance(by count: Int) {
        for _ in 0..<count { advance() }
    }

    /// Goes over LF, CRLF or CR.
    mutating func advanceLine() {
        let isPair =
            bytes[offset] == UInt8(ascii: "\r") && offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n")
        offset += isPair ? 2 : 1
        line += 1
        column = 0
    }

    /// Goes to the end of the line.
    mutating func skipLine() {
        while offset < bytes.count, !isBreak(offset) { advance() }
    }

    func isBreak(_ index: Int) -> Bool {
        index < bytes.count && (bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r"))
    }

    func isBlank(_ index: Int) -> Bool {
        index < bytes.count && (bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t"))
    }

    /// Whether a byte is a space, a tab or a line end, or lies behind the text.
    func isBlankOrEnd(_ index: Int) -> Bool {
        index >= bytes.count || isBlank(index) || isBreak(index)
    }

    /// Whether `---` or `...` with white space behind it starts here.
    func isDocumentMarker(_ byte: UInt8) -> Bool {
        offset + 2 < bytes.count && bytes[offset] == byte && bytes[offset + 1] == byte && bytes[offset + 2] == byte
            && isBlankOrEnd(offset + 3)
    }

    /// Whether text without quotes can start here.
    var isPlainStart: Bool {
        switch bytes[offset] {
        case UInt8(ascii: "-"): !isBlank(offset + 1)
        case UInt8(ascii: "?"), UInt8(ascii: ":"): !isInBrackets && !isBlankOrEnd(offset + 1)
        case UInt8(ascii: "\t"): false
        default: !"#|>%@`".utf8.contains(bytes[offset])
        }
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
