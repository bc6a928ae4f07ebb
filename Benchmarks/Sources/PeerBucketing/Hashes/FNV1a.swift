/// FNV-1a in 32 bits (Fowler, Noll and Vo, draft-eastlake-fnv): exclusive or with each unit of the message, then times
/// a prime.
///
/// One multiplication for each byte, and nothing at the end: what the last bytes of a message change reaches the other
/// bits a few positions at a time. GrowthBook's first hash version puts the salt there.
public struct FNV1a: Sendable {
    /// The hash of what was added so far.
    public private(set) var value: UInt32 = 0x811C_9DC5

    /// The hash of nothing.
    public init() {}

    /// Adds a byte, or a UTF-16 code unit as JavaScript's `charCodeAt` gives it.
    @inline(__always)
    public mutating func add(_ unit: UInt16) {
        value = (value ^ UInt32(unit)) &* 0x0100_0193
    }

    /// The hash of the UTF-16 code units of a text in UTF-8; bytes and units are the same where it is ASCII.
    public static func hash(utf8 message: Span<UInt8>) -> UInt32 {
        var hash = FNV1a()
        for index in message.indices {
            let byte = message[index]
            guard byte < 0x80 else { return hashOfCodeUnits(message) }
            hash.add(UInt16(byte))
        }
        return hash.value
    }

    @inline(never)
    private static func hashOfCodeUnits(_ message: Span<UInt8>) -> UInt32 {
        let text = message.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        var hash = FNV1a()
        for unit in text.utf16 { hash.add(unit) }
        return hash.value
    }
}
