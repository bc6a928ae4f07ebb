/// Case folding of text: each Unicode scalar becomes its default lower-case mapping, whatever the language and context.
package enum CaseFolding {
    /// Calls `body` for each byte of the folded text until it returns `false`; returns whether it never did. Never
    /// allocates.
    static func forEachByte(_ text: Span<UInt8>, _ body: (UInt8) -> Bool) -> Bool {
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x80 {
                guard body(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte) else { return false }
                index += 1
            } else {
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                guard index + length <= text.count else { return true }
                // A mapping of up to three scalars fits a small string, which lives without heap storage.
                for folded in scalar(text, at: index, length: length).properties.lowercaseMapping.utf8 {
                    guard body(folded) else { return false }
                }
                index += length
            }
        }
        return true
    }

    static func folded(_ text: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = forEachByte(text) {
            bytes.append($0)
            return true
        }
        return bytes
    }

    package static func text(_ text: String) -> String {
        String(decoding: folded(Array(text.utf8).span), as: UTF8.self)
    }

    private static func scalar(_ text: Span<UInt8>, at index: Int, length: Int) -> Unicode.Scalar {
        var value = UInt32(text[index]) & (length == 4 ? 0x07 : length == 3 ? 0x0F : 0x1F)
        for offset in 1..<length { value = value << 6 | UInt32(text[index + offset] & 0x3F) }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
