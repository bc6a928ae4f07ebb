extension [UInt8] {
    /// Appends a field as RFC 4180 quotes it, and what ends it.
    mutating func appendCSV(_ field: String, end: Unicode.Scalar) {
        let quote = UInt8(ascii: "\"")
        if field.utf8.contains(where: { $0 == quote || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) {
            append(quote)
            for byte in field.utf8 {
                if byte == quote { append(quote) }
                append(byte)
            }
            append(quote)
        } else {
            append(contentsOf: field.utf8)
        }
        append(UInt8(ascii: end))
    }
}
