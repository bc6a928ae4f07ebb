#if canImport(Security)
    import AllotConfiguration
    import CommonCrypto
    import Foundation
    import Security

    /// Verifies signatures with the Security framework of Apple's platforms. `Sendable`.
    ///
    ///     let verifier = try SecurityVerifier(pem: current, next)
    ///
    /// Pin the keys that may sign: the current one, and the next one before it is used. A signature names the key by
    /// its ID, the key's thumbprint (RFC 7638); only pinned keys are looked up, and the key determines the algorithm.
    public struct SecurityVerifier: SignatureVerifier {
        private let pinned: PinnedKeys<PublicKeyInfo>

        /// Pins the keys in texts, each with one or several `-----BEGIN PUBLIC KEY-----`.
        ///
        /// - Throws: ``SignatureError`` for anything other than RSA keys of at least 2048 bits and points on P-256, and
        ///   for two keys with one ID.
        public init(pem texts: String...) throws(SignatureError) {
            var pinned: [(id: String, information: PublicKeyInfo, key: PublicKeyInfo)] = []
            for text in texts {
                for key in try PublicKeyInfo.keys(pem: text, name: "the public key") {
                    guard Self.made(key) != nil else {
                        throw SignatureError(.unusableKey, "the public key is damaged; copy its whole file")
                    }
                    pinned.append((Self.keyID(key), key, key))
                }
            }
            self.pinned = try PinnedKeys(pinned)
        }

        /// Returns if a pinned key has signed the payload.
        public func verify(_ signature: DetachedSignature, payload: [UInt8]) throws(SignatureError) {
            let (id, pinned) = try pinned.key(of: signature)
            let algorithm: SecKeyAlgorithm
            let bytes: [UInt8]?
            switch pinned.algorithm {
            case .rs256: (algorithm, bytes) = (.rsaSignatureMessagePKCS1v15SHA256, signature.bytes)
            case .es256:
                (algorithm, bytes) = (.ecdsaSignatureMessageX962SHA256, ECDSASignature.der(raw: signature.bytes))
            }
            let message = Data(signature.signingInput(payload: payload))
            guard let bytes, let key = Self.made(pinned),
                SecKeyVerifySignature(key, algorithm, message as CFData, Data(bytes) as CFData, nil)
            else { throw .mismatch(key: id) }
        }

        /// A `SecKey` is created for each use: that is cheap compared with a verification, and it may not be safe to
        /// share.
        private static func made(_ key: PublicKeyInfo) -> SecKey? {
            let kind =
                switch key.algorithm {
                case .rs256: kSecAttrKeyTypeRSA
                case .es256: kSecAttrKeyTypeECSECPrimeRandom
                }
            let attributes: [CFString: Any] = [kSecAttrKeyType: kind, kSecAttrKeyClass: kSecAttrKeyClassPublic]
            return SecKeyCreateWithData(Data(key.keyBytes) as CFData, attributes as CFDictionary, nil)
        }

        private static func keyID(_ key: PublicKeyInfo) -> String {
            let input = key.thumbprintInput
            var digest = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
            _ = CC_SHA256(input, CC_LONG(input.count), &digest)
            return Base64URL.encode(digest)
        }
    }
#endif
