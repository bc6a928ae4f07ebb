/// Case-insensitive text: each Unicode scalar by its default lower-case mapping, independent of language and context.
package enum CaseFolding {
    /// Calls `body` for each byte of the folded text until it answers `false`. Never allocates.
    ///
    /// - Returns: whether the end was reached.
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

    /// The folded text.
    package static func folded(_ text: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = forEachByte(text) {
            bytes.append($0)
            return true
        }
        return bytes
    }

    private static func scalar(_ text: Span<UInt8>, at index: Int, length: Int) -> Unicode.Scalar {
        var value = UInt32(text[index]) & (length == 4 ? 0x07 : length == 3 ? 0x0F : 0x1F)
        for offset in 1..<length { value = value << 6 | UInt32(text[index + offset] & 0x3F) }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}

/// A set of texts that ignores case.
struct FoldedTextSet: Sendable {
    private var buckets: [[[UInt8]]]

    init(_ texts: [[UInt8]]) {
        buckets = Array(repeating: [], count: max(8, texts.count * 2))
        for text in texts {
            let folded = CaseFolding.folded(text.span)
            let bucket = Self.hash(text.span) % buckets.count
            if !buckets[bucket].contains(folded) { buckets[bucket].append(folded) }
        }
    }

    func contains(_ text: Span<UInt8>) -> Bool {
        let bucket = Self.hash(text) % buckets.count
        for index in buckets[bucket].indices where matches(text, bucket, index) { return true }
        return false
    }

    private func matches(_ text: Span<UInt8>, _ bucket: Int, _ index: Int) -> Bool {
        var position = 0
        let reachedEnd = CaseFolding.forEachByte(text) { byte in
            guard position < buckets[bucket][index].count, buckets[bucket][index][position] == byte else {
                return false
            }
            position += 1
            return true
        }
        return reachedEnd && position == buckets[bucket][index].count
    }

    private static func hash(_ text: Span<UInt8>) -> Int {
        var hash: UInt32 = 0x811c_9dc5
        _ = CaseFolding.forEachByte(text) { byte in
            hash = (hash ^ UInt32(byte)) &* 0x0100_0193
            return true
        }
        return Int(hash)
    }
}
