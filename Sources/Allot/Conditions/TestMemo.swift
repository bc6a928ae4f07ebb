/// A text of at most 15 bytes in two words: the text, its length, and whether it has a type.
struct ShortText: Sendable, Equatable {
    let low: UInt64
    let high: UInt64

    /// Packs a text value. Returns `nil` if it is longer, or not text.
    @inline(__always)
    init?(_ value: AttributeValue, _ bytes: Span<UInt8>) {
        guard value.isText, value.length <= 15 else { return nil }
        var (low, high): (UInt64, UInt64) = (0, 0)
        if value.start &+ 16 <= bytes.count {
            (low, high) = bytes.withUnsafeBytes { bytes in
                (
                    bytes.loadUnaligned(fromByteOffset: value.start, as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: value.start &+ 8, as: UInt64.self)
                )
            }
            let bits = UInt64(truncatingIfNeeded: value.length &* 8)
            if bits < 64 {
                (low, high) = (low & ((1 &<< bits) &- 1), 0)
            } else {
                high &= (1 &<< (bits &- 64)) &- 1
            }
        } else {
            for index in 0..<value.length {
                let byte = UInt64(bytes[value.start + index])
                if index < 8 { low |= byte << UInt64(index * 8) } else { high |= byte << UInt64((index - 8) * 8) }
            }
        }
        self.low = low
        self.high = high | UInt64(truncatingIfNeeded: value.length) << 56 | (value.kind == .text ? 1 << 63 : 0)
    }

    @inline(__always)
    var hash: Int {
        Int(truncatingIfNeeded: ByteHash.hash(low, high))
    }
}

/// Results of tests by short text: countries, versions and plans repeat from one unit to the next.
///
/// The result of a test depends on the value alone, so a result stays true. Each test has a fixed number of entries,
/// and each entry keeps the latest text whose hash selects it.
struct TestMemo: Sendable {
    private struct Entry: Sendable {
        var low: UInt64 = 0
        /// Includes the result, in a bit that no text sets.
        var high: UInt64 = 0

        static let result: UInt64 = 1 << 62
    }

    /// Empty until the memo is opened.
    private var entries: [Entry] = []
    private let nodeCount: Int

    private static let entriesPerNode = 256
    /// Tests after this many nodes are not remembered, which bounds the memory.
    private static let nodeLimit = 512

    init(_ program: ConditionProgram) {
        nodeCount = min(program.nodes.count, Self.nodeLimit)
    }

    /// Starts to remember results.
    mutating func open() {
        // No text packs to zeros, because an empty one counts as missing.
        entries = Array(repeating: Entry(), count: nodeCount * Self.entriesPerNode)
    }

    /// The result of a test for a text. Returns `nil` if it is not remembered.
    @inline(__always)
    func recall(_ node: Int, _ text: ShortText) -> Bool? {
        let index = node &* Self.entriesPerNode &+ text.hash & (Self.entriesPerNode &- 1)
        guard index < entries.count else { return nil }
        let entry = entries[index]
        let isKnown = (entry.low ^ text.low) | ((entry.high & ~Entry.result) ^ text.high) == 0
        return isKnown ? entry.high & Entry.result != 0 : nil
    }

    mutating func remember(_ node: Int, _ text: ShortText, _ holds: Bool) {
        let index = node * Self.entriesPerNode + text.hash & (Self.entriesPerNode - 1)
        guard index < entries.count else { return }
        entries[index] = Entry(low: text.low, high: text.high | (holds ? Entry.result : 0))
    }
}
