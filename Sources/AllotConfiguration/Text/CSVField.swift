extension [UInt8] {
    /// Appends a value as one CSV field (RFC 4180), in quotes if it contains the delimiter, a quote or a line end.
    package mutating func appendCSVField(_ value: Span<UInt8>, delimiter: CSVDelimiter = .comma) {
        let delimiter = delimiter.byte
        for index in value.indices {
            switch value[index] {
            case delimiter, UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                return appendQuotedCSVField(value)
            default: break
            }
        }
        for index in value.indices { append(value[index]) }
    }

    package mutating func appendQuotedCSVField(_ value: Span<UInt8>) {
        let quote = UInt8(ascii: "\"")
        append(quote)
        for index in value.indices {
            let byte = value[index]
            append(byte)
            if byte == quote { append(byte) }
        }
        append(quote)
    }

    package mutating func appendCSVField(_ text: String, delimiter: CSVDelimiter = .comma) {
        appendCSVField(ContiguousArray(text.utf8).span, delimiter: delimiter)
    }
}
