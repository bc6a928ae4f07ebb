/// A fixed table from byte strings to small numbers. A lookup never allocates, and costs one hash and, nearly always,
/// one comparison.
package struct ByteTable: Sendable {
    /// A key's place and value, together with a part of its hash: one access to memory finds all of it, and the key's
    /// bytes are looked at while the processor goes on with the value.
    private struct Slot: Sendable {
        let hash: UInt32
        let start: UInt32
        /// ``free`` where there is no key.
        let length: UInt32
        let value: Int32
        static let free: UInt32 = .max
        static let empty = Slot(hash: 0, start: 0, length: free, value: 0)
    }

    private var slots: [Slot]
    /// The keys, one after another.
    private var bytes: [UInt8] = []
    package private(set) var count = 0
    /// Bit *n* is set if there is a key of *n* bytes (bit 63: of 63 or more). Most lookups of absent keys fail by it.
    private var lengths: UInt64 = 0
    private(set) var longestKey = 0
    /// A table without keys; all of these share their memory.
    package static let empty = ByteTable([])

    /// Creates a table. If a key occurs twice, its first value wins.
    package init(_ pairs: [(key: [UInt8], value: Int)]) {
        var capacity = 8
        // At most half full: a key that is not in its own slot costs a branch that the processor does not foresee.
        while capacity < pairs.count * 2 { capacity *= 2 }
        slots = Array(repeating: .empty, count: capacity)
        for pair in pairs where find(pair.key.span) == nil {
            let hash = ByteHash.hash(pair.key.span)
            var slot = Self.slot(hash, capacity)
            while slots[slot].length != Slot.free { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = Slot(
                hash: Self.part(hash), start: UInt32(bytes.count), length: UInt32(pair.key.count),
                value: Int32(pair.value))
            bytes.append(contentsOf: pair.key)
            count += 1
            lengths |= 1 << UInt64(min(pair.key.count, 63))
            longestKey = max(longestKey, pair.key.count)
        }
    }

    /// The value of a key. Returns `nil` if the table does not have it. Complexity: O(length of the key), expected.
    package func find(_ key: Span<UInt8>) -> Int? {
        guard lengths & (1 &<< UInt64(min(key.count, 63))) != 0 else { return nil }
        let hash = ByteHash.hash(key)
        var position = Self.slot(hash, slots.count)
        while true {
            let slot = slots[position]
            if slot.hash == Self.part(hash), Int(slot.length) == key.count,
                Self.areEqual(bytes.span.extracting(Int(slot.start)..<Int(slot.start) &+ key.count), key)
            {
                return Int(slot.value)
            }
            if slot.length == Slot.free { return nil }
            position = (position + 1) & (slots.count - 1)
        }
    }

    @inline(__always) private static func slot(_ hash: UInt64, _ capacity: Int) -> Int {
        Int(truncatingIfNeeded: hash) & (capacity - 1)
    }

    /// The part of a hash that does not select the slot.
    @inline(__always) private static func part(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 32) }

    @inline(__always) package static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                // Eight bytes at a time: keys are as long as unit IDs and names of experiments.
                let count = left.count
                func areEqual(at offset: Int) -> Bool {
                    left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                        == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                }
                if count >= 8 {
                    var offset = 0
                    while offset &+ 8 < count {
                        guard areEqual(at: offset) else { return false }
                        offset &+= 8
                    }
                    // The last eight, some of them for the second time.
                    return areEqual(at: count &- 8)
                }
                for offset in 0..<count where left[offset] != right[offset] { return false }
                return true
            }
        }
    }

    /// A plain search. Horspool's algorithm would pay off for long needles only, and attributes are short.
    package static func contains(_ text: Span<UInt8>, _ literal: Span<UInt8>) -> Bool {
        guard literal.count > 0 else { return true }
        guard text.count >= literal.count else { return false }
        for start in 0...(text.count - literal.count) where text[start] == literal[0] {
            if areEqual(text.extracting(start..<start + literal.count), literal) { return true }
        }
        return false
    }
}
