/// A signature that is sent separately from what it signs: a JSON Web Signature with detached content (RFC 7515,
/// appendix F), `HEADER..SIGNATURE`. `Sendable`.
///
/// Do not trust anything in it before a ``SignatureVerifier`` has accepted it.
///
/// ```swift
/// func check(_ header: String, _ body: [UInt8], _ verifier: some SignatureVerifier) throws {
///     try verifier.verify(DetachedSignature(header), payload: body)
/// }
/// ```
public struct DetachedSignature: Sendable, Hashable, CustomStringConvertible {
    /// The algorithm, and the ID of the key.
    public let header: SignatureHeader
    /// The signature itself; for ES256 the 64 bytes of r and s, not DER.
    public let bytes: [UInt8]

    /// The name of the HTTP header that carries the signature of a configuration.
    public static let headerName = "x-jws-signature"

    /// Creates a signature from one of ``SignatureHeader/signingInput(payload:)``.
    public init(header: SignatureHeader, bytes: [UInt8]) { (self.header, self.bytes) = (header, bytes) }

    /// Reads `HEADER..SIGNATURE`.
    ///
    /// - Throws: ``SignatureError`` for any other form, for an algorithm that is not accepted, including `none`, and
    ///   for critical extensions.
    public init(_ text: String) throws(SignatureError) {
        let parts = try JoinedParts(text, of: "detached signature", form: "HEADER..SIGNATURE")
        guard parts.payload.isEmpty else {
            throw SignatureError(
                .malformed, "this is a token with a payload, not a detached signature (HEADER..SIGNATURE)")
        }
        try self.init(parts)
    }

    init(_ parts: JoinedParts) throws(SignatureError) {
        header = try SignatureHeader(encoded: parts.header)
        guard let bytes = Base64URL.decode(parts.signature.utf8), !bytes.isEmpty else {
            throw SignatureError(
                .malformed, "the signature is not base 64 for URLs without padding; copy the whole signature")
        }
        guard header.algorithm != .es256 || bytes.count == 64 else {
            throw SignatureError(
                .malformed,
                "the signature has \(bytes.count) bytes, but ES256 has 64, r and s; copy the whole signature, and "
                    + "convert it if it is DER")
        }
        self.bytes = bytes
    }

    /// `HEADER..SIGNATURE`.
    public var text: String { "\(header.encoded)..\(Base64URL.encode(bytes))" }
    /// ``text``.
    public var description: String { text }
    /// The bytes that are signed for a payload.
    public func signingInput(payload: [UInt8]) -> [UInt8] { header.signingInput(payload: payload) }
}

/// The three parts of a compact serialisation, still in base 64.
struct JoinedParts {
    let header: Substring
    let payload: Substring
    let signature: Substring

    init(_ text: String, of kind: String, form: String) throws(SignatureError) {
        // By bytes, since splitting by characters takes much longer and texts may be large.
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw SignatureError(
                .malformed, "a \(kind) has three parts, \(form), but this has \(parts.count); copy the whole text")
        }
        (header, payload, signature) = (Substring(parts[0]), Substring(parts[1]), Substring(parts[2]))
    }
}
