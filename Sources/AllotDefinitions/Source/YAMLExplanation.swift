import AllotConfiguration

/// The words for an error of libyaml, and the position where its cause is. `Sendable`.
struct YAMLExplanation: Sendable {
    /// Where the mistake is.
    let position: SourcePosition

    /// What is wrong, and the fix.
    let message: String

    /// Explains an error.
    ///
    /// - Parameters:
    ///   - problem: libyaml's `problem`.
    ///   - context: libyaml's `context`, empty if there is none.
    ///   - start: Where the construct of the context starts.
    ///   - stop: Where libyaml stopped.
    ///   - text: The text as it was written.
    init(problem: String, context: String, start: SourcePosition?, stop: SourcePosition, _ text: SourceText) {
        let start = start ?? stop
        if Self.mayMissBracket.contains(problem), let bracket = text.openBracket(at: stop) {
            let (open, close) = bracket.kind == .listStart ? ("[", "]") : ("{", "}")
            position = bracket.position
            message = "the \(open) that opens here is never closed; add \(close)"
            return
        }
        let isUndefinedTag = problem == "found undefined tag handle"
        switch problem {
        case "could not find expected ':'":
            (position, message) = (start, Self.missingColon(at: start, in: text))
        case "found character that cannot start any token":
            (position, message) = (stop, Self.strangeStart(at: stop, in: text))
        case "found unexpected end of stream", "found unexpected document indicator":
            (position, message) = (start, "the quote that opens here is never closed; add the closing quote")
        case "did not find expected alphabetic or numeric character":
            (position, message) = (start, Self.sign(text.scalar(at: start)))
        case _ where isUndefinedTag || context.hasSuffix(" a tag"):
            (position, message) = (isUndefinedTag ? stop : start, Self.sign("!"))
        case "did not find expected ',' or ']'":
            let fix = "add a comma or ] in front of this, or put the text in quotes"
            (position, message) = (stop, Self.stray(from: "the [", start, at: stop, in: text, fix: fix))
        case "did not find expected ',' or '}'":
            let fix = "add a comma or } in front of this, or put the text in quotes"
            (position, message) = (stop, Self.stray(from: "the {", start, at: stop, in: text, fix: fix))
        case "did not find expected key":
            let fix = "start it with key: , or check the indentation and the quotes"
            (position, message) = (stop, Self.stray(from: "the map", start, at: stop, in: text, fix: fix))
        case "did not find expected '-' indicator":
            let fix = "start it with - , or check the indentation and the quotes"
            (position, message) = (stop, Self.stray(from: "the list", start, at: stop, in: text, fix: fix))
        case "did not find expected <document start>":
            let fix = "check the indentation, brackets and quotes there"
            (position, message) = (stop, Self.stray(from: "what", nil, at: stop, in: text, fix: fix))
        case "found unknown escape character":
            let escape = "\\" + text.scalar(at: SourcePosition(line: stop.line, column: stop.column + 1))
            let fix = "write \\\(escape), or use single quotes"
            (position, message) = (stop, "\(escape) is not an escape of double-quoted text; \(fix)")
        case _ where context.contains("directive") || problem.contains("YAML"):
            (position, message) = (stop, "this %YAML line is not understood; remove it")
        default:
            (position, message) = (stop, Self.fixed(problem, at: stop, in: text) ?? Self.unknown(problem, context))
        }
    }

    /// The errors that come at the end of the text if a bracket is not closed.
    private static let mayMissBracket = [
        "did not find expected ',' or ']'", "did not find expected ',' or '}'", "did not find expected node content",
    ]

    /// The messages for errors that need no more than the place where libyaml stopped.
    private static func fixed(_ problem: String, at stop: SourcePosition, in text: SourceText) -> String? {
        switch problem {
        case "mapping values are not allowed in this context":
            misplacedColon(at: stop, in: text)
        case "mapping keys are not allowed in this context":
            "a key (? ) cannot start here; put it on a line of its own"
        case "block sequence entries are not allowed in this context":
            "a list entry (- ) cannot start here; put it on a line of its own"
        case "did not find expected node content":
            "a value was expected here; write it, or remove \(QuotedText(text.scalar(at: stop)))"
        case "found unexpected ':'":
            "a colon between brackets needs a space behind it; write key: value, or put the text in quotes"
        case "did not find expected hexdecimal number":
            "\\x, \\u and \\U need 2, 4 and 8 hexadecimal digits; write them, or use single quotes"
        case "found invalid Unicode character escape code":
            "this escape is no character; write the character itself (\\uD83D\\uDE00 is \\U0001F600)"
        case "found an indentation indicator equal to 0":
            "the indentation behind | or > is 1 to 9; change or remove the number"
        case "did not find expected comment or line break":
            "the text after | or > starts on the next line; put text that starts with | or > in quotes"
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            tab
        case _ where problem.hasPrefix("Maximum nesting level reached"):
            YAMLOutline.tooDeep
        default: nil
        }
    }

