/// A fixed table from byte strings to small numbers: one hash and one comparison a look-up, and never an allocation.
package struct ByteTable: Sendable {
    private struct Entry: Sendable {
        let start: Int
        let length: Int
        let value: Int
    }

    private var slots: [Int32]
    private var entries: [Entry] = []
    private var bytes: [UInt8] = []
    /// Bit *n* is set when a key of *n* bytes exists (bit 63: of 63 or more): most strangers are refused by it.
    private var lengths: UInt64 = 0

    /// Of two equal keys the first counts.
    package init(_ pairs: [(key: [UInt8], value: Int)]) {
        var capacity = 8
        while capacity < pairs.count * 2 { capacity *= 2 }
        slots = Array(repeating: -1, count: capacity)
        for pair in pairs where find(pair.key.span) == nil {
            var slot = Self.hash(pair.key.span) & (capacity - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = Int32(entries.count)
            entries.append(Entry(start: bytes.count, length: pair.key.count, value: pair.value))
            bytes.append(contentsOf: pair.key)
            lengths |= 1 << UInt64(min(pair.key.count, 63))
        }
    }

    /// The number of keys.
    package var count: Int { entries.count }

    /// The longest run of slots in use: more than any look-up has to pass.
    var longestProbe: Int {
        slots.split(whereSeparator: { $0 < 0 }).map(\.count).max() ?? 0
    }

    /// The number under a key, else `nil`. Complexity: O(length of the key), expected.
    package func find(_ key: Span<UInt8>) -> Int? {
        guard lengths & (1 &<< UInt64(min(key.count, 63))) != 0 else { return nil }
        let mask = slots.count - 1
        var slot = Self.hash(key) & mask
        while slots[slot] >= 0 {
            let entry = entries[Int(slots[slot])]
            if entry.length == key.count,
                Self.areEqual(bytes.span.extracting(entry.start..<entry.start + entry.length), key)
            {
                return entry.value
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// FNV-1a over 8-byte words, mixed at the end. Keys come from definitions, so it need not resist an attacker.
    private static func hash(_ key: Span<UInt8>) -> Int {
        key.withUnsafeBytes { bytes in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            var index = 0
            while index + 8 <= bytes.count {
                hash = (hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x0000_0100_0000_01b3
                hash ^= hash >> 29
                index += 8
            }
            while index < bytes.count {
                hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3
                index += 1
            }
            // The finaliser of MurmurHash3: every byte has to reach the low bits, which choose the slot.
            hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
            hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
            return Int(truncatingIfNeeded: (hash ^ hash >> 33) & 0x7fff_ffff)
        }
    }

    @inline(__always)
    static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}
