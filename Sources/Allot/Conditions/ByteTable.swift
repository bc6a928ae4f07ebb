/// A fixed table from byte strings to small numbers.
///
/// A lookup costs one hash and, nearly always, one comparison. It never allocates.
package struct ByteTable: Sendable {
    private struct Entry: Sendable {
        let start: Int
        let length: Int
        let value: Int
    }

    private var slots: [Int32]
    private var entries: [Entry] = []
    private var bytes: [UInt8] = []
    /// Bit *n* is set if there is a key of *n* bytes (bit 63: of 63 or more). Most lookups of absent keys fail by it.
    private var lengths: UInt64 = 0
    /// The number of bytes of the longest key.
    private(set) var longestKey = 0

    /// A table without keys; all of these share their memory.
    package static let empty = ByteTable([])

    /// Creates a table. If a key occurs twice, its first value wins.
    package init(_ pairs: [(key: [UInt8], value: Int)]) {
        var capacity = 8
        while capacity < pairs.count * 2 { capacity *= 2 }
        slots = Array(repeating: -1, count: capacity)
        for pair in pairs where find(pair.key.span) == nil {
            var slot = Self.slot(pair.key.span, capacity)
            while slots[slot] >= 0 { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = Int32(entries.count)
            entries.append(Entry(start: bytes.count, length: pair.key.count, value: pair.value))
            bytes.append(contentsOf: pair.key)
            lengths |= 1 << UInt64(min(pair.key.count, 63))
            longestKey = max(longestKey, pair.key.count)
        }
    }

    /// The number of keys.
    package var count: Int { entries.count }

    /// The value of a key. Returns `nil` if the table does not have it. Complexity: O(length of the key), expected.
    package func find(_ key: Span<UInt8>) -> Int? {
        guard lengths & (1 &<< UInt64(min(key.count, 63))) != 0 else { return nil }
        var slot = Self.slot(key, slots.count)
        while slots[slot] >= 0 {
            let entry = entries[Int(slots[slot])]
            if entry.length == key.count,
                Self.areEqual(bytes.span.extracting(entry.start..<entry.start + entry.length), key)
            {
                return entry.value
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    @inline(__always)
    private static func slot(_ key: Span<UInt8>, _ capacity: Int) -> Int {
        Int(truncatingIfNeeded: ByteHash.hash(key)) & (capacity - 1)
    }

    @inline(__always)
    static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                // Eight bytes at a time: keys are as long as unit IDs and names of experiments.
                var offset = 0
                while offset &+ 8 <= left.count {
                    guard
                        left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                            == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    else { return false }
                    offset &+= 8
                }
                while offset < left.count {
                    guard left[offset] == right[offset] else { return false }
                    offset &+= 1
                }
                return true
            }
        }
    }
}
