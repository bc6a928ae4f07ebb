import AllotConfiguration

// The three ways to write text. Each function starts at the first character and ends behind the last one; each returns
// false where libyaml reports an error.

extension YAMLScanner {
    /// Skips text without quotes, and the white space behind it.
    mutating func skipPlainText() -> Bool {
        let least = indent + 1
        var isAfterBreak = false
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "#"), !isAtDocumentMarker {
            while !isBlankOrEnd(offset) {
                if bytes[offset] == UInt8(ascii: ":") {
                    if isBlankOrEnd(offset + 1) { break }
                    if isInBrackets, ",?[]{}".utf8.contains(bytes[offset + 1]) { return false }
                }
                if isInBrackets, ",[]{}".utf8.contains(bytes[offset]) { break }
                isAfterBreak = false
                advance()
            }
            guard isBlank(offset) || isBreak(offset) else { break }
            guard skipSpace(isAfterBreak: &isAfterBreak, tabsFrom: least) else { return false }
            if !isInBrackets, column < least { break }
        }
        if isAfterBreak { isSimpleKeyAllowed = true }
        return true
    }

    /// Skips blanks and line ends. A tab in the first columns of a line is an error.
    private mutating func skipSpace(isAfterBreak: inout Bool, tabsFrom least: Int) -> Bool {
        while true {
            if isBreak(offset) {
                isAfterBreak = true
                advanceLine()
            } else if isBlank(offset) {
                if isAfterBreak, column < least, bytes[offset] == UInt8(ascii: "\t") { return false }
                advance()
            } else {
                return true
            }
        }
    }

    /// Skips text in single or double quotes.
    mutating func skipQuotedText() -> Bool {
        let quote = bytes[offset]
        let isSingle = quote == UInt8(ascii: "'")
        advance()
        while offset < bytes.count, !isAtDocumentMarker {
            while !isBlankOrEnd(offset) {
                if bytes[offset] == quote {
                    advance()
                    guard isSingle, offset < bytes.count, bytes[offset] == quote else { return true }
                    advance()
                } else if !isSingle, bytes[offset] == UInt8(ascii: "\\") {
                    advance()
                    if isBreak(offset) { break }
                    if offset < bytes.count { advance() }
                } else {
                    advance()
                }
            }
            while isBlank(offset) || isBreak(offset) {
                if isBreak(offset) { advanceLine() } else { advance() }
            }
        }
        return false
    }

    /// Skips text after `|` or `>`.
    mutating func skipBlockText() -> Bool {
        advance()
        guard let increment = skipBlockHeader() else { return false }
        var textIndent = increment > 0 ? max(indent, 0) + increment : 0
        guard skipBlockIndentation(&textIndent) else { return false }
        while column == textIndent, offset < bytes.count {
            skipLine()
            if isBreak(offset) { advanceLine() }
            guard skipBlockIndentation(&textIndent) else { return false }
        }
        return true
    }

    /// Skips what may stand behind `|` or `>` on its line, and returns the indentation given there, 0 if none is.
    private mutating func skipBlockHeader() -> Int? {
        var increment = 0
        for _ in 0..<2 where offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "+"), UInt8(ascii: "-"): advance()
            case UInt8(ascii: "1")...UInt8(ascii: "9") where increment == 0:
                increment = Int(bytes[offset] - UInt8(ascii: "0"))
                advance()
            default: break
            }
        }
        while isBlank(offset) { advance() }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "#") { skipLine() }
        guard isBlankOrEnd(offset) else { return nil }
        if isBreak(offset) { advanceLine() }
        return increment
    }

    /// Skips indentation and empty lines, and finds out the indentation if it is still 0.
    private mutating func skipBlockIndentation(_ textIndent: inout Int) -> Bool {
        var widest = 0
        while true {
            while textIndent == 0 || column < textIndent, offset < bytes.count, bytes[offset] == UInt8(ascii: " ") {
                advance()
            }
            widest = max(widest, column)
            if textIndent == 0 || column < textIndent, offset < bytes.count, bytes[offset] == UInt8(ascii: "\t") {
                return false
            }
            guard isBreak(offset) else { break }
            advanceLine()
        }
        if textIndent == 0 { textIndent = max(widest, indent + 1, 1) }
        return true
    }

    private var isAtDocumentMarker: Bool {
        column == 0 && (isDocumentMarker(UInt8(ascii: "-")) || isDocumentMarker(UInt8(ascii: ".")))
    }
}
