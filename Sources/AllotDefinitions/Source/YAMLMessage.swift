import AllotConfiguration

/// The message for an error of YAML's syntax, and its place. libyaml names what its scanner expected, in its own terms
/// and often at the end of the file. The message names the cause and the fix.
struct YAMLMessage: Sendable {
    let position: SourcePosition
    let text: String
    static let anchor = "anchors and aliases (&name, *name) are not supported; write the value out, or use a segment"

    static let collectionAsKey = "a list or map cannot be a key; put text that starts with [ or { in quotes"

    static let directive =
        "a line that starts with % is a YAML directive, which is not supported; remove it, or put the text in quotes"

    typealias Bracket = (position: SourcePosition, isMap: Bool)

    init(_ error: YAMLSyntaxError, in text: SourceText, openBracket: Bracket?, lastScalar: YAMLEvent?) {
        // libyaml takes the end of a last line without line break for the start of another line.
        let stop = text.position(at: text.offset(of: error.position))
        let start = error.contextPosition ?? stop
        if let bracket = openBracket, Self.mayMissBracket.contains(error.problem),
            text.offset(of: stop) == text.bytes.count
        {
            let (open, close) = bracket.isMap ? ("{", "}") : ("[", "]")
            position = bracket.position
            self.text = "the \(open) that opens here is never closed; add \(close)"
            return
        }
        switch (error.problem, error.context) {
        case ("could not find expected ':'", _): (position, self.text) = (start, Self.missingColon(at: start, in: text))
        case ("found unexpected end of stream", _), ("found unexpected document indicator", _):
            (position, self.text) = (start, "the quote that opens here is never closed; add the closing quote")
        case ("did not find expected alphabetic or numeric character", _):
            (position, self.text) = (start, Self.quoted(text.scalar(at: start)))
        case ("found undefined tag handle", _): (position, self.text) = (stop, Self.quoted("!"))
        case (_, let context) where context.hasSuffix(" a tag"): (position, self.text) = (start, Self.quoted("!"))
        case (_, "while scanning a %YAML directive"), ("found incompatible YAML document", _):
            (position, self.text) = (stop, "this %YAML line is not understood; remove it")
        case (_, let context) where context.hasSuffix("directive"): (position, self.text) = (start, Self.directive)
        default:
            position = stop
            self.text =
                Self.stray(error, lastScalar) ?? Self.misplaced(error.problem, at: stop, in: text, lastScalar)
                ?? Self.malformed(error.problem, at: stop, in: text)
                ?? "this is not YAML (\(error.context.isEmpty ? "" : error.context + ", ")\(error.problem)); "
                + "correct it, or put text in quotes"
        }
    }

    /// The errors that come at the end of the text if a bracket is not closed.
    private static let mayMissBracket = [
        "did not find expected ',' or ']'", "did not find expected ',' or '}'", "did not find expected node content",
    ]

    /// The message for something that does not belong to the open list or map. After quoted text the cause is usually a
    /// quote: one inside the text, or one that is closed much too late.
    private static func stray(_ error: YAMLSyntaxError, _ lastScalar: YAMLEvent?) -> String? {
        let (construct, fix): (String, String)
        switch error.problem {
        case "did not find expected ',' or ']'":
            (construct, fix) = ("the [", "add a comma or ] in front of this, or put the text in quotes")
        case "did not find expected ',' or '}'":
            (construct, fix) = ("the {", "add a comma or } in front of this, or put the text in quotes")
        case "did not find expected key":
            (construct, fix) = ("the map", "start it with key: , or check the indentation and the quotes")
        case "did not find expected '-' indicator":
            (construct, fix) = ("the list", "start it with - , or check the indentation and the quotes")
        case "did not find expected <document start>":
            (construct, fix) = ("what is above it", "check the indentation, brackets and quotes there")
        default: return nil
        }
        if let lastScalar, case .scalar(_, .quoted) = lastScalar.content {
            return "the quoted text that opens at line \(lastScalar.position.line), column "
                + "\(lastScalar.position.column) has ended in front of this; put all of the text in quotes, or check "
                + "where its quotes are"
        }
        let opening = error.contextPosition.map { " that opens at line \($0.line)" } ?? ""
        return "this does not belong to \(construct)\(opening); \(fix)"
    }

