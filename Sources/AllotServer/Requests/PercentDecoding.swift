/// Percent-encoding (RFC 3986, section 2.1), taken strictly.
enum PercentDecoding {
    /// Appends the bytes that a part of a URL stands for; `false` if an escape is malformed or the result is not UTF-8.
    ///
    /// - Parameter decodesPlus: whether "+" stands for a space, as in the query strings of HTML forms.
    static func append(
        _ encoded: Span<UInt8>, decodesPlus: Bool, to bytes: inout [UInt8]
    ) -> Bool {
        let start = bytes.count
        var isASCII = true
        var index = 0
        while index < encoded.count {
            var byte = encoded[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < encoded.count, let high = digit(encoded[index]), let low = digit(encoded[index + 1])
                else { return false }
                byte = high << 4 | low
                index += 2
            } else if byte == UInt8(ascii: "+"), decodesPlus {
                byte = UInt8(ascii: " ")
            }
            if byte >= 0x80 { isASCII = false }
            bytes.append(byte)
        }
        return isASCII || (try? UTF8Span(validating: bytes.span.extracting(start..<bytes.count))) != nil
    }

    /// The text that a part of a URL stands for.
    static func text(_ encoded: Span<UInt8>, decodesPlus: Bool) -> String? {
        var bytes: [UInt8] = []
        return append(encoded, decodesPlus: decodesPlus, to: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
