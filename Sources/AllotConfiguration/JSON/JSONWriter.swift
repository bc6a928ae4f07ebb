extension JSONValue {
    /// The value as JSON text: keys sorted by their UTF-8 bytes, no white space, numbers with their own digits.
    ///
    /// Equal values give equal bytes on every machine.
    public var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(self, to: &bytes)
        return bytes
    }

    /// ``canonicalBytes`` as text.
    public var canonicalText: String { String(decoding: canonicalBytes, as: UTF8.self) }

    /// The value as JSON for people: sorted keys, two spaces a level, short arrays and objects of scalars on one line.
    package var prettyText: String {
        var bytes: [UInt8] = []
        JSONWriter.appendPretty(self, indent: 0, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

package enum JSONWriter {
    private static let hexDigits = Array("0123456789abcdef".utf8)

    package static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .boolean(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .number(let number): bytes.append(contentsOf: number.text.utf8)
        case .string(let text): append(text: text.utf8, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(text: member.key.utf8, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                append(member.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a value for people, whose own line is indented by `indent` spaces.
    fileprivate static func appendPretty(_ value: JSONValue, indent: Int, to bytes: inout [UInt8]) {
        let brackets: (open: String, close: String)
        let elements: [(key: String?, value: JSONValue)]
        switch value {
        case .array(let array): (brackets, elements) = (("[", "]"), array.map { (nil, $0) })
        case .object(let object): (brackets, elements) = (("{", "}"), object.members.map { ($0.key, $0.value) })
        default: return append(value, to: &bytes)
        }
        let isFlat = elements.allSatisfy { $0.value.asObject == nil && $0.value.asArray == nil }
        let fitsLine = isFlat && value.canonicalText.count <= 80
        let newLine = fitsLine ? "" : "\n" + String(repeating: " ", count: indent)
        bytes.append(contentsOf: brackets.open.utf8)
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(contentsOf: (fitsLine ? ", " : ",").utf8) }
            if !fitsLine { bytes.append(contentsOf: "\(newLine)  ".utf8) }
            if let key = element.key {
                append(text: key.utf8, to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
            }
            appendPretty(element.value, indent: indent + 2, to: &bytes)
        }
        bytes.append(contentsOf: "\(newLine)\(brackets.close)".utf8)
    }

    package static func append(text: String, to bytes: inout [UInt8]) { append(text: text.utf8, to: &bytes) }

    /// Appends UTF-8 text as a JSON string: `"`, `\` and control characters are escaped, nothing else.
    package static func append(text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        // Most texts are one piece in which nothing is escaped.
        let isWritten: Void? = text.withContiguousStorageIfAvailable { text in
            var plain = 0
            for index in text.indices where isEscaped(text[index]) {
                bytes.append(contentsOf: text[plain..<index])
                append(character: text[index], to: &bytes)
                plain = index + 1
            }
            bytes.append(contentsOf: text[plain...])
        }
        if isWritten == nil { for byte in text { append(character: byte, to: &bytes) } }
        bytes.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    package static func append(character byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
        case 0x08: bytes.append(contentsOf: #"\b"#.utf8)
        case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
        case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0C: bytes.append(contentsOf: #"\f"#.utf8)
        case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
        case 0..<0x20:
            bytes.append(contentsOf: #"\u00"#.utf8)
            bytes.append(hexDigits[Int(byte >> 4)])
            bytes.append(hexDigits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}
