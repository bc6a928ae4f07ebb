import Allot

/// How often each value of one attribute met each variant.
struct ValueTally: Sendable {
    let name: String
    private let variantCount: Int
    private let limit: Int
    /// Whether there were more values than the limit, so that none is counted.
    private(set) var isDropped = false

    private var slots: [Int32] = Array(repeating: -1, count: 16)
    private var hashes: [UInt64] = []
    private var ends: [Int] = [0]
    private var bytes: [UInt8] = []
    private var counts: [Int] = []
    /// The value of the last row: many rows follow one of their kind.
    private var last = -1

    /// - Parameter limit: the most values that are counted.
    init(_ name: String, variantCount: Int, limit: Int) {
        self.name = name
        self.variantCount = variantCount
        self.limit = limit
    }

    /// The number of values.
    var valueCount: Int { hashes.count }

    /// A value as text.
    func text(_ value: Int) -> String {
        String(decoding: bytes[ends[value]..<ends[value + 1]], as: UTF8.self)
    }

    /// How often a value met each variant.
    func counts(_ value: Int) -> [Int] {
        Array(counts[value * variantCount..<(value + 1) * variantCount])
    }

    /// The number of a value, entered if it is new; `nil` once there are too many. Complexity: O(length of the value),
    /// expected.
    mutating func find(_ value: Span<UInt8>) -> Int? {
        guard !isDropped else { return nil }
        if last >= 0, holds(value, at: last) { return last }
        let hash = ByteHash.hash(value)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let found = Int(slots[slot])
            if hashes[found] == hash, holds(value, at: found) {
                last = found
                return found
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return enter(value, hash)
    }

    /// Counts units of a value.
    mutating func count(_ value: Int, variant: Int, _ number: Int) {
        guard !isDropped else { return }
        counts[value * variantCount + variant] += number
    }

    private func holds(_ value: Span<UInt8>, at index: Int) -> Bool {
        bytes.span.extracting(ends[index]..<ends[index + 1]).isEqual(to: value)
    }

    private mutating func enter(_ value: Span<UInt8>, _ hash: UInt64) -> Int? {
        guard hashes.count < limit else {
            drop()
            return nil
        }
        for index in value.indices { bytes.append(value[index]) }
        ends.append(bytes.count)
        hashes.append(hash)
        counts.append(contentsOf: repeatElement(0, count: variantCount))
        last = hashes.count - 1
        if hashes.count * 2 > slots.count {
            slots = Array(repeating: -1, count: slots.count * 2)
            for index in hashes.indices { insert(index) }
        } else {
            insert(last)
        }
        return last
    }

    private mutating func insert(_ value: Int) {
        var slot = Int(truncatingIfNeeded: hashes[value]) & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(value)
    }

    private mutating func drop() {
        isDropped = true
        (slots, hashes, ends, bytes, counts) = ([], [], [0], [], [])
    }
}
