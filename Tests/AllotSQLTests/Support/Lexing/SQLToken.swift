/// What an engine reads a piece of a statement as.
enum SQLToken: Hashable {
    /// A keyword, a name without quotes or a number.
    case word(String)
    /// A name in quotes: what it names.
    case name(String)
    /// A literal: the text that it stands for.
    case text(String)
    /// A literal of bytes, as written in hexadecimal digits.
    case bytes(String)
    case symbol(String)
    case comment(String)
}

extension [SQLToken] {
    /// The tokens with each constant expression that stands for text as that text: characters by number, bytes as
    /// text, and what is joined of them within brackets.
    var folded: [SQLToken] {
        var tokens: [SQLToken] = []
        for token in self {
            tokens.append(token)
            while let (count, text) = tokens.constant {
                tokens.removeLast(count)
                tokens.append(.text(text))
            }
        }
        return tokens
    }

    /// How many of the last tokens are a constant, and its text.
    private var constant: (count: Int, text: String)? {
        guard last == .symbol(")") else { return nil }
        if count >= 4, case .word(let number) = self[count - 2], self[count - 3] == .symbol("("),
            case .word(let function) = self[count - 4], function.lowercased() == "chr",
            let scalar = UInt32(number).flatMap(Unicode.Scalar.init)
        {
            return (4, String(scalar))
        }
        if count >= 6, suffix(4).dropFirst() == [.word("AS"), .word("STRING"), .symbol(")")],
            case .bytes(let digits) = self[count - 4], suffix(6).prefix(2) == [.word("CAST"), .symbol("(")]
        {
            return Self.text(ofBytes: digits).map { (6, $0) }
        }
        if count >= 9, suffix(4) == [.symbol(")"), .symbol(","), .text("utf8"), .symbol(")")],
            case .text(let digits) = self[count - 5],
            suffix(9).prefix(4) == [.word("FROM_VARBYTE"), .symbol("("), .word("FROM_HEX"), .symbol("(")]
        {
            return Self.text(ofBytes: digits).map { (9, $0) }
        }
        return concatenated ?? joined
    }

    /// Texts as the arguments of `concat`.
    private var concatenated: (count: Int, text: String)? {
        var parts: [String] = []
        var index = count - 2
        while index >= 2, case .text(let part) = self[index] {
            parts.append(part)
            if self[index - 1] == .symbol("("), self[index - 2] == .word("concat") {
                return (count - index + 2, parts.reversed().joined())
            }
            guard self[index - 1] == .symbol(",") else { return nil }
            index -= 2
        }
        return nil
    }

    /// Texts with `||` between them, in brackets.
    private var joined: (count: Int, text: String)? {
        var parts: [String] = []
        var index = count - 2
        while index >= 1, case .text(let part) = self[index] {
            parts.append(part)
            if self[index - 1] == .symbol("(") {
                return parts.count > 1 ? (count - index + 1, parts.reversed().joined()) : nil
            }
            guard self[index - 1] == .symbol("||") else { return nil }
            index -= 2
        }
        return nil
    }

    private static func text(ofBytes digits: String) -> String? {
        let digits = [UInt8](digits.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
