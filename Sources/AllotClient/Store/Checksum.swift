/// A checksum that tells damaged bytes from whole ones: FNV-1a with 64 bits (draft-eastlake-fnv). It is no protection from
/// people; signatures are.
enum Checksum {
    /// The checksum as 16 hexadecimal digits. Complexity: O(*n*), about a nanosecond a byte.
    static func text(of bytes: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
