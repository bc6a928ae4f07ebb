/// The numbers of a public key of an accepted kind, without leading zeros except those of a point: RSA of 2048 to 16384
/// bits, or a point on P-256.
package enum PublicKeyNumbers: Sendable, Hashable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    case p256(x: [UInt8], y: [UInt8])

    private static let rsaBits = 2048...16384

    /// The DER of the algorithm of a point on P-256, by the curve's name (RFC 5480, section 2.1.1).
    private static let p256Algorithm: [UInt8] = [
        0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D,
        0x03, 0x01, 0x07,
    ]

    /// Checks the numbers of an RSA key, which messages call by a name.
    package init(modulus: [UInt8], exponent: [UInt8], name: String) throws(SignatureError) {
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard Self.rsaBits.contains(bits) else {
            throw .unusable(
                name,
                "the RSA key has \(bits) bits, but \(Self.rsaBits.lowerBound) to \(Self.rsaBits.upperBound) are "
                    + "accepted; generate another with allot keys generate")
        }
        // Longer exponents make verification slow, and libcrypto and Security refuse some of them.
        guard exponent.count <= 8, exponent.last.map({ $0 & 1 == 1 }) == true, exponent != [1] else {
            throw .unusable(
                name,
                "the exponent of the RSA key is not an odd number from 3 to 64 bits; generate another with "
                    + "allot keys generate")
        }
        self = .rsa(modulus: modulus, exponent: exponent)
    }

    /// Takes the point of a SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7) in DER, which has one form for all points
    /// on P-256. Returns `nil` for a key of another kind.
    package init?(p256 der: [UInt8], name: String) throws(SignatureError) {
        guard der.dropFirst(2).starts(with: Self.p256Algorithm) else { return nil }
        guard der.count == 91, der.starts(with: [0x30, 89]), der[23..<27].elementsEqual([0x03, 66, 0, 4]) else {
            throw .unusable(
                name,
                "the point of the key is compressed or damaged; convert it: "
                    + "openssl ec -pubin -pubout -conv_form uncompressed -in FILE")
        }
        self = .p256(x: Array(der[27..<59]), y: Array(der[59...]))
    }

    package var algorithm: SignatureAlgorithm {
        switch self {
        case .rsa: .rs256
        case .p256: .es256
        }
    }

    /// The bytes whose SHA-256 in base 64 is the key's ID (RFC 7638): its required members as a JSON Web Key, sorted.
    package var thumbprintInput: [UInt8] {
        let members: JSONValue =
            switch self {
            case .rsa(let modulus, let exponent):
                .init(members: ["e": Base64URL.encode(exponent), "kty": "RSA", "n": Base64URL.encode(modulus)])
            case .p256(let x, let y):
                .init(members: ["crv": "P-256", "kty": "EC", "x": Base64URL.encode(x), "y": Base64URL.encode(y)])
            }
        return members.canonicalBytes
    }
}
