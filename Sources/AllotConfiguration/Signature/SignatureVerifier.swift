/// Checks whether a pinned key has signed something.
public protocol SignatureVerifier: Sendable {
    /// Returns if the signature is a pinned key's signature of exactly these bytes.
    ///
    /// - Throws: ``SignatureError`` if no pinned key has the ID that the signature names, if the algorithm is not the
    ///   key's, or if the signature is wrong.
    func verify(_ signature: DetachedSignature, payload: [UInt8]) throws(SignatureError)
}

extension SignatureVerifier {
    /// The payload of a token that a pinned key has signed.
    ///
    /// - Throws: ``SignatureError``, as ``verify(_:payload:)`` does.
    public func verifiedPayload(_ token: SignedToken) throws(SignatureError) -> [UInt8] {
        try verify(token.signature, payload: token.payload)
        return token.payload
    }
}

/// The keys that a verifier trusts. A signature names one of them by its ID; no other keys are looked up, and the key
/// determines the algorithm.
package struct PinnedKeys<Key: Sendable>: Sendable {
    private var keys: [UTF8Key: (numbers: PublicKeyNumbers, key: Key)] = [:]

    /// Pins keys, each in the form that a library takes: at least one, and no two with one ID.
    package init(_ keys: [(id: String, numbers: PublicKeyNumbers, key: Key)]) throws(SignatureError) {
        for (id, numbers, key) in keys {
            let other = self.keys.updateValue((numbers, key), forKey: UTF8Key(id))
            guard other == nil || other?.numbers == numbers else {
                throw SignatureError(.unusableKey, "two keys have the ID \(QuotedText(id)); give each an ID of its own")
            }
        }
        guard !keys.isEmpty else { throw SignatureError(.unusableKey, "no key is pinned; pin at least one") }
    }

    package var all: [Key] { keys.sorted { $0.key < $1.key }.map(\.value.key) }

    /// The key that a signature names, or the only key if it names none; either must sign with the named algorithm.
    package func key(of signature: DetachedSignature) throws(SignatureError) -> (id: String, key: Key) {
        guard let named = signature.header.keyID.map(UTF8Key.init) ?? (keys.count == 1 ? keys.keys.first : nil) else {
            throw SignatureError(
                .unknownKey,
                "the signature names no key, and several are pinned; sign with a \"kid\" in the header, or pin one key")
        }
        guard let pinned = keys[named] else {
            throw SignatureError(
                .unknownKey,
                "no pinned key has the ID \(QuotedText(named.text)), which the signature names; the pinned keys are "
                    + "\(keys.keys.sorted().map(\.text).joined(separator: ", ")): pin the new key, or do not trust this"
            )
        }
        let algorithm = pinned.numbers.algorithm
        guard algorithm == signature.header.algorithm else {
            throw SignatureError(
                .algorithmMismatch,
                "the signature names \(signature.header.algorithm.rawValue), but the key \(named.text) signs with "
                    + "\(algorithm.rawValue); do not trust this")
        }
        return (named.text, pinned.key)
    }
}
