import AllotConfiguration
import AllotCore

/// The value of one attribute for each record.
struct ValueTally: Sendable {
    let name: String
    /// Whether a mismatch within one of its values is an alarm.
    let isNamed: Bool
    /// Whether it is the variant of another experiment, of which units without one show nothing.
    let isComputed: Bool
    private let limit: Int
    /// Whether there were more values than the limit, so that none is kept.
    private(set) var isDropped = false

    /// By record the number of its value, of attributes with few values and of those with many.
    private var narrow: [UInt8] = []
    private var wide: [UInt32] = []

    private var slots: [Int32] = Array(repeating: -1, count: 16)
    private var hashes: [UInt64] = []
    private var ends: [Int] = [0]
    private var bytes: [UInt8] = []
    /// The value of the last row: many rows follow one of their kind.
    private var last = -1

    init(_ name: String, isNamed: Bool = false, isComputed: Bool = false, limit: Int) {
        self.name = name
        self.isNamed = isNamed
        self.isComputed = isComputed
        self.limit = limit
    }

    var valueCount: Int { hashes.count }

    func text(_ value: Int) -> String { String(decoding: bytes[ends[value]..<ends[value + 1]], as: UTF8.self) }

    /// The number of a record's value, or -1 if it has none. Complexity: O(1).
    func value(of record: Int) -> Int {
        if limit < Int(UInt8.max) { return record < narrow.count && narrow[record] != .max ? Int(narrow[record]) : -1 }
        return record < wide.count && wide[record] != .max ? Int(wide[record]) : -1
    }

    /// Sets the value of a record; -1 for none. Complexity: amortised O(1), if records are set in their order.
    mutating func set(_ record: Int, _ value: Int) {
        guard !isDropped else { return }
        if limit < Int(UInt8.max) {
            while narrow.count <= record { narrow.append(.max) }
            narrow[record] = UInt8(truncatingIfNeeded: value)
        } else {
            while wide.count <= record { wide.append(.max) }
            wide[record] = UInt32(truncatingIfNeeded: value)
        }
    }

    /// Sets the value of a record whose rows have the same time: of several values the first in byte order.
    mutating func setLeast(_ record: Int, _ value: Int) {
        let known = self.value(of: record)
        if known < 0 || known != value && UTF8Order.precedes(text(value), text(known)) { set(record, value) }
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

    private func holds(_ value: Span<UInt8>, at index: Int) -> Bool {
        ByteTable.areEqual(bytes.span.extracting(ends[index]..<ends[index + 1]), value)
    }

    private mutating func enter(_ value: Span<UInt8>, _ hash: UInt64) -> Int? {
        guard hashes.count < limit else {
            isDropped = true
            (slots, hashes, ends, bytes, narrow, wide) = ([], [], [0], [], [], [])
            return nil
        }
        for index in value.indices { bytes.append(value[index]) }
        ends.append(bytes.count)
        hashes.append(hash)
        last = hashes.count - 1
        let isFull = hashes.count * 2 > slots.count
        if isFull { slots = Array(repeating: -1, count: slots.count * 2) }
        for index in isFull ? 0..<hashes.count : last..<hashes.count { insert(index) }
        return last
    }

    private mutating func insert(_ value: Int) {
        var slot = Int(truncatingIfNeeded: hashes[value]) & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(value)
    }
}
