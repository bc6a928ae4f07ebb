internal import AllotConfiguration
internal import CLibCrypto

/// A key of libcrypto, which is freed with its last owner. Threads share it, because libcrypto only reads a key to sign
/// and to verify: reading one again takes a millisecond, signing 0.03 ms (P-256) or 0.5 ms (RSA).
final class KeyHandle: Sendable {
    /// The place of the key; a number, because pointers are not `Sendable`.
    private let address: UInt

    private var key: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// Takes over a new key. Returns `nil` without one.
    private init?(_ key: OpaquePointer?) {
        guard let key else {
            // Otherwise a later call would find this error.
            ERR_clear_error()
            return nil
        }
        address = UInt(bitPattern: key)
    }

    deinit { EVP_PKEY_free(key) }

    /// Reads a private key in DER: PKCS #8, PKCS #1 or SEC 1. Returns `nil` for anything else.
    convenience init?(privateKey der: [UInt8]) {
        self.init(
            KeyHandle.read(der) { position, count in
                let end = position.map { $0 + count }
                let key = d2i_AutoPrivateKey(nil, &position, count)
                if position == end { return key }
                EVP_PKEY_free(key)
                return nil
            })
    }

    /// Reads a public key, a SubjectPublicKeyInfo in strict DER. Returns `nil` for anything else.
    convenience init?(publicKey der: [UInt8]) {
        self.init(KeyHandle.read(der) { d2i_PUBKEY(nil, &$0, $1) })
        // libcrypto reads other forms too.
        guard publicKeyBytes == der else { return nil }
    }

    static func generated(_ algorithm: SignatureAlgorithm) -> KeyHandle? {
        switch algorithm {
        case .rs256: KeyHandle(allot_generate_rsa())
        case .es256: KeyHandle(allot_generate_p256())
        }
    }

    /// The numbers of the public half of the key, which messages call by a name.
    func numbers(name: String) throws(SignatureError) -> PublicKeyNumbers {
        if let point = try PublicKeyNumbers(p256: publicKeyBytes ?? [], name: name) { return point }
        guard EVP_PKEY_is_a(key, "RSA") == 1, let modulus = number("n"), let exponent = number("e") else {
            throw .unusable(
                name, "the key is neither RSA nor on the curve P-256; generate one with allot keys generate")
        }
        return try PublicKeyNumbers(modulus: modulus, exponent: exponent, name: name)
    }

    var publicKeyBytes: [UInt8]? { Self.written { i2d_PUBKEY(key, $0) } }
    /// The public half: `-----BEGIN PUBLIC KEY-----` and the rest (RFC 7468, section 13).
    var publicKeyPEM: String? { Self.text { PEM_write_bio_PUBKEY($0, key) } }
    /// The whole key as PKCS #8: `-----BEGIN PRIVATE KEY-----` and the rest (RFC 7468, section 10).
    var privateKeyPEM: String? { Self.text { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) } }

    /// Signs a message with SHA-256: RSASSA-PKCS1-v1_5, or ECDSA in DER.
    func signature(of message: [UInt8]) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var count = max(Int(EVP_PKEY_get_size(key)), 0)
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else {
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

    /// A number of the key by its name in libcrypto, without leading zeros.
    private func number(_ name: String) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1 else {
            ERR_clear_error()
            return nil
        }
        defer { BN_free(number) }
        return Self.bytes(of: number, count: Int(BN_num_bits(number) + 7) / 8)
    }

    /// A number with leading zeros. Returns `nil` if it needs more bytes.
    static func bytes(of number: OpaquePointer?, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return BN_bn2binpad(number, &bytes, Int32(count)) == Int32(count) ? bytes : nil
    }

    /// The object that a function of libcrypto reads, perhaps from some of the bytes only.
    static func read(
        _ der: [UInt8], _ function: (inout UnsafePointer<UInt8>?, Int) -> OpaquePointer?
    ) -> OpaquePointer? {
        let object = der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return function(&position, bytes.count)
        }
        if object == nil { ERR_clear_error() }
        return object
    }

    /// The bytes that a function of libcrypto writes into memory that it allocates.
    static func written(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32) -> [UInt8]? {
        var start: UnsafeMutablePointer<UInt8>?
        let count = Int(write(&start))
        defer { CRYPTO_free(start, nil, 0) }
        return count > 0 ? Array(UnsafeBufferPointer(start: start, count: count)) : nil
    }

    /// The text that a function of libcrypto writes.
    private static func text(_ write: (OpaquePointer) -> Int32) -> String? {
        guard let output = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(output) }
        guard write(output) == 1 else {
            ERR_clear_error()
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(output))
        return BIO_read(output, &bytes, Int32(bytes.count)) == Int32(bytes.count)
            ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

/// The two forms of an ECDSA signature on P-256: r followed by s, as in JSON Web Signature (RFC 7518, section 3.4), and
/// DER (RFC 3279, section 2.2.3), as in libcrypto.
package enum ECDSASignature {
    private static let half = 32

    /// DER of r and s. Returns `nil` unless there are 64 bytes.
    package static func der(raw: [UInt8]) -> [UInt8]? {
        guard raw.count == 2 * half, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let (r, s) = (BN_bin2bn(raw, Int32(half), nil), BN_bin2bn(Array(raw[half...]), Int32(half), nil))
        guard ECDSA_SIG_set0(signature, r, s) == 1 else { return nil }
        return KeyHandle.written { i2d_ECDSA_SIG(signature, $0) }
    }

    /// r and s of DER. Returns `nil` if it is not strict DER of two numbers from 0 to 2^256 - 1.
    package static func raw(der: [UInt8]) -> [UInt8]? {
        guard let signature = KeyHandle.read(der, { d2i_ECDSA_SIG(nil, &$0, $1) }) else { return nil }
        defer { ECDSA_SIG_free(signature) }
        // libcrypto reads other forms too.
        guard KeyHandle.written({ i2d_ECDSA_SIG(signature, $0) }) == der,
            let r = KeyHandle.bytes(of: ECDSA_SIG_get0_r(signature), count: half),
            let s = KeyHandle.bytes(of: ECDSA_SIG_get0_s(signature), count: half)
        else { return nil }
        return r + s
    }
}
