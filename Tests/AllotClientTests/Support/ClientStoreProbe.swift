/// The program that writes records in a process of its own.
enum ClientStoreProbe {
    /// The record that the probe writes under a number; `nil` for bytes that are not one.
    static func number(of bytes: [UInt8]) -> Int? {
        guard bytes.count > 8 else { return nil }
        let number = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count == 9 + (number &* 7919) % 300_000 else { return nil }
        for (index, byte) in bytes.dropFirst(8).enumerated()
        where byte != UInt8(truncatingIfNeeded: number &+ index) { return nil }
        return number
    }
}
