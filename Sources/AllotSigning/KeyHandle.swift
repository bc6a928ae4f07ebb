internal import CLibCrypto

/// A key of libcrypto, which is freed with its owner. Only this file of the module uses libcrypto.
struct KeyHandle: ~Copyable {
    private let key: OpaquePointer

    private init?(_ key: OpaquePointer?) {
        guard let key else {
            // Otherwise a later call would find this error.
            ERR_clear_error()
            return nil
        }
        self.key = key
    }

    deinit {
        EVP_PKEY_free(key)
    }

    /// Reads a private key in DER: PKCS #8, PKCS #1 or SEC 1. Returns `nil` for anything else.
    init?(privateKey der: [UInt8]) {
        self.init(
            Self.parsed(der) { start, length in d2i_AutoPrivateKey(nil, start, length) })
    }

    /// Reads a public key, a SubjectPublicKeyInfo. Returns `nil` for anything else, including a point that is not on
    /// the curve.
    init?(publicKey der: [UInt8]) {
        self.init(Self.parsed(der) { start, length in d2i_PUBKEY(nil, start, length) })
    }

    /// Generates an RSA key of 2048 bits.
    static func generateRSA() -> KeyHandle? {
        KeyHandle(allot_generate_rsa())
    }

    /// Generates a key on P-256.
    static func generateP256() -> KeyHandle? {
        KeyHandle(allot_generate_p256())
    }

    /// The public half, as a SubjectPublicKeyInfo.
    var publicKeyBytes: [UInt8]? {
        Self.written { i2d_PUBKEY(key, $0) }
    }

    /// The whole key as PKCS #8.
    var privateKeyBytes: [UInt8]? {
        guard let information = EVP_PKEY2PKCS8(key) else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(information) }
        return Self.written { i2d_PKCS8_PRIV_KEY_INFO(information, $0) }
    }

    /// Signs a message with SHA-256: RSASSA-PKCS1-v1_5, or ECDSA in DER.
    func signature(of message: [UInt8]) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var count = Int(EVP_PKEY_get_size(key))
        guard count > 0, EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else {
            ERR_clear_error()
            return nil
        }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
            ERR_clear_error()
            return nil
        }
        return Array(signature.prefix(count))
    }

    /// Whether a signature (DER for ECDSA) is the key's signature of a message.
    func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        let isRight =
            EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !isRight { ERR_clear_error() }
        return isRight
    }

    /// The SHA-256 of a message. Returns `nil` if the system's cryptography fails.
    static func digest(of message: [UInt8]) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        return EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil) == 1 ? digest : nil
    }

    /// Reads a key with a function of libcrypto, which must use all bytes.
    private static func parsed(
        _ der: [UInt8], _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
    ) -> OpaquePointer? {
        der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            guard let key = read(&position, bytes.count) else { return nil }
            guard position == bytes.baseAddress.map({ $0 + bytes.count }) else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
    }

    /// The output of a function of libcrypto, which is first called for the length.
    private static func written(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
        let count = Int(write(nil))
        guard count > 0 else { return nil }
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var position = buffer.baseAddress
            isWhole = Int(write(&position)) == count
            initialized = isWhole ? count : 0
        }
        return isWhole ? bytes : nil
    }
}
