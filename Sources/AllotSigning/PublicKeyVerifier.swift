public import AllotConfiguration

/// Verifies signatures with libcrypto, for servers and programs on Linux. `Sendable`.
///
/// Pin the keys that may sign: the one in use, and the next one before it comes into use. A signature names the key by
/// its ID; what it names is looked up among the pinned keys and nowhere else, and the algorithm is the key's.
public struct PublicKeyVerifier: SignatureVerifier {
    private struct Pinned: Sendable {
        let key: PublicKey
        let pool: KeyPool
    }

    private let pinned: [UTF8Key: Pinned]

    /// Pins keys, at least one.
    ///
    /// - Throws: `SignatureError` for no key, and for two keys with one ID.
    public init(_ keys: [PublicKey]) throws(SignatureError) {
        var pinned: [UTF8Key: Pinned] = [:]
        for key in keys {
            let der = key.information.der
            let pool = KeyPool { KeyHandle(publicKey: der) }
            guard pool.withKey({ _ in true }) == true else {
                throw SignatureError(.unusableKey, "the \(key) is damaged; copy its whole file")
            }
            let other = pinned.updateValue(Pinned(key: key, pool: pool), forKey: UTF8Key(key.keyID))
            guard other == nil || other?.key.information.numbers == key.information.numbers else {
                throw SignatureError(
                    .unusableKey, "two keys have the ID \(QuotedText(key.keyID)); give each an ID of its own")
            }
        }
        guard !pinned.isEmpty else { throw SignatureError(.unusableKey, "no key is pinned; pin one at least") }
        self.pinned = pinned
    }

    /// Pins the keys of PEM files.
    ///
    /// - Throws: `SignatureError` for a file that cannot be read or is not a PEM file of public keys.
    public init(contentsOf paths: [String]) throws(SignatureError) {
        var keys: [PublicKey] = []
        for path in paths { keys += try PublicKey.keys(pem: try KeyFile(path: path).text, name: path) }
        try self.init(keys)
    }

    /// Pins the keys of texts, each with one or several `-----BEGIN PUBLIC KEY-----`.
    ///
    /// - Throws: `SignatureError` for anything else than RSA keys of at least 2048 bits and points on P-256.
    public init(pem texts: String...) throws(SignatureError) {
        var keys: [PublicKey] = []
        for text in texts { keys += try PublicKey.keys(pem: text) }
        try self.init(keys)
    }

    /// The pinned keys, in the order of their IDs.
    public var keys: [PublicKey] {
        pinned.sorted { $0.key < $1.key }.map(\.value.key)
    }

    public func verify(_ signature: DetachedSignature, payload: [UInt8]) throws(SignatureError) {
        _ = try signer(of: signature, payload: payload)
    }

    /// The pinned key that made a signature.
    ///
    /// - Throws: as ``verify(_:payload:)``.
    public func signer(of signature: DetachedSignature, payload: [UInt8]) throws(SignatureError) -> PublicKey {
        let pinned = try find(signature)
        let key = pinned.key
        guard key.algorithm == signature.algorithm else {
            throw .algorithmMismatch(signature.algorithm, key: key.keyID, takes: key.algorithm)
        }
        let bytes =
            switch key.algorithm {
            case .rs256: signature.bytes
            case .es256: ECDSASignature.der(raw: signature.bytes)
            }
        let message = signature.signingInput(payload: payload)
        guard let bytes, pinned.pool.withKey({ $0.isSignature(bytes, of: message) }) == true else {
            throw .mismatch(key: key.keyID)
        }
        return key
    }

    private func find(_ signature: DetachedSignature) throws(SignatureError) -> Pinned {
        guard let id = signature.keyID else {
            guard pinned.count == 1, let only = pinned.values.first else { throw .missingKeyID }
            return only
        }
        guard let found = pinned[UTF8Key(id)] else {
            throw .unknownKey(id, pinned: pinned.keys.sorted().map(\.text))
        }
        return found
    }
}
