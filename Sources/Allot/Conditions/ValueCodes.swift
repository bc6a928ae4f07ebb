/// A value in two words: a text of at most 15 bytes, a truth value, or one that is absent.
struct ShortValue: Sendable, Equatable {
    let low: UInt64
    let high: UInt64

    /// Whether a value of this kind can be packed.
    @inline(__always)
    static func isPossible(_ value: AttributeValue) -> Bool {
        value.isText || value.isAbsent || value.kind == .boolean
    }

    /// Packs a value. Returns `nil` if it is a longer text, a number, a list or an object.
    @inline(__always)
    init?(_ value: AttributeValue, _ bytes: Span<UInt8>) {
        guard Self.isPossible(value) else { return nil }
        guard value.isText else {
            low = UInt64(value.kind.rawValue) << 8 | UInt64(truncatingIfNeeded: value.length)
            high = 1 << 62
            return
        }
        guard value.length <= 15 else { return nil }
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

/// The short values that one attribute had, numbered from 1 as they came.
struct ValueCodes: Sendable {
    private struct Slot: Sendable {
        var low: UInt64 = 0
        var high: UInt64 = 0
        /// ``ValueCodes/unknown`` in an empty slot.
        var code = ValueCodes.unknown
    }

    /// At most half full, so that a search ends soon; empty before the first value.
    private var slots: [Slot] = []
    private var count: UInt8 = 0
    /// How often there was no code left.
    private var missCount = 0

    private static let slotCount = 512
    /// What stands for a value whose code was not looked up.
    static let unknown: UInt8 = 0
    /// The code of values that are not short, and of those that came when all codes were taken.
    static let none = UInt8.max
    /// After this many values without a code, the codes are given anew, to the values that come now.
    private static let mostMisses = 8192

    /// Whether it is time to give the codes anew.
    var areOutdated: Bool { missCount >= Self.mostMisses }

    /// The code of a value. Returns ``unknown`` if it has none. Expected complexity: O(1).
    @inline(__always)
    func code(of value: ShortValue) -> UInt8 {
        guard !slots.isEmpty else { return Self.unknown }
        let slots = slots.span
        var index = value.hash & (Self.slotCount &- 1)
        while slots[index].code != Self.unknown, slots[index].low != value.low || slots[index].high != value.high {
            index = (index &+ 1) & (Self.slotCount &- 1)
        }
        return slots[index].code
    }

    /// Gives a value that has no code the next one; ``none`` if there is none left.
    mutating func enter(_ value: ShortValue) -> UInt8 {
        if slots.isEmpty { slots = Array(repeating: Slot(), count: Self.slotCount) }
        guard count < Self.none - 1 else {
            missCount += 1
            return Self.none
        }
        var index = value.hash & (Self.slotCount - 1)
        while slots[index].code != Self.unknown { index = (index + 1) & (Self.slotCount - 1) }
        count += 1
        slots[index] = Slot(low: value.low, high: value.high, code: count)
        return count
    }
}
