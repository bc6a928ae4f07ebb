/// A public key as in certificates, a SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7), of an accepted kind: RSA of
/// 2048 to 16384 bits, or a point on P-256.
package struct PublicKeyInfo: Sendable, Hashable {
    /// The numbers of a key, without leading zeros except those of a point.
    package enum Numbers: Sendable, Hashable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case p256(x: [UInt8], y: [UInt8])
    }

    /// The whole SubjectPublicKeyInfo.
    package let der: [UInt8]
    /// The key alone: PKCS #1's RSAPublicKey, or the point in the form of X9.63.
    package let keyBytes: [UInt8]
    package let numbers: Numbers

    private static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    private static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    private static let prime256v1: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

    /// The accepted sizes of RSA keys.
    private static let rsaBits = 2048...16384

    /// - Parameter name: what to call the key in messages.
    package init(der: [UInt8], name: String) throws(SignatureError) {
        guard let (algorithm, parameters, key) = Self.parts(der) else {
            throw .unusable(name, "this is not a public key; copy the whole file")
        }
        switch Array(algorithm) {
        case Self.rsaEncryption: numbers = try Self.rsa(key, name)
        case Self.ecPublicKey: numbers = try Self.point(key, parameters, name)
        default: throw Self.otherKind(name)
        }
        self.der = der
        keyBytes = Array(key)
    }

    /// The public keys of a text; at least one.
    ///
    /// - Parameter name: what to call the text in messages.
    package static func keys(pem: String, name: String) throws(SignatureError) -> [PublicKeyInfo] {
        var keys: [PublicKeyInfo] = []
        for block in try PEMBlock.blocks(in: pem, name: name) {
            guard block.label == "PUBLIC KEY" else { throw otherBlock(block.label, name) }
            keys.append(try PublicKeyInfo(der: block.bytes, name: name))
        }
        guard !keys.isEmpty else {
            let problem =
                PEMBlock.mayBeDER(pem)
                ? "expected PEM, but this looks like DER; convert it: "
                    + "openssl pkey -pubin -inform DER -in FILE -out FILE"
                : "there is no public key; it begins with -----BEGIN PUBLIC KEY-----"
            throw .unusable(name, problem)
        }
        return keys
    }

    private static func otherBlock(_ label: String, _ name: String) -> SignatureError {
        let fix =
            switch label {
            case "CERTIFICATE": "extract its key: openssl x509 -pubkey -noout -in FILE"
            case "RSA PUBLIC KEY": "convert it: openssl rsa -RSAPublicKey_in -pubout -in FILE"
            case _ where label.hasSuffix("PRIVATE KEY"):
                "keep it secret and use its public half: openssl pkey -pubout -in FILE"
            default: "it begins with -----BEGIN PUBLIC KEY-----"
            }
        return .unusable(name, "this is \(QuotedText(label)), not a public key; \(fix)")
    }

    /// The algorithm's identifier, its parameters, and the key.
    private static func parts(
        _ der: [UInt8]
    ) -> (algorithm: ArraySlice<UInt8>, parameters: DERReader, key: ArraySlice<UInt8>)? {
        var outer = DERReader(der)
        guard let content = outer.read(DERReader.sequence), outer.isAtEnd else { return nil }
        var inner = DERReader(content)
        guard let identifier = inner.read(DERReader.sequence), let bits = inner.read(DERReader.bitString),
            inner.isAtEnd, bits.first == 0
        else { return nil }
        var parameters = DERReader(identifier)
        guard let algorithm = parameters.read(DERReader.objectIdentifier) else { return nil }
        return (algorithm, parameters, bits.dropFirst())
    }

    private static func rsa(_ key: ArraySlice<UInt8>, _ name: String) throws(SignatureError) -> Numbers {
        var outer = DERReader(key)
        let content = outer.read(DERReader.sequence) ?? []
        var inner = DERReader(content)
        guard outer.isAtEnd, let modulus = inner.readUnsignedInteger(), let exponent = inner.readUnsignedInteger(),
            inner.isAtEnd, let first = modulus.first, !exponent.isEmpty
        else { throw .unusable(name, "the RSA key is damaged; copy the whole file") }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard rsaBits.contains(bits) else {
            throw .unusable(
                name,
                "the RSA key has \(bits) bits, but \(rsaBits.lowerBound) to \(rsaBits.upperBound) are "
                    + "accepted; generate another with allot keys generate")
        }
        // Longer exponents make verification slow, and libcrypto and Security refuse some of them.
        guard exponent.count <= 8, exponent.last.map({ $0 & 1 == 1 }) == true, Array(exponent) != [1] else {
            throw .unusable(
                name,
                "the exponent of the RSA key is not an odd number from 3 to 64 bits; generate another with "
                    + "allot keys generate")
        }
        return .rsa(modulus: Array(modulus), exponent: Array(exponent))
    }

    private static func point(
        _ key: ArraySlice<UInt8>, _ parameters: DERReader, _ name: String
    ) throws(SignatureError) -> Numbers {
        var parameters = parameters
        guard let curve = parameters.read(DERReader.objectIdentifier), Array(curve) == prime256v1, parameters.isAtEnd
        else { throw otherKind(name) }
        guard key.count == 65, key.first == 4 else {
            throw .unusable(
                name,
                "the point of the key is compressed or damaged; convert it: "
                    + "openssl ec -pubin -pubout -conv_form uncompressed -in FILE")
        }
        return .p256(x: Array(key.dropFirst().prefix(32)), y: Array(key.suffix(32)))
    }

    private static func otherKind(_ name: String) -> SignatureError {
        .unusable(name, "the key is neither RSA nor on the curve P-256; generate one with allot keys generate")
    }

    /// The algorithm of the key.
    package var algorithm: SignatureAlgorithm {
        switch numbers {
        case .rsa: .rs256
        case .p256: .es256
        }
    }

    /// The bytes whose SHA-256 in base 64 is the key's ID (RFC 7638): its required members as a JSON Web Key, sorted.
    package var thumbprintInput: [UInt8] {
        let members: JSONObject =
            switch numbers {
            case .rsa(let modulus, let exponent):
                [
                    "e": .string(Base64URL.encode(exponent)), "kty": "RSA", "n": .string(Base64URL.encode(modulus)),
                ]
            case .p256(let x, let y):
                [
                    "crv": "P-256", "kty": "EC", "x": .string(Base64URL.encode(x)), "y": .string(Base64URL.encode(y)),
                ]
            }
        return JSONValue.object(members).canonicalBytes
    }
}
