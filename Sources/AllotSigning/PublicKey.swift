public import AllotConfiguration

/// A public key that signatures are verified with. `Sendable`.
///
/// ```swift
/// let key = try PublicKey(pem: SigningKey.generate(.es256).publicKey.pem)
/// print(key.keyID, key.algorithm)
/// ```
public struct PublicKey: Sendable, Hashable, CustomStringConvertible {
    /// The key's ID: unless another was given, its thumbprint (RFC 7638) with SHA-256, in base 64 for URLs.
    public let keyID: String
    let information: PublicKeyInfo

    /// Reads `-----BEGIN PUBLIC KEY-----`, with RSA of at least 2048 bits or a point on P-256.
    ///
    /// - Parameters:
    ///   - pem: the text of one key.
    ///   - keyID: the ID by which signatures name the key, if other programs sign with it.
    /// - Throws: `SignatureError` for anything else.
    public init(pem: String, keyID: String? = nil) throws(SignatureError) {
        let keys = try PublicKeyInfo.keys(pem: pem, name: Self.name)
        guard keys.count == 1 else {
            throw SignatureError(.unusableKey, "there are \(keys.count) public keys; pass one at a time")
        }
        try self.init(keys[0], keyID: keyID)
    }

    /// Reads all keys of a text, at least one.
    ///
    /// - Parameter name: what to call the text in messages, such as its file's name.
    /// - Parameter pem: The text of the keys, PEM.
    package static func keys(pem: String, name: String = Self.name) throws(SignatureError) -> [PublicKey] {
        try PublicKeyInfo.keys(pem: pem, name: name).map { key throws(SignatureError) in try PublicKey(key, keyID: nil)
        }
    }

    /// What messages call a key without a name.
    package static let name = "the public key"

    init(_ information: PublicKeyInfo, keyID: String?) throws(SignatureError) {
        guard let digest = KeyHandle.digest(of: information.thumbprintInput) else {
            throw SignatureError(.failed, "libcrypto does not provide SHA-256; check its configuration")
        }
        self.keyID = keyID ?? Base64URL.encode(digest)
        self.information = information
    }

    /// How the key signs.
    public var algorithm: SignatureAlgorithm { information.algorithm }

    /// The key as PEM: `-----BEGIN PUBLIC KEY-----` and the rest (RFC 7468, section 13), with a line feed at the end.
    public var pem: String { PEMBlock.text(label: "PUBLIC KEY", information.der) }

    /// Such as `ES256 key cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s`.
    public var description: String { "\(algorithm.rawValue) key \(keyID)" }
}
