/// A 64-bit hash of bytes, the same on every machine. Two different texts share a hash with a probability of 2⁻⁶⁴, as
/// in wyhash by Wang Yi (public domain): two words are multiplied, and the halves of the product are combined by
/// exclusive or. An attacker can find collisions.
package enum ByteHash {
    private static let first: UInt64 = 0xa076_1d64_78bd_642f
    private static let second: UInt64 = 0xe703_7ed1_a0b4_28db

    package static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            let count = bytes.count
            var seed = mix(first, second)
            var (left, right): (UInt64, UInt64) = (0, 0)
            if count >= 16 {
                var offset = 0
                while offset &+ 16 < count {
                    seed = mix(word(bytes, offset) ^ second, word(bytes, offset &+ 8) ^ seed)
                    offset &+= 16
                }
                // The last 16 bytes, some of them for the second time.
                (left, right) = (word(bytes, count &- 16), word(bytes, count &- 8))
            } else if count >= 8 {
                (left, right) = (word(bytes, 0), word(bytes, count &- 8))
            } else {
                for byte in bytes { left = left << 8 | UInt64(byte) }
            }
            let product = (left ^ second).multipliedFullWidth(by: right ^ seed)
            return mix(product.low ^ first ^ UInt64(truncatingIfNeeded: count), product.high ^ second)
        }
    }

    @inline(__always) package static func hash(_ left: UInt64, _ right: UInt64) -> UInt64 {
        mix(left ^ first, right ^ second)
    }

    @inline(__always) private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.low ^ product.high
    }

    @inline(__always) private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
