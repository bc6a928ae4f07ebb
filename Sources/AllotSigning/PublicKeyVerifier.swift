public import AllotConfiguration
package import AllotFiles

/// Verifies signatures with libcrypto, for servers and programs on Linux. `Sendable`.
///
/// Pin the keys that may sign: the current one, and the next one before it is used. A signature names the key by its
/// ID; only pinned keys are looked up, and the key determines the algorithm.
///
/// ```swift
/// import AllotConfiguration
///
/// func check(_ body: [UInt8], signature: String, key: String) throws {
///     try PublicKeyVerifier(pem: key).verify(DetachedSignature(signature), payload: body)
/// }
/// ```
public struct PublicKeyVerifier: SignatureVerifier {
    private let pinned: PinnedKeys<PublicKey>

    /// Pins keys, at least one. Two keys with one ID are an error.
    public init(_ keys: [PublicKey]) throws(SignatureError) {
        pinned = try PinnedKeys(keys.map { (id: $0.keyID, numbers: $0.numbers, key: $0) })
    }

    package init(contentsOf paths: [String]) throws(SignatureError) {
        var keys: [PublicKey] = []
        for path in paths { keys += try PublicKey.keys(pem: try SecretFile(keys: path).text, name: path) }
        try self.init(keys)
    }

    /// Pins the keys in texts, each with one or several `-----BEGIN PUBLIC KEY-----`, as ``PublicKey`` reads them.
    public init(pem texts: String...) throws(SignatureError) {
        var keys: [PublicKey] = []
        for text in texts { keys += try PublicKey.keys(pem: text) }
        try self.init(keys)
    }

    /// The pinned keys in the order of their IDs.
    package var keys: [PublicKey] { pinned.all }

    /// Returns if a pinned key has signed the payload.
    public func verify(_ signature: DetachedSignature, payload: [UInt8]) throws(SignatureError) {
        _ = try signer(of: signature, payload: payload)
    }

    /// The pinned key that has signed a payload.
    package func signer(of signature: DetachedSignature, payload: [UInt8]) throws(SignatureError) -> PublicKey {
        let (id, pinned) = try pinned.key(of: signature)
        let bytes =
            switch pinned.algorithm {
            case .rs256: signature.bytes
            case .es256: ECDSASignature.der(raw: signature.bytes)
            }
        guard let bytes, pinned.key.isSignature(bytes, of: signature.signingInput(payload: payload))
        else { throw .mismatch(key: id) }
        return pinned
    }
}

extension SecretFile {
    /// Reads a file of keys, which may be a pipe if it may wait.
    package init(keys path: String, mayWait: Bool = true) throws(SignatureError) {
        do throws(FileError) {
            try self.init(path: path, mayWait: mayWait)
        } catch {
            throw SignatureError(.unusableKey, error.description)
        }
    }
}
