/// The two forms of an ECDSA signature on P-256: r followed by s, as in JSON Web Signature (RFC 7518, section 3.4), and
/// DER (RFC 3279, section 2.2.3), as in libraries.
package enum ECDSASignature {
    /// The bytes of r and s together.
    package static let length = 64
    private static let half = 32

    /// DER of r and s. Returns `nil` unless there are 64 bytes.
    package static func der(raw: [UInt8]) -> [UInt8]? {
        guard raw.count == length else { return nil }
        let content = integer(raw[..<half]) + integer(raw[half...])
        // At most 2 × 35 bytes, so that the length is one byte.
        return [DERReader.sequence, UInt8(content.count)] + content
    }

    /// r and s of DER. Returns `nil` if it is not strict DER of two numbers from 0 to 2^256 - 1.
    package static func raw(der: [UInt8]) -> [UInt8]? {
        var reader = DERReader(der)
        guard let content = reader.read(DERReader.sequence), reader.isAtEnd else { return nil }
        var numbers = DERReader(content)
        guard let first = numbers.readUnsignedInteger(), let second = numbers.readUnsignedInteger(), numbers.isAtEnd,
            first.count <= half, second.count <= half
        else { return nil }
        return padded(first) + padded(second)
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let significant = bytes.drop { $0 == 0 }
        let needsSign = significant.first.map { $0 >= 0x80 } ?? true
        let content = (needsSign ? [0] : []) + significant
        return [DERReader.integer, UInt8(content.count)] + content
    }

    private static func padded(_ number: ArraySlice<UInt8>) -> [UInt8] {
        [UInt8](repeating: 0, count: half - number.count) + number
    }
}
