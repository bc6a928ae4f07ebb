internal import CLibCrypto

/// The state of SHA-256 (FIPS 180-4) between blocks. This is the only file of the core that imports libcrypto. Messages
/// are padded here and passed to the bare compression function, so that the single block of a salt and a UUID costs
/// little more than its compression.
struct SHA256State: BlockState {
    private(set) var words: InlineArray<8, UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    init() {}

    /// The state after a whole message, padded to one block of 64 bytes.
    @inline(__always) init(oneBlock block: UnsafePointer<UInt8>) {
        var words = InlineArray<8, UInt32>(repeating: 0)
        var span = words.mutableSpan
        span.withUnsafeMutableBufferPointer { state in
            guard let state = state.baseAddress else { return }
            allot_sha256_one_block(state, block)
        }
        self.words = words
    }

    static var lengthIsBigEndian: Bool { true }

    @inline(__always) mutating func compress(_ block: borrowing InlineArray<64, UInt8>) {
        block.span.withUnsafeBufferPointer { bytes in
            var span = words.mutableSpan
            span.withUnsafeMutableBufferPointer { state in
                guard let state = state.baseAddress, let bytes = bytes.baseAddress else { return }
                allot_sha256_compress(state, bytes)
            }
        }
    }

    var digest: [UInt8] { (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 4] >> UInt32(24 - $0 % 4 * 8)) } }
}

package enum SHA256 {
    /// The state after `prefix`, `message` and padding. Complexity: O(*n*), without allocation.
    static func state(prefix: Span<UInt8>, message: Span<UInt8>) -> SHA256State {
        var hash = BlockHash<SHA256State>()
        hash.add(prefix)
        hash.add(message)
        return hash.finish()
    }

    /// The digest of `bytes`, which has 32 bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] { state(prefix: Span(), message: bytes.span).digest }

    /// The digest of `message` as eight big-endian numbers. Complexity: O(*n*), without allocation.
    package static func words(of message: Span<UInt8>) -> InlineArray<8, UInt32> {
        state(prefix: Span(), message: message).words
    }

    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { digits in
            for (index, byte) in bytes.enumerated() {
                digits.initializeElement(at: index * 2, to: hexadecimalDigit(byte >> 4))
                digits.initializeElement(at: index * 2 + 1, to: hexadecimalDigit(byte & 15))
            }
            return bytes.count * 2
        }
    }

    static func hexadecimalDigit(_ number: UInt8) -> UInt8 {
        number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
    }
}
