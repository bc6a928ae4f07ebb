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
        guard Self.insert(Self.fingerprint(unitID), into: &slots) else { return false }
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

    /// Eight bytes at a time are multiplied in, folded from 128 bits; never 0.
    private static func fingerprint(_ bytes: Span<UInt8>) -> UInt64 {
        var hash = mixed(UInt64(bytes.count), 0x9e37_79b9_7f4a_7c15)
        var word: UInt64 = 0
        for index in bytes.indices {
            word = word << 8 | UInt64(bytes[index])
            guard index & 7 == 7 || index == bytes.count - 1 else { continue }
            hash = mixed(hash ^ word, 0xd6e8_feb8_6659_fd93)
            word = 0
        }
        return max(mixed(hash, 0xa076_1d64_78bd_642f), 1)
    }

    private static func mixed(_ value: UInt64, _ factor: UInt64) -> UInt64 {
        let product = (value ^ 0xe703_7ed1_a0b4_28db).multipliedFullWidth(by: factor)
        return product.high ^ product.low ^ value
    }
}
