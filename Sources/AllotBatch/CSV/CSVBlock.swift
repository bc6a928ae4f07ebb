/// Which of 64 bytes can mean something in CSV.
///
/// The bytes are looked at eight at a time in 64-bit words ("SIMD within a register"). All sums stay below 256 in
/// each byte, so that no byte disturbs its neighbour and every mark is exact.
struct CSVBlock {
    /// Bit *i* is set when byte *i* is a comma, a quote, a line feed, a carriage return, or another control character
    /// up to 13, which the reader of the marks passes over.
    var marks: UInt64 = 0
    /// Whether any of the bytes is not ASCII.
    var hasHighBit = false

    static let size = 64

    /// A block of no bytes.
    init() {}

    /// Marks the bytes from `offset`, at most 64. Complexity: O(1).
    @inline(__always)
    init(_ bytes: Span<UInt8>, at offset: Int) {
        var highBits: UInt64 = 0
        if offset + Self.size <= bytes.count {
            let raw = bytes.bytes
            var word = 0
            while word < 8 {
                let value = UInt64(
                    littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: offset + word * 8, as: UInt64.self))
                highBits |= value
                marks |= Self.marks(of: value) << UInt64(truncatingIfNeeded: word * 8)
                word += 1
            }
        } else {
            var word = 0
            while offset + word * 8 < bytes.count {
                let value = Self.partialWord(bytes, at: offset + word * 8)
                highBits |= value
                marks |= Self.marks(of: value) << UInt64(truncatingIfNeeded: word * 8)
                word += 1
            }
        }
        hasHighBit = highBits & Self.repeated(0x80) != 0
    }

    /// Up to eight bytes, filled up with spaces.
    private static func partialWord(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
        var value = repeated(0x20)
        for index in 0..<min(8, bytes.count - offset) {
            let shift = UInt64(index * 8)
            value = value & ~(0xFF << shift) | UInt64(bytes[offset + index]) << shift
        }
        return value
    }

    /// One bit for each of eight bytes.
    @inline(__always)
    private static func marks(of word: UInt64) -> UInt64 {
        let low = word & repeated(0x7F)
        let isNotComma = (low ^ repeated(CSVByte.comma)) &+ repeated(0x7F)
        let isNotQuote = (low ^ repeated(CSVByte.quote)) &+ repeated(0x7F)
        let isNotControl = low &+ repeated(0x7F - CSVByte.carriageReturn)
        let found = ~((isNotComma & isNotQuote & isNotControl) | word) & repeated(0x80)
        // Gathers the top bits of the eight bytes in the topmost byte.
        return ((found >> 7) &* 0x0102_0408_1020_4080) >> 56
    }

    @inline(__always)
    private static func repeated(_ byte: UInt8) -> UInt64 {
        UInt64(byte) &* 0x0101_0101_0101_0101
    }
}
