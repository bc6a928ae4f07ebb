/// The state of SHA-1 (FIPS 180-4, section 6.1) between blocks. Not for signatures: it places units where another
/// system places them.
struct SHA1State: BlockState {
    private(set) var words: InlineArray<5, UInt32> = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]

    static var lengthIsBigEndian: Bool { true }

    mutating func compress(_ block: borrowing InlineArray<64, UInt8>) {
        var schedule = InlineArray<80, UInt32>(repeating: 0)
        for index in 0..<16 {
            schedule[index] =
                UInt32(block[index &* 4]) &<< 24 | UInt32(block[index &* 4 &+ 1]) &<< 16
                | UInt32(block[index &* 4 &+ 2]) &<< 8 | UInt32(block[index &* 4 &+ 3])
        }
        for index in 16..<80 {
            let mixed = schedule[index &- 3] ^ schedule[index &- 8] ^ schedule[index &- 14] ^ schedule[index &- 16]
            schedule[index] = mixed &<< 1 | mixed &>> 31
        }
        var (a, b, c, d, e) = (words[0], words[1], words[2], words[3], words[4])
        for round in 0..<80 {
            let (function, constant): (UInt32, UInt32) =
                switch round / 20 {
                case 0: (b & c | ~b & d, 0x5A82_7999)
                case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = (a &<< 5 | a &>> 27) &+ function &+ e &+ constant &+ schedule[round]
            (e, d, c, b, a) = (d, c, b &<< 30 | b &>> 2, a, next)
        }
        words[0] &+= a
        words[1] &+= b
        words[2] &+= c
        words[3] &+= d
        words[4] &+= e
    }
}
