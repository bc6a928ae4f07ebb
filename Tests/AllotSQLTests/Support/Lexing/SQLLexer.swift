import AllotConfiguration
import AllotSQL

/// Cuts a statement into tokens as strictly as the most pedantic reader of an engine's documentation would.
struct SQLLexer {
    /// What a reader stumbles over.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private let dialect: Dialect
    private let rules: SQLLexicon
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var tokens: [SQLToken] = []

    /// The tokens of a statement; those of a body in dollar quotes stand between two symbols `$$`.
    static func tokens(of statement: String, in dialect: Dialect) throws -> [SQLToken] {
        var lexer = SQLLexer(dialect: dialect, statement)
        try lexer.run()
        return lexer.tokens
    }

    private init(dialect: Dialect, _ statement: String) {
        self.dialect = dialect
        rules = SQLLexicon(dialect)
        scalars = Array(statement.unicodeScalars)
    }

    private func fault(_ message: String) -> Fault {
        let around = scalars[max(0, index - 40)..<min(scalars.count, index + 40)].map { $0.escaped(asASCII: true) }
        return Fault(description: "\(dialect.rawValue): \(message) at \(around.joined())")
    }

    private func holds(_ text: String, at index: Int) -> Bool {
        var index = index
        for scalar in text.unicodeScalars {
            guard index < scalars.count, scalars[index] == scalar else { return false }
            index += 1
        }
        return true
    }

    private mutating func run() throws {
        for text in rules.forbidden where scalars.indices.contains(where: { holds(text, at: $0) }) {
            throw fault("holds \(text)")
        }
        while index < scalars.count { try next() }
    }

    private mutating func next() throws {
        let scalar = scalars[index]
        if scalar == " " || scalar == "\n" {
            index += 1
        } else if dialect == .trino, holds("U&'", at: index) {
            index += 2
            tokens.append(.text(try quoted(.backslash, true, isText: true)))
        } else if Self.isWord(scalar) {
            try word()
        } else if let opening = rules.lineComments.first(where: { holds($0, at: index) }) {
            index += opening.unicodeScalars.count
            lineComment()
        } else if holds("/*", at: index) {
            try blockComment()
        } else if rules.textQuotes.contains(scalar) {
            tokens.append(.text(try quoted(rules.escapes, rules.doublesTextQuotes, isText: true)))
        } else if rules.nameQuotes.contains(scalar) {
            tokens.append(.name(try quoted(rules.nameEscapes, rules.doublesNameQuotes, isText: false)))
        } else if scalar == "$", rules.hasDollarQuotes, try dollarQuoted() {
            return
        } else {
            try symbol()
        }
    }

