/// One salt, made ready to hash many unit IDs.
public struct SaltedHash: Sendable {
    /// `salt ":"`, followed by zeros.
    private let prefix: InlineArray<80, UInt8>
    private let prefixLength: Int

    /// The longest message that one SHA-256 block holds beside its padding.
    private static let oneBlockLength = 55

    /// Prepares a salt.
    public init(_ salt: Salt) {
        var prefix = InlineArray<80, UInt8>(repeating: 0)
        var length = 0
        for byte in salt.text.utf8 {
            prefix[length] = byte
            length += 1
        }
        prefix[length] = UInt8(ascii: ":")
        self.prefix = prefix
        prefixLength = length + 1
    }

    /// The buckets of a unit ID: UTF-8 bytes, taken exactly as they are.
    ///
    /// Complexity: one SHA-256 compression while salt, ":" and ID have at most 55 bytes; never allocates.
    @inline(__always)
    public func buckets(of unitID: Span<UInt8>) -> BucketPair {
        Self.buckets(state(of: unitID))
    }

    /// The buckets of a unit ID given as text.
    public func buckets(of unitID: String) -> BucketPair {
        Self.buckets(state(of: Array(unitID.utf8).span))
    }

    /// The whole digest, 32 bytes, of which the buckets use the first ten.
    public func digest(of unitID: String) -> [UInt8] {
        state(of: Array(unitID.utf8).span).digest
    }

    @inline(__always)
    private static func buckets(_ state: SHA256State) -> BucketPair {
        let (word0, word1, word2) = (UInt64(state.words[0]), UInt64(state.words[1]), UInt64(state.words[2]))
        return BucketPair(
            first: Bucketing.bucket(of: word0 << 8 | word1 >> 24),
            second: Bucketing.bucket(of: (word1 & 0xFF_FFFF) << 16 | word2 >> 16))
    }

    @inline(__always)
    private func state(of unitID: Span<UInt8>) -> SHA256State {
        let length = prefixLength &+ unitID.count
        guard length <= Self.oneBlockLength else {
            return SHA256.state(prefix: prefix.span.extracting(first: prefixLength), message: unitID)
        }
        var block = InlineArray<64, UInt8>(repeating: 0)
        fill(&block, with: unitID)
        return SHA256State(oneBlock: block)
    }

    /// Lays out salt, ":" and unit ID with SHA-256's padding; the caller knows that they fit.
    ///
    /// The unit ID is copied in words of 8 bytes: for so few bytes a call of `memcpy` costs more.
    @inline(__always)
    private func fill(_ block: inout InlineArray<64, UInt8>, with unitID: Span<UInt8>) {
        var span = block.mutableSpan
        span.withUnsafeMutableBytes { target in
            prefix.span.withUnsafeBytes { source in
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<64]))
            }
            unitID.withUnsafeBytes { source in
                var offset = 0
                while offset &+ 8 <= source.count {
                    target.storeBytes(
                        of: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                        toByteOffset: prefixLength &+ offset, as: UInt64.self)
                    offset &+= 8
                }
                while offset < source.count {
                    target[prefixLength &+ offset] = source[offset]
                    offset &+= 1
                }
            }
            let length = prefixLength &+ unitID.count
            target[length] = 0x80
            target.storeBytes(of: UInt64(truncatingIfNeeded: length &* 8).bigEndian, toByteOffset: 56, as: UInt64.self)
        }
    }
}
