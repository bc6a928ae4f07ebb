public import AllotConfiguration

/// A public key that verifies signatures. `Sendable`.
///
/// ```swift
/// let key = try PublicKey(pem: SigningKey.generate(.es256).publicKey.pem)
/// print(key.keyID, key.algorithm)
/// ```
public struct PublicKey: Sendable, Hashable, CustomStringConvertible {
    /// The key's ID: unless another was given, its thumbprint (RFC 7638) with SHA-256, in base 64 for URLs.
    public let keyID: String
    /// The key as PEM: `-----BEGIN PUBLIC KEY-----` and the rest (RFC 7468, section 13), with a line feed at the end.
    public let pem: String
    package let numbers: PublicKeyNumbers
    let key: KeyHandle

    /// Reads one `-----BEGIN PUBLIC KEY-----`, with RSA of at least 2048 bits or a point on P-256.
    ///
    /// - Parameter keyID: the ID by which signatures name the key, if other programs sign with it.
    public init(pem: String, keyID: String? = nil) throws(SignatureError) {
        let keys = try PEMBlock.publicKeys(in: pem, name: Self.name)
        guard keys.count == 1
        else { throw SignatureError(.unusableKey, "there are \(keys.count) public keys; pass one at a time") }
        try self.init(der: keys[0], keyID: keyID, name: Self.name)
    }

    /// Reads all keys of a text, at least one. Messages call the text by a name, such as its file's.
    package static func keys(pem: String, name: String = Self.name) throws(SignatureError) -> [PublicKey] {
        try PEMBlock.publicKeys(in: pem, name: name).map { der throws(SignatureError) in
            try PublicKey(der: der, name: name)
        }
    }

    /// The name of an unnamed key in messages.
    package static let name = "the public key"

    init(der: [UInt8], keyID: String? = nil, name: String) throws(SignatureError) {
        guard let key = KeyHandle(publicKey: der), let pem = key.publicKeyPEM
        else { throw .unusable(name, "this is damaged or not a public key; copy the whole file") }
        let numbers = try key.numbers(name: name)
        guard let digest = KeyHandle.digest(of: numbers.thumbprintInput)
        else { throw SignatureError(.failed, "libcrypto does not provide SHA-256; check its configuration") }
        self.keyID = keyID ?? Base64URL.encode(digest)
        (self.pem, self.numbers, self.key) = (pem, numbers, key)
    }

    /// Whether two keys have the same ID and the same numbers.
    public static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.keyID == right.keyID && left.numbers == right.numbers
    }

    /// Hashes the ID and the numbers.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(keyID)
        hasher.combine(numbers)
    }

    /// How the key signs.
    public var algorithm: SignatureAlgorithm { numbers.algorithm }
    /// Such as `ES256 key cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s`.
    public var description: String { "\(algorithm.rawValue) key \(keyID)" }
}
