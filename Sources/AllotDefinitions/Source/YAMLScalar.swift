/// What text without quotes means: YAML's core schema, cut down to JSON's literals.
enum YAMLScalar {
    /// The value of plain text. Only `true` and `false` are booleans, only `null`, `~` and nothing are null, only
    /// JSON's number grammar is a number; all else is text.
    static func content(ofPlain text: String) -> SourceNode.Content {
        switch text {
        case "", "~", "null": .null
        case "true": .boolean(true)
        case "false": .boolean(false)
        case _ where isNumber(text): .number(text)
        default: .text(text)
        }
    }

    /// Whether a text is `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`. Complexity: O(length).
    static func isNumber(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        if rest.first == UInt8(ascii: "0") {
            rest.removeFirst()
        } else {
            guard skipDigits(&rest) else { return false }
        }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard skipDigits(&rest) else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard skipDigits(&rest) else { return false }
        }
        return rest.isEmpty
    }

    /// Skips the digits at the start, and says whether there were any.
    private static func skipDigits(_ rest: inout Substring.UTF8View) -> Bool {
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        rest = rest[digits.endIndex...]
        return !digits.isEmpty
    }
}
