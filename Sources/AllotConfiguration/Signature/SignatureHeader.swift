/// The protected header of a signature (RFC 7515, section 4): the algorithm, and the ID of the key. `Sendable`.
public struct SignatureHeader: Sendable, Hashable {
    /// How it is signed.
    public let algorithm: SignatureAlgorithm
    /// The ID of the key (`kid`), if there is one; Allot's keys have that of RFC 7638.
    public let keyID: String?
    /// The header as it is signed: JSON in base 64.
    let encoded: String

    /// The header of a signature to be made.
    public init(algorithm: SignatureAlgorithm, keyID: String?) {
        self.algorithm = algorithm
        self.keyID = keyID
        var members: JSONObject = ["alg": .string(algorithm.rawValue)]
        members["kid"] = keyID.map(JSONValue.string)
        encoded = Base64URL.encode(JSONValue.object(members).canonicalBytes)
    }

    /// Reads a header.
    ///
    /// Members that say nothing about how to verify are passed over, as RFC 7515 has it; keys that a header brings
    /// along (`jwk`, `jku`, `x5c`) are not looked at.
    init(encoded: Substring) throws(SignatureError) {
        guard let bytes = Base64URL.decode(encoded.utf8) else {
            throw SignatureError(
                .malformed, "the header is not base 64 for URLs without padding; copy the whole signature")
        }
        guard case .object(let members)? = try? JSONValue(parsing: bytes, depthLimit: 8) else {
            throw SignatureError(.malformed, "the header is not a JSON object; copy the whole signature")
        }
        guard case .string(let name)? = members["alg"] else {
            throw SignatureError(.malformed, "the header names no algorithm; sign with \"alg\" in the header")
        }
        let known = SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: " or ")
        guard let algorithm = SignatureAlgorithm(rawValue: name) else {
            throw SignatureError(
                .unsupportedAlgorithm, "the algorithm \(QuotedText(name)) is not taken; sign with \(known)")
        }
        for extra in ["crit", "b64"] where members[extra] != nil {
            throw SignatureError(
                .malformed, "the header has \"\(extra)\", an extension that is not taken; sign without it")
        }
        switch members["kid"] {
        case nil: keyID = nil
        case .string(let id)?: keyID = id
        default:
            throw SignatureError(.malformed, "the header's \"kid\" is not a text; sign with the key's ID in quotes")
        }
        self.algorithm = algorithm
        self.encoded = String(encoded)
    }

    /// The bytes that are signed: the header, a dot, and the payload in base 64 (RFC 7515, section 5.1).
    /// Complexity: O(*n*) in the length of the payload.
    public func signingInput(payload: [UInt8]) -> [UInt8] {
        Array(encoded.utf8) + [UInt8(ascii: ".")] + Base64URL.encoded(payload)
    }
}

/// How something is signed, by the names of JSON Web Signature (RFC 7518, section 3.1). `Sendable`.
public enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256, for RSA keys of 2048 bits and more.
    case rs256 = "RS256"
    /// ECDSA on the curve P-256 with SHA-256. Its signatures are the 64 bytes of two numbers, r and s.
    case es256 = "ES256"
}
