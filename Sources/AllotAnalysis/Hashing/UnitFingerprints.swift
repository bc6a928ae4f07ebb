import Allot

/// Which unit IDs have been met, in 11 to 22 bytes for each, however long it is.
///
/// 64 bits are kept of each ID. Two IDs in a list share them by chance only: with ten million IDs one of them is taken
/// for a repetition with a probability of 3 in a million, and would then be one unit too few.
public struct UnitFingerprints: Sendable {
    /// The number of different IDs.
    public private(set) var count = 0
    /// Fingerprints by their lowest bits, the next free place where that is taken; 0 is a free place.
    private var slots: [UInt64]

    /// An empty set.
    public init() {
        slots = Array(repeating: 0, count: 1 << 12)
    }

    /// Notes a unit ID; `false` if it was met before. Complexity: O(length of the ID) on average.
    public mutating func insert(_ unitID: Span<UInt8>) -> Bool {
        if (count + 1) * 4 > slots.count * 3 { grow() }
        guard Self.insert(max(ByteHash.hash(unitID), 1), into: &slots) else { return false }
        count += 1
        return true
    }

    private mutating func grow() {
        var larger = [UInt64](repeating: 0, count: slots.count * 2)
        for fingerprint in slots where fingerprint != 0 { _ = Self.insert(fingerprint, into: &larger) }
        slots = larger
    }

    private static func insert(_ fingerprint: UInt64, into slots: inout [UInt64]) -> Bool {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: fingerprint) & mask
        while slots[place] != 0 {
            if slots[place] == fingerprint { return false }
            place = (place + 1) & mask
        }
        slots[place] = fingerprint
        return true
    }
}