    // MARK: Words and symbols

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        UInt8(exactly: scalar.value)?.isOfPlainName ?? false
    }

    private mutating func word() throws {
        let start = index
        while index < scalars.count, Self.isWord(scalars[index]) { index += 1 }
        let word = String(String.UnicodeScalarView(scalars[start..<index]))
        guard index < scalars.count, rules.textQuotes.contains(scalars[index]) else {
            tokens.append(.word(word))
            return
        }
        // A prefix of a literal changes how it is read.
        switch (dialect, word) {
        case (.postgresql, "E"):
            tokens.append(.text(try quoted(.backslash, true, isText: true)))
        case (.bigquery, "r"):
            tokens.append(.text(try quoted(.none, false, isText: true)))
        case (_, "X"):
            tokens.append(.bytes(try quoted(.doubtful, false, isText: true)))
        default: throw fault("a literal stands close behind \(word)")
        }
    }

    private mutating func symbol() throws {
        for symbol in ["||", "<>", "<=", ">=", "<<", ">>", "::", "//"] where holds(symbol, at: index) {
            tokens.append(.symbol(symbol))
            index += 2
            return
        }
        guard "(),.;=<>+-*/[]{}:~|$".unicodeScalars.contains(scalars[index]) else {
            throw fault("a character that no statement needs, \(scalars[index].escaped(asASCII: true))")
        }
        tokens.append(.symbol(String(scalars[index])))
        index += 1
    }

    // MARK: Quotes

    private mutating func quoted(_ escapes: SQLLexicon.Escapes, _ doubles: Bool, isText: Bool) throws -> String {
        let quote = scalars[index]
        if rules.triplesTextQuotes, isText, holds(String(repeating: String(quote), count: 3), at: index) {
            throw fault("three quotes")
        }
        index += 1
        var text = String.UnicodeScalarView()
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            switch scalar {
            case quote:
                guard index < scalars.count, scalars[index] == quote else { return String(text) }
                guard doubles else { throw fault("two literals without anything between them") }
                text.append(quote)
                index += 1
            case "\0": throw fault("NUL")
            case "\n" where isText && !rules.breaksLines: throw fault("a literal that goes on in the next line")
            case "\\":
                switch escapes {
                case .none: text.append(scalar)
                case .doubtful: throw fault("a back-slash that not every setting reads alike")
                case .backslash: text.append(try escaped())
                }
            default: text.append(scalar)
            }
        }
        throw fault("quotes without an end")
    }

    /// What stands behind a back-slash.
    private mutating func escaped() throws -> Unicode.Scalar {
        guard index < scalars.count else { throw fault("quotes without an end") }
        let scalar = scalars[index]
        index += 1
        switch scalar {
        case "\\": return scalar
        case _ where dialect == .trino:
            if scalar == "+" { return try number(digits: 6) }
            index -= 1
            return try number(digits: 4)
        case "'", "\"", "`": return scalar
        case "x" where dialect == .clickhouse: return try bytes()
        case "u" where dialect != .clickhouse: return try number(digits: 4)
        case "U" where dialect != .clickhouse: return try number(digits: 8)
        default: throw fault("an escape that nothing needs")
        }
    }

    private mutating func value(digits: Int) throws -> UInt32 {
        let text = String(String.UnicodeScalarView(scalars[index..<min(scalars.count, index + digits)]))
        guard text.utf8.count == digits, let value = UInt32(text, radix: 16) else { throw fault("a broken escape") }
        index += digits
        return value
    }

    private mutating func number(digits: Int) throws -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(try value(digits: digits)) else { throw fault("an escape of a surrogate") }
        return scalar
    }

    /// A character as `\xE2\x80\xA8`, whose first escape has been begun.
    private mutating func bytes() throws -> Unicode.Scalar {
        var bytes = [UInt8(try value(digits: 2))]
        while true {
            if let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first {
                return scalar
            }
            guard bytes.count < 4, holds("\\x", at: index) else { throw fault("bytes that are not UTF-8") }
            index += 2
            bytes.append(UInt8(try value(digits: 2)))
        }
    }

    /// Reads what dollars quote, if they do; its content is read like a statement.
    private mutating func dollarQuoted() throws -> Bool {
        var end = index + 1
        while rules.hasDollarTags, end < scalars.count, Self.isWord(scalars[end]) { end += 1 }
        guard end < scalars.count, scalars[end] == "$" else { return false }
        let tag = String(String.UnicodeScalarView(scalars[index...end]))
        let start = end + 1
        guard let close = (start..<scalars.count).first(where: { holds(tag, at: $0) }) else {
            throw fault("dollar quotes without an end")
        }
        tokens.append(.symbol("$$"))
        tokens += try Self.tokens(of: String(String.UnicodeScalarView(scalars[start..<close])), in: dialect)
        tokens.append(.symbol("$$"))
        index = close + tag.unicodeScalars.count
        return true
    }

    // MARK: Comments

    private mutating func lineComment() {
        var text = String.UnicodeScalarView()
        while index < scalars.count {
            // To some reader all of these end a line.
            if ["\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalars[index]),
                !(rules.continuesLineComments && text.last == "\\")
            {
                break
            }
            text.append(scalars[index])
            index += 1
        }
        tokens.append(.comment(String(text)))
    }

    private mutating func blockComment() throws {
        let start = index
        var depth = 0
        repeat {
            if holds("*/", at: index) {
                depth -= 1
                index += 2
            } else if holds("/*", at: index), depth == 0 || rules.nestsComments {
                depth += 1
                index += 2
            } else {
                index += 1
            }
            guard index <= scalars.count else { throw fault("a comment without an end") }
        } while depth > 0
        tokens.append(.comment(String(String.UnicodeScalarView(scalars[start..<index]))))
    }
}
