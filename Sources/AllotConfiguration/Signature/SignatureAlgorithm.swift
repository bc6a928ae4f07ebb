/// How something is signed, by the names of JSON Web Signature (RFC 7518, section 3.1). `Sendable`.
public enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256, for RSA keys of 2048 bits and more.
    case rs256 = "RS256"
    /// ECDSA on the curve P-256 with SHA-256. Its signatures are the 64 bytes of two numbers, r and s.
    case es256 = "ES256"
}
