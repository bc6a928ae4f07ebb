extension [UInt8] {
    /// Appends a value as one CSV field (RFC 4180), in quotes if it contains a comma, a quote or a line end.
    /// Complexity: O(length of the value).
    package mutating func appendCSV(_ value: Span<UInt8>) {
        let quote = UInt8(ascii: "\"")
        var needsQuotes = false
        for index in value.indices {
            switch value[index] {
            case quote, UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"): needsQuotes = true
            default: break
            }
        }
        if needsQuotes { append(quote) }
        for index in value.indices {
            let byte = value[index]
            append(byte)
            if byte == quote { append(byte) }
        }
        if needsQuotes { append(quote) }
    }

    /// Appends a text as one CSV field (RFC 4180), in quotes if it contains a comma, a quote or a line end.
    /// Complexity: O(length of the text).
    package mutating func appendCSV(_ text: String) {
        appendCSV(Array(text.utf8).span)
    }
}