    private static func sign(_ sign: String) -> String {
        "text that starts with \(sign) must stand in quotes; write \"\(sign)…\""
    }

    private static let tab = "a tab cannot indent; use spaces"

    private static func unknown(_ problem: String, _ context: String) -> String {
        "this is not YAML (\(context.isEmpty ? "" : context + ", ")\(problem)); correct it, or put text in quotes"
    }

    private static func missingColon(at start: SourcePosition, in text: SourceText) -> String {
        let line = text.line(from: start)
        if line.unicodeScalars.count > YAMLScanner.longestSimpleKey { return longKey }
        return "\(QuotedText(line)) is no key: value; put a colon and a space behind the key, or indent the line if it "
            + "continues the text above"
    }

    private static func misplacedColon(at stop: SourcePosition, in text: SourceText) -> String {
        let last = text.lastToken(before: stop)
        if let last, last.position.line == stop.line,
            stop.column - last.position.column > YAMLScanner.longestSimpleKey
        {
            return longKey
        }
        if let last, last.kind == .plain, last.position.line < stop.line {
            return "a colon cannot stand here, because the line continues the text that starts at line "
                + "\(last.position.line); put a colon and a space behind the key there, or indent this line like its key"
        }
        return "a colon cannot stand here; indent the key like the others of its map, or put text with \": \" in quotes"
    }

    private static let longKey =
        "there is no colon within the \(YAMLScanner.longestSimpleKey) characters that a key may have; write key: value, "
        + "or ? in front of a longer key and its colon on the next line"

    private static func strangeStart(at stop: SourcePosition, in text: SourceText) -> String {
        switch text.scalar(at: stop) {
        case "\t": tab
        case "|", ">": "text after | or > is not possible between brackets; use quotes"
        case let scalar: "text cannot start with \(scalar); put it in quotes"
        }
    }

    /// The message for something that does not fit what is open.
    ///
    /// After quoted text the cause is mostly a quote: one inside the text, or one that was closed much too late.
    private static func stray(
        from construct: String, _ start: SourcePosition?, at stop: SourcePosition, in text: SourceText, fix: String
    ) -> String {
        if let last = text.lastToken(before: stop), last.kind == .quoted {
            return "the quoted text that opens at line \(last.position.line), column \(last.position.column) has ended "
                + "in front of this; put all of the text in quotes, or check where its quotes are"
        }
        guard let start else { return "this does not belong to \(construct) stands above it; \(fix)" }
        return "this does not belong to \(construct) that opens at line \(start.line); \(fix)"
    }
}

// MARK: - Looking around in the text; all O(size of the text)

extension SourceText {
    /// The position itself, or the end of the line or text if it lies behind that.
    func clamped(_ position: SourcePosition) -> SourcePosition {
        self.position(at: offset(of: position))
    }

    /// The scalar at a position as text; empty at the end.
    fileprivate func scalar(at position: SourcePosition) -> String {
        line(from: position).unicodeScalars.first.map { String($0) } ?? ""
    }

    /// The rest of a line.
    fileprivate func line(from position: SourcePosition) -> String {
        let rest = bytes[offset(of: position)...]
        return String(decoding: rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }

    /// The innermost bracket that is open at a position, if that is the end of the text.
    fileprivate func openBracket(at position: SourcePosition) -> YAMLToken? {
        guard offset(of: position) == bytes.count else { return nil }
        var scanner = YAMLScanner(self)
        var open: [YAMLToken] = []
        while let token = scanner.next() {
            switch token.kind {
            case .listStart, .mapStart: open.append(token)
            case .listEnd, .mapEnd: _ = open.popLast()
            default: break
            }
        }
        return open.last
    }

    /// The last token in front of a position.
    func lastToken(before position: SourcePosition) -> YAMLToken? {
        var scanner = YAMLScanner(self)
        var last: YAMLToken?
        while let token = scanner.next(), token.position < position { last = token }
        return last
    }
}