    private static func misplaced(
        _ problem: String, at stop: SourcePosition, in text: SourceText, _ lastScalar: YAMLEvent?
    ) -> String? {
        switch problem {
        case "mapping values are not allowed in this context": return misplacedColon(at: stop, lastScalar)
        case "mapping keys are not allowed in this context":
            return "a key (? ) cannot start here; put it on a line of its own"
        case "block sequence entries are not allowed in this context":
            return "a list entry (- ) cannot start here; put it on a line of its own"
        case "did not find expected node content" where text.scalar(at: stop) == "*": return anchor
        case "did not find expected node content":
            return "a value was expected here; write it, or remove \(QuotedText(text.scalar(at: stop)))"
        case "found unexpected ':'":
            return "a colon between brackets needs a space after it; write key: value, or put the text in quotes"
        case "found character that cannot start any token":
            switch text.scalar(at: stop) {
            case "\t": return tab
            case "|", ">": return "text after | or > is not possible between brackets; use quotes"
            case let scalar: return "text cannot start with \(scalar); put it in quotes"
            }
        default: return nil
        }
    }

    private static func malformed(_ problem: String, at stop: SourcePosition, in text: SourceText) -> String? {
        switch problem {
        case "found unknown escape character":
            let escape = "\\" + text.scalar(at: SourcePosition(line: stop.line, column: stop.column + 1))
            return "\(escape) is not an escape of double-quoted text; write \\\(escape), or use single quotes"
        case "did not find expected hexdecimal number":
            return "\\x, \\u and \\U need 2, 4 and 8 hexadecimal digits; write them, or use single quotes"
        case "found invalid Unicode character escape code":
            return "this escape is not a character; write the character itself (\\uD83D\\uDE00 is \\U0001F600)"
        case "found an indentation indicator equal to 0":
            return "the indentation after | or > is 1 to 9; change or remove the number"
        case "did not find expected comment or line break":
            return "the text after | or > starts on the next line; put text that starts with | or > in quotes"
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return tab
        default: return nil
        }
    }

    private static func quoted(_ sign: String) -> String {
        "text that starts with \(sign) must be in quotes; write \"\(sign)…\""
    }

    private static let tab = "a tab cannot indent; use spaces"

    // MARK: Colons

    /// libyaml's limit: a key without `?` and its colon are at most this many characters apart.
    private static let longestSimpleKey = 1024

    private static let longKey =
        "there is no colon within the \(longestSimpleKey) characters that a key may have; write key: value, "
        + "or ? in front of a longer key and its colon on the next line"

    private static func missingColon(at start: SourcePosition, in text: SourceText) -> String {
        let line = text.line(from: start)
        if line.unicodeScalars.count > longestSimpleKey { return longKey }
        return "\(QuotedText(line)) is not key: value; put a colon and a space after the key, or indent the line if it "
            + "continues the text above"
    }

    private static func misplacedColon(at stop: SourcePosition, _ lastScalar: YAMLEvent?) -> String {
        if let lastScalar, lastScalar.position.line == stop.line,
            stop.column - lastScalar.position.column > longestSimpleKey
        {
            return longKey
        }
        if let lastScalar, case .scalar(_, .plain) = lastScalar.content, lastScalar.position.line < stop.line {
            return "a colon is not allowed here, because the line continues the text that starts at line "
                + "\(lastScalar.position.line); put a colon and a space after the key there, or indent this line like "
                + "its key"
        }
        return
            "a colon is not allowed here; indent the key like the others of its map, or put text with \": \" in quotes"
    }
}

extension SourceText {
    fileprivate func scalar(at position: SourcePosition) -> String {
        line(from: position).unicodeScalars.first.map { String($0) } ?? ""
    }

    fileprivate func line(from position: SourcePosition) -> String {
        String(decoding: bytes[offset(of: position)...].prefix { !$0.isLineEnd }, as: UTF8.self)
    }
}
