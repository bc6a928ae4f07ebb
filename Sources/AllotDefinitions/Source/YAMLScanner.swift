import AllotConfiguration

/// Cuts YAML text into tokens exactly as libyaml's scanner does, without building values.
///
/// It exists because Yams cannot be asked what comes next: aliases, tags, nesting and keys have to be known before Yams
/// is given the text. It follows `scanner.c` of libyaml state by state, as Yams 6.2.2 has it; where libyaml would report an error it
/// ends or goes on with any token, as Yams then reports the error. The text must have passed `YAMLCharacters`.
///
/// Complexity: O(size of the text) for all tokens together, without recursion; `Sendable`.
struct YAMLScanner: Sendable {
    /// A place at which a key without `?` may have started.
    struct SimpleKey: Sendable {
        var line: Int
        var column: Int
    }

    /// libyaml's limit: a simple key and its colon stand on one line and are at most this many scalars apart.
    static let longestSimpleKey = 1024

    let bytes: [UInt8]
    var offset = 0

    /// The line, from 0.
    var line = 0

    /// The column in scalars, from 0.
    var column = 0

    /// The column of the innermost block collection; -1 outside all of them.
    private(set) var indent = -1

    /// The columns of the block collections around the innermost one.
    private var outerIndents: [Int] = []

    /// The place where a simple key may have started: outside all brackets, and for each open bracket.
    private var simpleKeys: [SimpleKey?] = [nil]

    /// Whether a simple key may start here.
    var isSimpleKeyAllowed = true

    /// Makes a scanner of a text.
    init(_ text: SourceText) {
        bytes = text.bytes
    }
}

// MARK: - Tokens

extension YAMLScanner {
    /// How many collections are open, not counting lists that stand at the indentation of their key and one-entry maps
    /// in brackets: at least half of the real depth.
    var depth: Int { simpleKeys.count - 1 + outerIndents.count }

    /// Whether the text is inside brackets, where indentation has no meaning.
    var isInBrackets: Bool { simpleKeys.count > 1 }

    /// The next token, or nil at the end of the text or at an error that Yams will report.
    mutating func next() -> YAMLToken? {
        skipToToken()
        if !isInBrackets { closeBlocks(indentedMoreThan: column) }
        guard offset < bytes.count else { return nil }
        let start = offset
        let position = SourcePosition(line: line + 1, column: column + 1)
        let keyStart = simpleKeyStart()
        guard let kind = scanToken() else {
            offset = bytes.count
            return nil
        }
        return YAMLToken(
            kind: kind, position: position, start: start, end: offset, keyStart: kind == .colon ? keyStart : nil)
    }

    /// Goes behind the next token and says what it was.
    private mutating func scanToken() -> YAMLToken.Kind? {
        if column == 0 {
            if bytes[offset] == UInt8(ascii: "%") { return scanDirective() }
            if isDocumentMarker(UInt8(ascii: "-")) { return scanDocumentMarker(.documentStart) }
            if isDocumentMarker(UInt8(ascii: ".")) { return scanDocumentMarker(.documentEnd) }
        }
        switch bytes[offset] {
        case UInt8(ascii: "["): return scanOpeningBracket(.listStart)
        case UInt8(ascii: "{"): return scanOpeningBracket(.mapStart)
        case UInt8(ascii: "]"): return scanClosingBracket(.listEnd)
        case UInt8(ascii: "}"): return scanClosingBracket(.mapEnd)
        case UInt8(ascii: ","):
            (simpleKeys[simpleKeys.count - 1], isSimpleKeyAllowed) = (nil, true)
            advance()
            return .comma
        case UInt8(ascii: "-") where isBlankOrEnd(offset + 1): return scanDash()
        case UInt8(ascii: "?") where isInBrackets || isBlankOrEnd(offset + 1): return scanQuestionMark()
        case UInt8(ascii: ":") where isInBrackets || isBlankOrEnd(offset + 1): return scanColon()
        case UInt8(ascii: "*"): return scanName(.alias)
        case UInt8(ascii: "&"): return scanName(.anchor)
        case UInt8(ascii: "!"): return scanTag()
        case UInt8(ascii: "|") where !isInBrackets, UInt8(ascii: ">") where !isInBrackets:
            (simpleKeys[simpleKeys.count - 1], isSimpleKeyAllowed) = (nil, true)
            return skipBlockText() ? .block : nil
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            startPossibleKey()
            return skipQuotedText() ? .quoted : nil
        case _ where isPlainStart:
            startPossibleKey()
            return skipPlainText() ? .plain : nil
        default: return nil
        }
    }

