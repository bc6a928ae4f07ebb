/// MurmurHash3 for x86 in 32 bits (Appleby, `MurmurHash3_x86_32` of SMHasher), for messages in several parts.
struct MurmurHash3: Sendable {
    private var hash: UInt32
    /// The bytes since the last whole word, the first one in the lowest bits.
    private var pending: UInt32 = 0
    private var count: UInt32 = 0

    init(seed: UInt32) { hash = seed }

    mutating func add(_ part: Span<UInt8>) {
        var index = 0
        while index < part.count {
            if count & 3 == 0, index &+ 4 <= part.count {
                mix(
                    UInt32(part[index]) | UInt32(part[index &+ 1]) &<< 8 | UInt32(part[index &+ 2]) &<< 16
                        | UInt32(part[index &+ 3]) &<< 24)
                count &+= 4
                index &+= 4
            } else {
                pending |= UInt32(part[index]) &<< (8 &* (count & 3))
                count &+= 1
                index &+= 1
                if count & 3 == 0 {
                    mix(pending)
                    pending = 0
                }
            }
        }
    }

    var value: UInt32 {
        var hash = hash
        if count & 3 != 0 { hash ^= Self.scrambled(pending) }
        hash ^= count
        hash = (hash ^ hash &>> 16) &* 0x85EB_CA6B
        hash = (hash ^ hash &>> 13) &* 0xC2B2_AE35
        return hash ^ hash &>> 16
    }

    @inline(__always) private mutating func mix(_ word: UInt32) {
        hash = Self.rotated(hash ^ Self.scrambled(word), by: 13) &* 5 &+ 0xE654_6B64
    }

    @inline(__always) private static func scrambled(_ word: UInt32) -> UInt32 {
        rotated(word &* 0xCC9E_2D51, by: 15) &* 0x1B87_3593
    }

    @inline(__always) private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
        word &<< count | word &>> (32 &- count)
    }
}
