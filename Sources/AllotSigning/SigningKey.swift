public import AllotConfiguration
internal import AllotFiles

/// A private key that signs configurations and payloads. `Sendable`; it is parsed once, and threads do not wait for
/// each other.
///
/// ```swift
/// import AllotConfiguration
///
/// let key = try SigningKey.generate(.es256)
/// let signature = try key.sign(Array("{}".utf8))
/// try PublicKeyVerifier([key.publicKey]).verify(signature, payload: Array("{}".utf8))
/// ```
public struct SigningKey: Sendable {
    /// The public half, which clients pin.
    public let publicKey: PublicKey
    /// The key itself in PKCS #8, without passphrase: `-----BEGIN PRIVATE KEY-----` and the rest. Keep it secret.
    public let privateKeyPEM: String
    private let header: SignatureHeader
    private let key: KeyHandle

    /// Reads a private key: PKCS #8 (`-----BEGIN PRIVATE KEY-----`), or the older forms of RSA and EC keys.
    ///
    /// - Parameter name: the key's name in messages, such as its file's.
    /// - Throws: `SignatureError` for anything other than RSA of at least 2048 bits or P-256, without a passphrase.
    public init(pem: String, name: String = "the signing key") throws(SignatureError) {
        try self.init(KeyHandle(privateKey: try Self.privateKey(pem, name)), name: name)
    }

    /// Reads the private key of a file.
    public init(contentsOf path: String) throws(SignatureError) {
        try self.init(pem: try SecretFile(keys: path).text, name: path)
    }

    /// Generates a key, with RSA one of 2048 bits.
    ///
    /// - Complexity: about a tenth of a second with RSA, which searches for prime numbers.
    public static func generate(_ algorithm: SignatureAlgorithm) throws(SignatureError) -> SigningKey {
        guard let made = KeyHandle.generated(algorithm) else {
            throw SignatureError(
                .failed, "libcrypto cannot generate a key for \(algorithm.rawValue); check its configuration")
        }
        return try SigningKey(made, name: "the new key")
    }

    private init(_ key: KeyHandle?, name: String) throws(SignatureError) {
        guard let key, let publicDER = key.publicKeyBytes, let pem = key.privateKeyPEM else {
            throw .unusable(
                name, "this is not a private key that libcrypto can read; generate one with allot keys generate")
        }
        publicKey = try PublicKey(der: publicDER, name: name)
        privateKeyPEM = pem
        header = SignatureHeader(algorithm: publicKey.algorithm, keyID: publicKey.keyID)
        self.key = key
        // A key whose halves do not match must not be used.
        let check = Array("allot".utf8)
        do {
            try PublicKeyVerifier([publicKey]).verify(try sign(check), payload: check)
        } catch {
            throw SignatureError.unusable(name, "the key is damaged; restore it, or generate another")
        }
    }

    package var algorithm: SignatureAlgorithm { publicKey.algorithm }
    /// The ID of the key: its thumbprint (RFC 7638) with SHA-256, in base 64 for URLs.
    package var keyID: String { publicKey.keyID }
    package var publicKeyPEM: String { publicKey.pem }

    /// Signs bytes that are sent separately from the signature.
    ///
    /// - Complexity: O(*n*), at least half a millisecond with RSA, a few hundredths with P-256.
    public func sign(_ payload: [UInt8]) throws(SignatureError) -> DetachedSignature {
        DetachedSignature(header: header, bytes: try signature(of: header.signingInput(payload: payload)))
    }

    /// Signs bytes and combines them with the signature in one text.
    public func token(_ payload: [UInt8]) throws(SignatureError) -> SignedToken {
        SignedToken(payload: payload, signature: try sign(payload))
    }

    /// The signature of a message, in the form of JSON Web Signature.
    package func signature(of message: [UInt8]) throws(SignatureError) -> [UInt8] {
        var signature = key.signature(of: message)
        if algorithm == .es256 { signature = signature.flatMap { ECDSASignature.raw(der: $0) } }
        guard let signature
        else { throw SignatureError(.failed, "libcrypto cannot sign with the key \(keyID); check its configuration") }
        return signature
    }

    /// The DER of the one private key of a text.
    private static func privateKey(_ pem: String, _ name: String) throws(SignatureError) -> [UInt8] {
        // `openssl ecparam` writes the parameters of the curve before the key.
        let blocks = try PEMBlock.blocks(in: pem, name: name).filter { $0.label != "EC PARAMETERS" }
        guard let block = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
            if PEMBlock.mayBeDER(pem) {
                throw .unusable(
                    name,
                    "expected PEM, but this looks like DER; convert it: openssl pkey -inform DER -in FILE -out FILE")
            }
            if blocks.contains(where: { $0.label == "PUBLIC KEY" }) {
                throw .unusable(
                    name,
                    "this is \"PUBLIC KEY\", which verifies but does not sign; name the file of its private key "
                        + "(openssl pkey -pubout -in FILE prints the public half)")
            }
            let found = blocks.first.map { " but \(QuotedText($0.label))" } ?? ""
            throw .unusable(name, "there is no private key in PEM\(found); generate one with allot keys generate")
        }
        guard blocks.count == 1 else { throw .unusable(name, "there are \(blocks.count) keys; keep one to a file") }
        guard !block.isEncrypted else {
            throw .unusable(
                name,
                "the key needs a passphrase; write it without one (openssl pkey -in FILE -out FILE) and protect the "
                    + "file")
        }
        return block.bytes
    }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
    /// The kind and the ID, without the key itself, such as `ES256 key cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s`.
    public var description: String { publicKey.description }
    /// An empty mirror: a key must not get into logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
