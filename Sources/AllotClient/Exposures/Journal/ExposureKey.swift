/// A fingerprint of 128 bits: by it exposures are told apart, damaged lines recognised, and files of long IDs named.
///
/// FNV-1a (Fowler, Noll and Vo; RFC 9923): quick, without tables, and each changed byte changes the result. It is no
/// defence against texts made to collide, of which there is nothing to gain here.
struct ExposureKey: Sendable, Hashable {
    private(set) var bits: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    /// The number of hexadecimal digits.
    static let digitCount = 32

    /// The fingerprint of bytes.
    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { combine(byte) }
    }

    /// The fingerprint of several texts.
    init(_ texts: [String]) {
        for text in texts {
            for byte in text.utf8 { combine(byte) }
            // No byte of UTF-8: ["a", "bc"] is not ["ab", "c"].
            combine(0xFF)
        }
    }

    /// Reads ``digits``.
    init?(digits: some Collection<UInt8>) {
        guard digits.count == Self.digitCount else { return nil }
        bits = 0
        for byte in digits {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): bits = bits << 4 | UInt128(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): bits = bits << 4 | UInt128(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
    }

    /// 32 hexadecimal digits.
    var digits: [UInt8] {
        let text = String(bits, radix: 16)
        return Array(repeating: UInt8(ascii: "0"), count: Self.digitCount - text.utf8.count) + Array(text.utf8)
    }

    private mutating func combine(_ byte: UInt8) {
        bits = (bits ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
    }
}
