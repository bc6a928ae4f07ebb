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
        let isUndefinedTag = problem == "found undefined tag handle"
        switch problem {
        case "could not find expected ':'":
            (position, message) = (start, Self.missingColon(at: start, in: text))
        case "found character that cannot start any token":
            (position, message) = (stop, Self.strangeStart(at: stop, in: text))
        case "found unexpected end of stream", "found unexpected document indicator":
            (position, message) = (start, "the quote that opens here is never closed; add the closing quote")
        case "did not find expected alphabetic or numeric character":
            let sign = text.scalar(at: start)
            (position, message) = (start, "text that starts with \(sign) must stand in quotes; write \"\(sign)…\"")
        case _ where isUndefinedTag || context.hasSuffix(" a tag"):
            let place = isUndefinedTag ? stop : start
            (position, message) = (place, "text that starts with ! must stand in quotes; write \"!…\"")
        case "did not find expected ',' or ']'":
            (position, message) = Self.openBracket("[", "]", from: start, to: stop, in: text)
        case "did not find expected ',' or '}'":
            (position, message) = Self.openBracket("{", "}", from: start, to: stop, in: text)
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
            "a value was expected here; write it, or remove the \(text.scalar(at: stop))"
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

    private static let tab = "a tab cannot indent; use spaces"

    private static func unknown(_ problem: String, _ context: String) -> String {
        "this is not YAML (\(context.isEmpty ? "" : context + ", ")\(problem)); correct it, or put text in quotes"
    }

    private static func missingColon(at start: SourcePosition, in text: SourceText) -> String {
        let line = text.line(from: start)
        guard line.unicodeScalars.count <= YAMLScanner.longestSimpleKey else {
            return "a key and its colon must be at most \(YAMLScanner.longestSimpleKey) characters apart; write a longer "
                + "key as ? key and, on the next line, : value"
        }
        return "\(QuotedText(line)) is no key: value; put a colon and a space behind the key, or indent the line if it "
            + "continues the text above"
    }

    private static func misplacedColon(at stop: SourcePosition, in text: SourceText) -> String {
        guard let last = text.lastToken(before: stop), last.kind == .plain, last.position.line < stop.line else {
            return "a colon cannot stand here; indent the key like the others of its map, or put text with \": \" in "
                + "quotes"
        }
        return "a colon cannot stand here, because the line continues the text that starts at line "
            + "\(last.position.line); put a colon and a space behind the key there, or indent this line like its key"
    }

    private static func strangeStart(at stop: SourcePosition, in text: SourceText) -> String {
        switch text.scalar(at: stop) {
        case "\t": tab
        case "|", ">": "text after | or > is not possible between brackets; use quotes"
        case let scalar: "text cannot start with \(scalar); put it in quotes"
        }
    }

    /// The message for a bracket that is not closed, or for a comma that is missing.
    private static func openBracket(
        _ open: String, _ close: String, from start: SourcePosition, to stop: SourcePosition, in text: SourceText
    ) -> (SourcePosition, String) {
        if text.offset(of: stop) == text.bytes.count {
            return (start, "the \(open) that opens here is never closed; add \(close)")
        }
        let fix = "add a comma or \(close) in front of this, or put the text in quotes"
        return (stop, stray(from: "the \(open)", start, at: stop, in: text, fix: fix))
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

    /// The last token in front of a position.
    fileprivate func lastToken(before position: SourcePosition) -> YAMLToken? {
        var scanner = YAMLScanner(self)
        var last: YAMLToken?
        while let token = scanner.next(), token.position < position { last = token }
        return last
    }
}
