/// Reads the part of strict DER (X.690, section 10) that keys and signatures use.
package struct DERReader {
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let objectIdentifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30

    private var rest: ArraySlice<UInt8>

    package init(_ bytes: some Sequence<UInt8>) {
        rest = Array(bytes)[...]
    }

    package var isAtEnd: Bool { rest.isEmpty }

    /// The content of the next element, if it has the tag and is complete.
    package mutating func read(_ tag: UInt8) -> ArraySlice<UInt8>? {
        var next = rest
        guard next.popFirst() == tag, let first = next.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            // Lengths are as short as possible; no key needs more than four bytes.
            let count = Int(first & 0x7F)
            guard (1...4).contains(count), next.count >= count, next.first != 0 else { return nil }
            length = next.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            next = next.dropFirst(count)
            guard length >= 0x80 else { return nil }
        }
        guard next.count >= length else { return nil }
        rest = next.dropFirst(length)
        return next.prefix(length)
    }

    /// The bytes of a non-negative number without leading zeros; none for zero.
    mutating func readUnsignedInteger() -> ArraySlice<UInt8>? {
        guard let content = read(Self.integer), let first = content.first, first < 0x80 else { return nil }
        guard first == 0 else { return content }
        let number = content.dropFirst()
        // A leading zero is only permitted for the sign.
        guard number.first.map({ $0 >= 0x80 }) ?? true else { return nil }
        return number
    }
}
