/// A payload and its signature in one text that fits a URL, a QR code or a launch argument: a JSON Web Signature in
/// compact form (RFC 7515, section 7.1), `HEADER.PAYLOAD.SIGNATURE`. `Sendable`.
///
/// Use the payload only after verifying the token: ``SignatureVerifier/verifiedPayload(_:)``.
///
/// ```swift
/// func payload(of text: String, _ verifier: some SignatureVerifier) throws -> DevicePayload {
///     try DevicePayload(verifying: SignedToken(text), by: verifier)
/// }
/// ```
public struct SignedToken: Sendable, Hashable, CustomStringConvertible {
    /// The signed content.
    public let payload: [UInt8]
    /// The signature of the payload.
    public let signature: DetachedSignature

    /// Creates a token from a payload and its signature.
    public init(payload: [UInt8], signature: DetachedSignature) {
        (self.payload, self.signature) = (payload, signature)
    }

    /// Reads `HEADER.PAYLOAD.SIGNATURE`.
    ///
    /// - Throws: ``SignatureError`` for any other form, for an algorithm that is not accepted, including `none`, and
    ///   for critical extensions.
    public init(_ text: String) throws(SignatureError) {
        let parts = try JoinedParts(text, of: "token", form: "HEADER.PAYLOAD.SIGNATURE")
        guard !parts.payload.isEmpty, let payload = Base64URL.decode(parts.payload.utf8) else {
            throw SignatureError(
                .malformed, "the payload is not base 64 for URLs without padding; copy the whole token")
        }
        self.payload = payload
        signature = try DetachedSignature(parts)
    }

    /// `HEADER.PAYLOAD.SIGNATURE`.
    public var text: String {
        "\(signature.header.encoded).\(Base64URL.encode(payload)).\(Base64URL.encode(signature.bytes))"
    }

    /// ``text``.
    public var description: String { text }
}
