import Allot

/// Which units were seen, each in which variant first, in 16 bytes a unit.
///
/// Units are told apart by a 64-bit hash, so that 10 million of them take 256 MiB (and half as much again while the
/// table grows) however long their IDs are. That two of *n* units are taken for one has a probability of about *n*² /
/// 2⁶⁵: 3 in a million for 10 million units.
struct UnitLedger: Sendable {
    /// What was known of a unit.
    enum Finding: Sendable, Hashable {
        /// It was not seen before.
        case new
        /// It was seen before, always in this variant, or was already found to be in several.
        case repeated
        /// It was seen before in another variant, and only in that one.
        case inAnotherVariant(first: Int, period: Int = 0, line: Int)
    }

    private struct Entry: Sendable {
        var hash: UInt64 = 0
        /// From the lowest bit: 36 bits of the line, 16 of the variant plus 1, 11 of the period, one for units in
        /// several variants; 0 for an empty entry.
        var state: UInt64 = 0
    }

    /// The number of variants that can be told apart.
    static let variantLimit = 65_535
    /// The number of periods that can be told apart.
    static let periodLimit = 2048
    private static let (variantShift, periodShift): (UInt64, UInt64) = (36, 52)
    private static let lineLimit: UInt64 = 1 << variantShift - 1
    private static let severalBit: UInt64 = 1 << 63

    private var entries = Array(repeating: Entry(), count: 1024)
    /// The number of units.
    private(set) var count = 0

    /// Records that a row names a unit. Complexity: O(length of the unit), expected.
    ///
    /// - Parameters:
    ///   - variant: 0 ..< ``variantLimit``.
    ///   - period: 0 ..< ``periodLimit``.
    ///   - line: where the row is, for the case that the unit turns up in another variant later.
    mutating func record(_ unit: Span<UInt8>, variant: Int, period: Int = 0, line: Int) -> Finding {
        if count &* 4 >= entries.count &* 3 { grow() }
        let hash = ByteHash.hash(unit)
        let mask = entries.count &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while entries[slot].state != 0 {
            if entries[slot].hash == hash { return revisit(slot, variant) }
            slot = (slot &+ 1) & mask
        }
        let place = min(UInt64(truncatingIfNeeded: max(line, 0)), Self.lineLimit)
        let state =
            UInt64(truncatingIfNeeded: period) << Self.periodShift
            | UInt64(truncatingIfNeeded: variant &+ 1) << Self.variantShift | place
        entries[slot] = Entry(hash: hash, state: state)
        count &+= 1
        return .new
    }

    private mutating func revisit(_ slot: Int, _ variant: Int) -> Finding {
        let state = entries[slot].state
        let known = Int(truncatingIfNeeded: state >> Self.variantShift & 0xffff) &- 1
        guard known != variant, state & Self.severalBit == 0 else { return .repeated }
        entries[slot].state |= Self.severalBit
        return .inAnotherVariant(
            first: known, period: Int(truncatingIfNeeded: state >> Self.periodShift & 0x7ff),
            line: Int(truncatingIfNeeded: state & Self.lineLimit))
    }

    private mutating func grow() {
        var larger = Array(repeating: Entry(), count: entries.count * 2)
        let mask = larger.count - 1
        for entry in entries where entry.state != 0 {
            var slot = Int(truncatingIfNeeded: entry.hash) & mask
            while larger[slot].state != 0 { slot = (slot &+ 1) & mask }
            larger[slot] = entry
        }
        entries = larger
    }
}
