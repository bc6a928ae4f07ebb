/// MurmurHash3 for x86 in 32 bits (Appleby, `MurmurHash3_x86_32` of SMHasher).
public enum MurmurHash3 {
    /// The hash of a message under a seed.
    public static func hash(_ message: Span<UInt8>, seed: UInt32) -> UInt32 {
        var hash = seed
        var index = 0
        while index &+ 4 <= message.count {
            hash ^= scrambled(word(message, at: index, byteCount: 4))
            hash = rotated(hash, by: 13) &* 5 &+ 0xE654_6B64
            index &+= 4
        }
        if index < message.count { hash ^= scrambled(word(message, at: index, byteCount: message.count &- index)) }
        hash ^= UInt32(truncatingIfNeeded: message.count)
        hash = (hash ^ hash &>> 16) &* 0x85EB_CA6B
        hash = (hash ^ hash &>> 13) &* 0xC2B2_AE35
        return hash ^ hash &>> 16
    }

    /// Up to four bytes, the first one in the lowest bits.
    @inline(__always)
    private static func word(_ message: Span<UInt8>, at start: Int, byteCount: Int) -> UInt32 {
        var word: UInt32 = 0
        for offset in 0..<byteCount { word |= UInt32(message[start &+ offset]) &<< UInt32(8 &* offset) }
        return word
    }

    @inline(__always)
    private static func scrambled(_ word: UInt32) -> UInt32 {
        rotated(word &* 0xCC9E_2D51, by: 15) &* 0x1B87_3593
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
        word &<< count | word &>> (32 &- count)
    }
}
