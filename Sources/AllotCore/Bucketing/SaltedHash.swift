/// A salt that is prepared to hash many unit IDs.
///
/// ```swift
/// if let salt = Salt("checkout-button") {
///     let hash = SaltedHash(salt)
///     let buckets = ["user-1", "user-2"].map { hash.buckets(of: $0) }
/// }
/// ```
public struct SaltedHash: Sendable {
    /// `salt ":"`, followed by zeros.
    private let prefix: InlineArray<80, UInt8>
    private let prefixLength: Int
    /// The longest message that fits into one SHA-256 block with its padding.
    private static let oneBlockLength = 55

    /// Prepares the empty salt, which no definition has.
    init() {
        prefix = InlineArray(repeating: 0)
        prefixLength = 0
    }

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

    /// The buckets of a unit ID, whose UTF-8 bytes are used exactly as they are.
    ///
    /// Complexity: one SHA-256 compression if salt, ":" and ID have at most 55 bytes together. Never allocates.
    @inline(never)  // The block would be copied once more.
    public func buckets(of unitID: Span<UInt8>) -> BucketPair { Self.buckets(state(of: unitID)) }
    /// The buckets of a unit ID given as text.
    public func buckets(of unitID: String) -> BucketPair { Self.buckets(state(of: Array(unitID.utf8).span)) }

    /// The buckets of a unit ID with further bytes after it.
    func buckets(of unitID: Span<UInt8>, followedBy end: Span<UInt8>) -> BucketPair {
        let count = unitID.count + end.count
        guard prefixLength + count <= Self.oneBlockLength else {
            var hash = BlockHash<SHA256State>()
            hash.add(prefix.span.extracting(first: prefixLength))
            hash.add(unitID)
            hash.add(end)
            return Self.buckets(hash.finish())
        }
        var text = InlineArray<56, UInt8>(repeating: 0)
        for index in unitID.indices { text[index] = unitID[index] }
        for index in end.indices { text[unitID.count + index] = end[index] }
        return Self.buckets(state(of: text.span.extracting(first: count)))
    }

    /// The whole digest of 32 bytes; the buckets use the first ten.
    public func digest(of unitID: String) -> [UInt8] { state(of: Array(unitID.utf8).span).digest }

    @inline(__always) static func buckets(_ state: SHA256State) -> BucketPair {
        Bucketing.buckets(state.words[0], state.words[1], state.words[2])
    }

    /// Whether salt, ":", unit ID and padding fit into one block.
    @inline(__always) func fitsOneBlock(_ unitID: Span<UInt8>) -> Bool {
        prefixLength &+ unitID.count <= Self.oneBlockLength
    }

    @inline(__always) func state(of unitID: Span<UInt8>) -> SHA256State {
        guard fitsOneBlock(unitID) else {
            return SHA256.state(prefix: prefix.span.extracting(first: prefixLength), message: unitID)
        }
        var block = SIMD64<UInt8>()
        fill(&block, with: unitID)
        // Hashed where it is: a copy would wait until the short words of the unit ID have left for the cache.
        return withUnsafeMutableBytes(of: &block) { block in
            block.assumingMemoryBound(to: UInt8.self).baseAddress.map { SHA256State(oneBlock: $0) } ?? SHA256State()
        }
    }

    /// Writes salt, ":", unit ID and SHA-256's padding as a block. The caller has checked that they fit. The unit ID is
    /// copied in steps of 16 or 8 bytes, because a call of `memcpy` costs more for so few bytes.
    @inline(__always) func fill(_ block: inout SIMD64<UInt8>, with unitID: Span<UInt8>) {
        withUnsafeMutableBytes(of: &block) { target in
            prefix.span.withUnsafeBytes { source in
                func copy(_ offset: Int) {
                    target.storeBytes(
                        of: source.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self), toByteOffset: offset,
                        as: SIMD16<UInt8>.self)
                }
                copy(0)
                copy(16)
                copy(32)
                copy(48)
            }
            unitID.withUnsafeBytes { source in
                func copy<Step: BitwiseCopyable>(_ step: Step.Type, at offset: Int) {
                    target.storeBytes(
                        of: source.loadUnaligned(fromByteOffset: offset, as: step),
                        toByteOffset: prefixLength &+ offset, as: step)
                }
                let count = source.count
                // The last step overlaps the one before it. Unrolled, because the optimiser turns a loop into `memcpy`.
                if count >= 16 {
                    copy(SIMD16<UInt8>.self, at: 0)
                    if count > 32 { copy(SIMD16<UInt8>.self, at: 16) }
                    if count > 48 { copy(SIMD16<UInt8>.self, at: 32) }
                    copy(SIMD16<UInt8>.self, at: count &- 16)
                } else if count >= 8 {
                    copy(UInt64.self, at: 0)
                    copy(UInt64.self, at: count &- 8)
                } else {
                    for offset in 0..<count { target[prefixLength &+ offset] = source[offset] }
                }
            }
            let length = prefixLength &+ unitID.count
            target[length] = 0x80
            target.storeBytes(of: UInt64(truncatingIfNeeded: length &* 8).bigEndian, toByteOffset: 56, as: UInt64.self)
        }
    }
}
