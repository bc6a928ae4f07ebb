/// 64 bytes in which to find some, eight at a time in 64-bit words ("SIMD within a register").
///
/// Tests set the top bit of each byte of a word that is *not* sought. Their sums stay below 256 in each byte, so that
/// no byte disturbs its neighbour and every mark is exact.
struct ByteBlock {
    static let size = 64

    private let words: SIMD8<UInt64>

    /// The bytes from `offset`, filled up with spaces when there are fewer than 64. Complexity: O(1).
    @inline(__always)
    init(_ bytes: Span<UInt8>, at offset: Int) {
        if offset &+ Self.size <= bytes.count {
            words = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
        } else {
            words = Self.lastWords(bytes, at: offset)
        }
    }

    /// Bit *i* is set when byte *i* is a comma, a quote, a line feed, a carriage return, or another control character
    /// up to 13, which the reader of the marks passes over.
    @inline(__always)
    var fieldMarks: UInt64 {
        marks { word in
            Self.isNot(CSVByte.comma, word) & Self.isNot(CSVByte.quote, word)
                & (word &+ Self.repeated(0x7F - CSVByte.carriageReturn))
        }
    }

    /// Bit *i* is set when byte *i* is a quote or a line feed.
    @inline(__always)
    var recordMarks: UInt64 {
        marks { word in Self.isNot(CSVByte.quote, word) & Self.isNot(CSVByte.lineFeed, word) }
    }

    /// Whether any of the bytes is not ASCII.
    @inline(__always)
    var hasHighBit: Bool {
        let halves = words.lowHalf | words.highHalf
        let quarters = halves.lowHalf | halves.highHalf
        return (quarters[0] | quarters[1]) & Self.repeated(0x80) != 0
    }

    /// Marks the ASCII bytes that `test` does not rule out. The words that it gets have no top bits.
    @inline(__always)
    private func marks(_ test: (UInt64) -> UInt64) -> UInt64 {
        // Written out: as a loop, or on all words at once, it takes half as long again.
        var marks = Self.gathered(words[0], test)
        marks |= Self.gathered(words[1], test) &<< 8
        marks |= Self.gathered(words[2], test) &<< 16
        marks |= Self.gathered(words[3], test) &<< 24
        marks |= Self.gathered(words[4], test) &<< 32
        marks |= Self.gathered(words[5], test) &<< 40
        marks |= Self.gathered(words[6], test) &<< 48
        marks |= Self.gathered(words[7], test) &<< 56
        return marks
    }

    /// One bit for each of eight bytes.
    @inline(__always)
    private static func gathered(_ word: UInt64, _ test: (UInt64) -> UInt64) -> UInt64 {
        let found = ~(test(word & repeated(0x7F)) | word) & repeated(0x80)
        // The multiplication brings the eight bits together in the topmost byte.
        return ((found &>> 7) &* 0x0102_0408_1020_4080) &>> 56
    }

    @inline(__always)
    private static func isNot(_ byte: UInt8, _ word: UInt64) -> UInt64 {
        (word ^ repeated(byte)) &+ repeated(0x7F)
    }

    @inline(__always)
    private static func repeated(_ byte: UInt8) -> UInt64 {
        UInt64(byte) &* 0x0101_0101_0101_0101
    }

    /// Fewer than 64 bytes, filled up with spaces. (All processors that Swift on Linux runs on are little-endian.)
    private static func lastWords(_ bytes: Span<UInt8>, at offset: Int) -> SIMD8<UInt64> {
        var words = SIMD8(repeating: repeated(UInt8(ascii: " ")))
        for index in 0..<(bytes.count - offset) {
            let shift = UInt64(index % 8 * 8)
            words[index / 8] &= ~(0xFF &<< shift)
            words[index / 8] |= UInt64(bytes[offset + index]) &<< shift
        }
        return words
    }
}
