/// Builds the result of a parser: plain values, or nodes with positions.
package protocol JSONBuilder {
    associatedtype Mark
    associatedtype Value

    /// Called once for each value and each key with the offset of its first byte; offsets only grow.
    mutating func mark(at offset: Int, in bytes: [UInt8]) -> Mark
    mutating func null(_ mark: Mark) -> Value
    mutating func boolean(_ value: Bool, _ mark: Mark) -> Value
    mutating func number(_ text: String, _ mark: Mark) -> Value
    mutating func string(_ text: String, _ mark: Mark) -> Value
    mutating func array(_ elements: [Value], _ mark: Mark) -> Value
    /// Members are passed as written: the builder has to refuse repeated keys.
    mutating func object(_ members: [(key: String, keyMark: Mark, value: Value)], _ mark: Mark) throws(JSONFault)
        -> Value
}

/// A fault at a byte offset, before it is given a line and a column.
package struct JSONFault: Error {
    let message: String
    let offset: Int
}

/// Reads strict JSON (RFC 8259): UTF-8 without comments and lone surrogates, and without trailing commas unless they
/// are allowed.
package struct JSONParser<Builder: JSONBuilder> {
    private let bytes: [UInt8]
    private let depthLimit: Int
    private let allowsTrailingCommas: Bool
    private var offset = 0
    private var depth = 0
    package private(set) var builder: Builder

    package init(_ bytes: [UInt8], builder: Builder, depthLimit: Int, allowsTrailingCommas: Bool = false) {
        (self.bytes, self.builder, self.depthLimit) = (bytes, builder, depthLimit)
        self.allowsTrailingCommas = allowsTrailingCommas
    }

    package mutating func parse() throws(JSONParsingError) -> Builder.Value {
        do throws(JSONFault) {
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
            if let invalid = UTF8Validation.firstInvalidOffset(in: bytes) {
                throw JSONFault(message: "the text is not valid UTF-8; save it as UTF-8", offset: invalid)
            }
            skipWhiteSpace()
            guard offset < bytes.count else { throw fault("there is no JSON value here; the text is empty") }
            let value = try parseValue()
            skipWhiteSpace()
            guard offset == bytes.count else { throw fault("unexpected text after the JSON value; remove it") }
            return value
        } catch { throw JSONParsingError(message: error.message, offset: error.offset, in: bytes) }
    }

    private func fault(_ message: String, at position: Int? = nil) -> JSONFault {
        JSONFault(message: message, offset: position ?? offset)
    }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipWhiteSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    private mutating func parseValue() throws(JSONFault) -> Builder.Value {
        let mark = builder.mark(at: offset, in: bytes)
        switch current {
        case UInt8(ascii: "{"): return try parseObject(mark)
        case UInt8(ascii: "["): return try parseArray(mark)
        case UInt8(ascii: "\""): return builder.string(try parseString(), mark)
        case nil: throw fault("the text ends where a value should be; is a bracket or brace unclosed?")
        case let byte? where byte.isDigit || byte == UInt8(ascii: "-"):
            return builder.number(try parseNumber(), mark)
        default:
            if skip(word: "null") { return builder.null(mark) }
            if skip(word: "true") { return builder.boolean(true, mark) }
            if skip(word: "false") { return builder.boolean(false, mark) }
            throw fault("this is not a JSON value; text is written in double quotes")
        }
    }

    private mutating func skip(word: String) -> Bool {
        guard bytes[offset...].starts(with: word.utf8) else { return false }
        offset += word.utf8.count
        return true
    }

    private mutating func parseNumber() throws(JSONFault) -> String {
        let start = offset
        while let byte = current, Self.isNumberByte(byte) { offset += 1 }
        guard JSONNumber.isNumber(bytes[start..<offset]) else {
            throw fault("this is not a JSON number; write it like -12.5e3, without leading zeros or a plus", at: start)
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        byte.isOfPlainName && byte != UInt8(ascii: "_") || "-+.".utf8.contains(byte)
    }

    private mutating func parseArray(_ mark: Builder.Mark) throws(JSONFault) -> Builder.Value {
        var elements: [Builder.Value] = []
        try parseElements(closing: UInt8(ascii: "]")) { parser throws(JSONFault) in
            elements.append(try parser.parseValue())
        }
        return builder.array(elements, mark)
    }

    private mutating func parseObject(_ mark: Builder.Mark) throws(JSONFault) -> Builder.Value {
        var members: [(key: String, keyMark: Builder.Mark, value: Builder.Value)] = []
        try parseElements(closing: UInt8(ascii: "}")) { parser throws(JSONFault) in
            members.append(try parser.parseMember())
        }
        return try builder.object(members, mark)
    }

    private mutating func parseMember() throws(JSONFault) -> (key: String, keyMark: Builder.Mark, value: Builder.Value)
    {
        let keyMark = builder.mark(at: offset, in: bytes)
        guard current == UInt8(ascii: "\"") else {
            throw fault(current == nil ? "the object is never closed; add \"}\"" : "expected a key in double quotes")
        }
        let key = try parseString()
        skipWhiteSpace()
        guard current == UInt8(ascii: ":") else { throw fault("expected a colon after the key") }
        offset += 1
        skipWhiteSpace()
        return (key, keyMark, try parseValue())
    }

    /// Skips an opening bracket, then reads elements and what separates them, up to and including the closing bracket.
    private mutating func parseElements(
        closing: UInt8, _ parseElement: (inout Self) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        let start = offset
        depth += 1
        guard depth <= depthLimit else { throw fault("nested deeper than \(depthLimit) levels; flatten it") }
        offset += 1
        skipWhiteSpace()
        var isClosed = current == closing
        while !isClosed {
            try parseElement(&self)
            skipWhiteSpace()
            isClosed = try skipSeparator(closing: closing, opened: start)
        }
        offset += 1
        depth -= 1
    }

    /// Skips a comma and the space after it. Returns whether the closing bracket follows.
    private mutating func skipSeparator(closing: UInt8, opened start: Int) throws(JSONFault) -> Bool {
        let bracket = String(UnicodeScalar(closing))
        switch current {
        case closing: return true
        case UInt8(ascii: ","):
            let comma = offset
            offset += 1
            skipWhiteSpace()
            guard current == closing else { return false }
            guard allowsTrailingCommas else { throw fault("a comma before \"\(bracket)\"; remove it", at: comma) }
            return true
        case nil: throw fault("this is never closed; add \"\(bracket)\"", at: start)
        default: throw fault("expected a comma or \"\(bracket)\" here")
        }
    }

    private mutating func parseString() throws(JSONFault) -> String {
        let start = offset
        offset += 1
        while let byte = current, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { offset += 1 }
        // Nearly all strings contain no escape and are taken in one piece.
        if current == UInt8(ascii: "\"") {
            offset += 1
            return String(decoding: bytes[start + 1..<offset - 1], as: UTF8.self)
        }
        var text = Array(bytes[start + 1..<offset])
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try parseEscape(into: &text)
            case 0..<0x20:
                throw fault("a control character in text; write it as an escape such as \\n")
            default:
                text.append(byte)
                offset += 1
            }
        }
        throw fault("the text is never closed; add a double quote", at: start)
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws(JSONFault) {
        let start = offset
        offset += 1
        let plain: UInt8
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = bytes[offset]
        case UInt8(ascii: "b"): plain = 0x08
        case UInt8(ascii: "f"): plain = 0x0C
        case UInt8(ascii: "n"): plain = 0x0A
        case UInt8(ascii: "r"): plain = 0x0D
        case UInt8(ascii: "t"): plain = 0x09
        case UInt8(ascii: "u"):
            offset += 1
            text.append(contentsOf: String(try parseUnicodeEscape(from: start)).utf8)
            return
        default: throw fault("unknown escape; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX", at: start)
        }
        text.append(plain)
        offset += 1
    }

    private mutating func parseUnicodeEscape(from start: Int) throws(JSONFault) -> Unicode.Scalar {
        let first = try parseHexQuad(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        let lone = "a lone surrogate; a character beyond U+FFFF is written as a pair such as \\ud83d\\ude00"
        guard first < 0xDC00, current == UInt8(ascii: "\\"), offset + 1 < bytes.count,
            bytes[offset + 1] == UInt8(ascii: "u")
        else { throw fault(lone, at: start) }
        offset += 2
        let second = try parseHexQuad(from: start)
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw fault(lone, at: start) }
        return scalar
    }

    private mutating func parseHexQuad(from start: Int) throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault("\\u takes four hexadecimal digits", at: start)
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }
}