    /// Skips white space, comments and line ends.
    private mutating func skipToToken() {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: " "): advance()
            case UInt8(ascii: "\t") where isInBrackets || !isSimpleKeyAllowed: advance()
            case UInt8(ascii: "#"): skipLine()
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                advanceLine()
                if !isInBrackets { isSimpleKeyAllowed = true }
            default: return
            }
        }
    }

    private mutating func scanDirective() -> YAMLToken.Kind {
        closeBlocks(indentedMoreThan: -1)
        (simpleKeys[simpleKeys.count - 1], isSimpleKeyAllowed) = (nil, false)
        skipLine()
        if isBreak(offset) { advanceLine() }
        return .directive
    }

    private mutating func scanDocumentMarker(_ kind: YAMLToken.Kind) -> YAMLToken.Kind {
        closeBlocks(indentedMoreThan: -1)
        (simpleKeys[simpleKeys.count - 1], isSimpleKeyAllowed) = (nil, false)
        advance(by: 3)
        return kind
    }

    private mutating func scanOpeningBracket(_ kind: YAMLToken.Kind) -> YAMLToken.Kind {
        startPossibleKey()
        simpleKeys.append(nil)
        isSimpleKeyAllowed = true
        advance()
        return kind
    }

    private mutating func scanClosingBracket(_ kind: YAMLToken.Kind) -> YAMLToken.Kind {
        simpleKeys[simpleKeys.count - 1] = nil
        if isInBrackets { simpleKeys.removeLast() }
        isSimpleKeyAllowed = false
        advance()
        return kind
    }

    private mutating func scanDash() -> YAMLToken.Kind? {
        if !isInBrackets {
            guard isSimpleKeyAllowed else { return nil }
            openBlock(at: column)
        }
        (simpleKeys[simpleKeys.count - 1], isSimpleKeyAllowed) = (nil, true)
        advance()
        return .dash
    }

    private mutating func scanQuestionMark() -> YAMLToken.Kind? {
        if !isInBrackets {
            guard isSimpleKeyAllowed else { return nil }
            openBlock(at: column)
        }
        (simpleKeys[simpleKeys.count - 1], isSimpleKeyAllowed) = (nil, !isInBrackets)
        advance()
        return .questionMark
    }

    private mutating func scanColon() -> YAMLToken.Kind? {
        if let key = simpleKeyStart() {
            openBlock(at: key.column - 1)
            isSimpleKeyAllowed = false
        } else {
            if !isInBrackets {
                guard isSimpleKeyAllowed else { return nil }
                openBlock(at: column)
            }
            isSimpleKeyAllowed = !isInBrackets
        }
        simpleKeys[simpleKeys.count - 1] = nil
        advance()
        return .colon
    }

    /// Goes behind `&name` or `*name`.
    private mutating func scanName(_ kind: YAMLToken.Kind) -> YAMLToken.Kind? {
        startPossibleKey()
        advance()
        let start = offset
        while offset < bytes.count, Self.isNameByte(bytes[offset]) { advance() }
        guard offset > start else { return nil }
        return isBlankOrEnd(offset) || "?:,]}%@`".utf8.contains(bytes[offset]) ? kind : nil
    }

    /// Goes behind `!`, `!name`, `!!name`, `!handle!name` or `!<uri>`.
    private mutating func scanTag() -> YAMLToken.Kind? {
        startPossibleKey()
        advance()
        let isVerbatim = offset < bytes.count && bytes[offset] == UInt8(ascii: "<")
        if isVerbatim { advance() }
        let others = isVerbatim ? ";/?:@&=+$.%!~*'(),[]" : ";/?:@&=+$.%!~*'()"
        while offset < bytes.count, Self.isNameByte(bytes[offset]) || others.utf8.contains(bytes[offset]) { advance() }
        if isVerbatim {
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: ">") else { return nil }
            advance()
        }
        return isBlankOrEnd(offset) || (isInBrackets && bytes[offset] == UInt8(ascii: ",")) ? .tag : nil
    }
}

// MARK: - Indentation and simple keys

extension YAMLScanner {
    private mutating func openBlock(at newIndent: Int) {
        guard !isInBrackets, indent < newIndent else { return }
        outerIndents.append(indent)
        indent = newIndent
    }

    private mutating func closeBlocks(indentedMoreThan column: Int) {
        guard !isInBrackets else { return }
        while indent > column, let outer = outerIndents.popLast() { indent = outer }
    }

    /// Remembers that a simple key may start here; none may follow what is read now on the same line.
    private mutating func startPossibleKey() {
        if isSimpleKeyAllowed { simpleKeys[simpleKeys.count - 1] = SimpleKey(line: line, column: column) }
        isSimpleKeyAllowed = false
    }

    /// Where the simple key starts that a colon at this place would end.
    private func simpleKeyStart() -> SourcePosition? {
        guard let key = simpleKeys[simpleKeys.count - 1], key.line == line,
            column - key.column <= Self.longestSimpleKey
        else { return nil }
        return SourcePosition(line: key.line + 1, column: key.column + 1)
    }
}
