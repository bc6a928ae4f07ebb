/// Tells whether a pinned key signed something.
public protocol SignatureVerifier: Sendable {
    /// Returns if the signature is that of a pinned key for exactly these bytes.
    ///
    /// - Throws: ``SignatureError`` if no pinned key has the ID that the signature names, if the algorithm does not go
    ///   with the key, and if the signature is wrong.
    func verify(_ signature: DetachedSignature, payload: [UInt8]) throws(SignatureError)
}

extension SignatureVerifier {
    /// The payload of a token, if a pinned key signed it.
    public func verifiedPayload(_ token: SignedToken) throws(SignatureError) -> [UInt8] {
        try verify(token.signature, payload: token.payload)
        return token.payload
    }
}
