/// The protected header of a signature (RFC 7515, section 4): the algorithm, and the ID of the key. `Sendable`.
public struct SignatureHeader: Sendable, Hashable {
    /// The algorithm.
    public let algorithm: SignatureAlgorithm
    /// The ID of the key (`kid`), if there is one; Allot's keys have the thumbprint of RFC 7638.
    public let keyID: String?
    /// The header as it is signed: JSON in base 64.
    let encoded: String

    /// Creates the header of a new signature.
    public init(algorithm: SignatureAlgorithm, keyID: String?) {
        (self.algorithm, self.keyID) = (algorithm, keyID)
        var members: JSONObject = ["alg": .string(algorithm.rawValue)]
        members["kid"] = keyID.map(JSONValue.string)
        encoded = Base64URL.encode(JSONValue.object(members).canonicalBytes)
    }

    /// Reads a header. Members that do not affect verification are ignored, as RFC 7515 demands; keys in it (`jwk`,
    /// `jku`, `x5c`) are not used.
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
                .unsupportedAlgorithm, "the algorithm \(QuotedText(name)) is not accepted; sign with \(known)")
        }
        for extra in ["crit", "b64"] where members[extra] != nil {
            throw SignatureError(
                .malformed, "the header has \(QuotedText(extra)), an extension that is not accepted; sign without it")
        }
        switch members["kid"] {
        case nil: keyID = nil
        case .string(let id)?: keyID = id
        default:
            throw SignatureError(.malformed, "the header's \"kid\" is not a text; sign with the key's ID in quotes")
        }
        (self.algorithm, self.encoded) = (algorithm, String(encoded))
    }

    /// The bytes that are signed: the header, a dot, and the payload in base 64 (RFC 7515, section 5.1).
    /// Complexity: O(*n*) in the length of the payload.
    public func signingInput(payload: [UInt8]) -> [UInt8] {
        Array(encoded.utf8) + [UInt8(ascii: ".")] + Base64URL.encoded(payload)
    }
}

/// An algorithm of signatures, named as in JSON Web Signature (RFC 7518, section 3.1). `Sendable`.
public enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256, for RSA keys of at least 2048 bits.
    case rs256 = "RS256"
    /// ECDSA on the curve P-256 with SHA-256. Its signatures are the 64 bytes of two numbers, r and s.
    case es256 = "ES256"
}
