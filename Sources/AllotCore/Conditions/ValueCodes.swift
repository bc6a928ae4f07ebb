/// A value in two words: a text of at most 15 bytes, a truth value, or one that is absent.
struct ShortValue: Sendable, Equatable {
    let low: UInt64
    let high: UInt64

    @inline(__always) static func isPossible(_ value: AttributeValue) -> Bool {
        value.isText || value.isAbsent || value.kind == .boolean
    }

    /// Packs a value. Returns `nil` if it is a longer text, a number, a list or an object.
    @inline(__always) init?(_ value: AttributeValue, _ bytes: Span<UInt8>) {
        guard value.isText, value.start &+ 16 <= bytes.count else {
            guard let packed = Self.packedSlowly(value, bytes) else { return nil }
            self = packed
            return
        }
        guard value.length <= 15 else { return nil }
        var (low, high) = bytes.withUnsafeBytes { bytes in
            (
                bytes.loadUnaligned(fromByteOffset: value.start, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: value.start &+ 8, as: UInt64.self)
            )
        }
        let bits = UInt64(truncatingIfNeeded: value.length &* 8)
        if bits < 64 { (low, high) = (low & ((1 &<< bits) &- 1), 0) } else { high &= (1 &<< (bits &- 64)) &- 1 }
        self.init(text: low, high, value)
    }

    @inline(__always) private init(text low: UInt64, _ high: UInt64, _ value: AttributeValue) {
        self.low = low
        self.high = high | UInt64(truncatingIfNeeded: value.length) << 56 | (value.kind == .text ? 1 << 63 : 0)
    }

    private init(other value: AttributeValue) {
        low = UInt64(value.kind.rawValue) << 8 | UInt64(truncatingIfNeeded: value.length)
        high = 1 << 62
    }

    /// Packs a value that is not a text, or is one with fewer than 16 bytes from its start to the end of `bytes`.
    @inline(never) private static func packedSlowly(_ value: AttributeValue, _ bytes: Span<UInt8>) -> ShortValue? {
        guard isPossible(value) else { return nil }
        guard value.isText else { return ShortValue(other: value) }
        guard value.length <= 15 else { return nil }
        var (low, high): (UInt64, UInt64) = (0, 0)
        for index in 0..<value.length {
            let byte = UInt64(bytes[value.start + index])
            if index < 8 { low |= byte << UInt64(index * 8) } else { high |= byte << UInt64((index - 8) * 8) }
        }
        return ShortValue(text: low, high, value)
    }

    @inline(__always) var hash: Int { Int(truncatingIfNeeded: ByteHash.hash(low, high)) }
}

/// The short values that one attribute had, numbered from 1 as they came.
struct ValueCodes: Sendable {
    struct Slot: Sendable {
        fileprivate var low: UInt64 = 0
        fileprivate var high: UInt64 = 0
        /// ``ValueCodes/unknown`` in an empty slot.
        fileprivate var code = ValueCodes.unknown

        @inline(__always) fileprivate func isOfAnother(than value: ShortValue) -> Bool {
            code != ValueCodes.unknown && (low != value.low || high != value.high)
        }
    }

    /// At most half full, so that a search ends soon; empty before the first value.
    private(set) var slots: [Slot] = []
    private var count: UInt8 = 0
    /// How often there was no code left.
    private var missCount = 0
    private static let slotCount = 512
    /// The code of values that were not looked up.
    static let unknown: UInt8 = 0
    /// The code of values that are not short, and of those that came when all codes were taken.
    static let none = UInt8.max
    /// After this many values without a code, the codes are given anew, to the values that come now.
    private static let mostMisses = 8192

    var areOutdated: Bool { missCount >= Self.mostMisses }

    @inline(__always) func code(of value: ShortValue) -> UInt8 {
        slots.isEmpty ? Self.unknown : Self.code(of: value, in: slots.span)
    }

    @inline(__always) static func code(of value: ShortValue, in slots: Span<Slot>) -> UInt8 {
        // So every index, which is one below it, is valid.
        precondition(slots.count == slotCount)
        var index = value.hash & (slotCount &- 1)
        while slots[unchecked: index].isOfAnother(than: value) { index = (index &+ 1) & (slotCount &- 1) }
        return slots[unchecked: index].code
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
