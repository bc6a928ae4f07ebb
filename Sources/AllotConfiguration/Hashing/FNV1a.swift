/// The hash function FNV-1a (Fowler, Noll and Vo; RFC 9923), which detects damaged bytes and names texts, but offers no
/// protection against texts that are made to collide; signatures do.
package enum FNV1a {
    /// The 64-bit hash of bytes. Complexity: O(*n*), about a nanosecond for each byte.
    package static func hash64(_ bytes: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }

    /// A hash with 128 bits, as two halves: `UInt128` needs iOS 18 and macOS 15.
    package struct Hash128: Sendable, Hashable {
        fileprivate var high: UInt64, low: UInt64
    }

    package static func hash128(_ bytes: [UInt8]) -> Hash128 {
        var hash = Hash128(high: 0x6c62_272e_07bb_0142, low: 0x62b8_2175_6295_c58d)
        for byte in bytes {
            // The prime is 2^88 + 0x13B.
            let start = hash.low ^ UInt64(byte)
            let product = start.multipliedFullWidth(by: 0x13B)
            hash.high = hash.high &* 0x13B &+ start << 24 &+ product.high
            hash.low = product.low
        }
        return hash
    }

    package static func hash128(_ texts: [String]) -> Hash128 {
        // 0xFF never occurs in UTF-8, so that ["a", "bc"] differs from ["ab", "c"].
        hash128(texts.flatMap { Array($0.utf8) + [0xFF] })
    }
}

extension FNV1a.Hash128 {
    package var hexadecimal: String { high.hexadecimal + low.hexadecimal }

    /// Reads ``hexadecimal``. Returns `nil` for any other text.
    package init?(hexadecimal digits: some Collection<UInt8>) {
        guard let high = UInt64(hexadecimal: digits.prefix(16)), let low = UInt64(hexadecimal: digits.dropFirst(16))
        else { return nil }
        self.init(high: high, low: low)
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// All hexadecimal digits of the number, in lower case: 16 for 64 bits.
    package var hexadecimal: String { zeroPadded(to: Self.bitWidth / 4, radix: 16) }

    /// Reads ``hexadecimal``. Returns `nil` for any other text.
    package init?(hexadecimal digits: some Collection<UInt8>) {
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
        guard hexadecimal.utf8.elementsEqual(digits) else { return nil }
    }
}
