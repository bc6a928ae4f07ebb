/// The state of a hash between blocks of 64 bytes: SHA-256, SHA-1 or MD5.
protocol BlockState: Sendable {
    init()
    /// Whether the length of a message, which ends its last block, begins with the highest byte.
    static var lengthIsBigEndian: Bool { get }
    mutating func compress(_ block: borrowing InlineArray<64, UInt8>)
}

/// A hash of a message in several parts, and its padding (FIPS 180-4, section 5.1.1; RFC 1321, section 3): a one bit,
/// zeros, and the length in bits as the last eight bytes of a block.
struct BlockHash<State: BlockState>: Sendable {
    private var state = State()
    private var block = InlineArray<64, UInt8>(repeating: 0)
    private var filled = 0
    private var count = 0

    /// Adds a part of the message. Complexity: O(*n*), without allocation.
    mutating func add(_ part: Span<UInt8>) {
        var offset = 0
        count += part.count
        while offset < part.count {
            let (start, length) = (filled, min(64 - filled, part.count - offset))
            var target = block.mutableSpan
            target.withUnsafeMutableBytes { target in
                part.withUnsafeBytes { source in
                    UnsafeMutableRawBufferPointer(rebasing: target[start..<start + length])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[offset..<offset + length]))
                }
            }
            offset += length
            filled += length
            if filled == 64 {
                state.compress(block)
                filled = 0
            }
        }
    }

    /// The state after the whole message and its padding.
    consuming func finish() -> State {
        let bitCount = UInt64(count) * 8
        block[filled] = 0x80
        for index in filled + 1..<64 { block[index] = 0 }
        if filled >= 56 {
            state.compress(block)
            block = InlineArray(repeating: 0)
        }
        for index in 0..<8 {
            let shift = UInt64(State.lengthIsBigEndian ? 56 - index * 8 : index * 8)
            block[56 + index] = UInt8(truncatingIfNeeded: bitCount >> shift)
        }
        state.compress(block)
        return state
    }
}
