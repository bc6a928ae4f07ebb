extension [UInt8] {
    /// Appends a value as one CSV field, in quotes when it holds a comma, a quote or a line end.
    /// Complexity: O(length of the value).
    public mutating func appendCSV(_ value: Span<UInt8>) {
        var needsQuotes = false
        for index in value.indices {
            switch value[index] {
            case CSVByte.comma, CSVByte.quote, CSVByte.lineFeed, CSVByte.carriageReturn: needsQuotes = true
            default: break
            }
        }
        if needsQuotes { append(CSVByte.quote) }
        for index in value.indices {
            let byte = value[index]
            append(byte)
            if byte == CSVByte.quote { append(byte) }
        }
        if needsQuotes { append(CSVByte.quote) }
    }

    /// Appends text as one CSV field, in quotes when it holds a comma, a quote or a line end.
    /// Complexity: O(length of the text).
    public mutating func appendCSV(_ text: String) {
        appendCSV(Array(text.utf8).span)
    }

    /// Appends a whole number in decimal digits.
    mutating func appendDecimal(_ number: Int) {
        append(contentsOf: String(number).utf8)
    }
}
