#if canImport(Security)
    import AllotConfiguration
    import CryptoKit
    import Foundation
    import Security

    /// Verifies signatures with CryptoKit and the Security framework of Apple's platforms. `Sendable`.
    ///
    ///     let verifier = try SecurityVerifier(pem: current, next)
    ///
    /// Pin the keys that may sign: the current one, and the next one before it is used. A signature names the key by
    /// its ID, the key's thumbprint (RFC 7638); only pinned keys are looked up, and the key determines the algorithm.
    public struct SecurityVerifier: SignatureVerifier {
        private let pinned: PinnedKeys<PublicKeyNumbers>

        /// Pins the keys in texts, each with one or several `-----BEGIN PUBLIC KEY-----`.
        ///
        /// - Throws: ``SignatureError`` for anything other than RSA keys of at least 2048 bits and points on P-256, and
        ///   for two keys with one ID.
        public init(pem texts: String...) throws(SignatureError) {
            var pinned: [(id: String, numbers: PublicKeyNumbers, key: PublicKeyNumbers)] = []
            for text in texts {
                for der in try PEMBlock.publicKeys(in: text, name: "the public key") {
                    let key = try PublicKeyNumbers(der: der, name: "the public key")
                    guard Self.verification(by: key) != nil else {
                        throw SignatureError(.unusableKey, "the public key is damaged; copy its whole file")
                    }
                    pinned.append((Base64URL.encode(Array(SHA256.hash(data: key.thumbprintInput))), key, key))
                }
            }
            self.pinned = try PinnedKeys(pinned)
        }

        /// Returns if a pinned key has signed the payload.
        public func verify(_ signature: DetachedSignature, payload: [UInt8]) throws(SignatureError) {
            let (id, key) = try pinned.key(of: signature)
            let message = Data(signature.signingInput(payload: payload))
            guard let isSignature = Self.verification(by: key), isSignature(Data(signature.bytes), message) else {
                throw .mismatch(key: id)
            }
        }

        /// The check of a signature of a message. Returns `nil` for a damaged key. The framework's key is created for
        /// each use, since it may not be safe to share.
        private static func verification(by key: PublicKeyNumbers) -> ((Data, Data) -> Bool)? {
            switch key {
            case .p256(let x, let y):
                guard let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y) else { return nil }
                return { signature, message in
                    let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
                    return signature.map { key.isValidSignature($0, for: message) } ?? false
                }
            case .rsa(let modulus, let exponent):
                let attributes = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic]
                let bytes = Data(PublicKeyNumbers.pkcs1(modulus: modulus, exponent: exponent))
                guard let key = SecKeyCreateWithData(bytes as CFData, attributes as CFDictionary, nil) else {
                    return nil
                }
                return { signature, message in
                    SecKeyVerifySignature(
                        key, .rsaSignatureMessagePKCS1v15SHA256, message as CFData, signature as CFData, nil)
                }
            }
        }
    }
#endif
