#if canImport(Security)
    import AllotConfiguration
    import CommonCrypto
    import Foundation
    import Security

    /// Verifies signatures with the Security framework of Apple's platforms. `Sendable`.
    ///
    ///     let verifier = try SecurityVerifier(pem: inUse, next)
    ///
    /// Pin the keys that may sign: the one in use, and the next one before it comes into use. A signature names the key
    /// by its ID, the key's thumbprint (RFC 7638); it is looked up among the pinned keys and nowhere else, and the
    /// algorithm is the key's.
    public struct SecurityVerifier: SignatureVerifier {
        private let keys: [UTF8Key: PublicKeyInfo]

        /// Pins the keys of texts, each with one or several `-----BEGIN PUBLIC KEY-----`.
        ///
        /// - Throws: ``SignatureError`` for anything else than RSA keys of at least 2048 bits and points on P-256, and for
        ///   two keys with one ID.
        public init(pem texts: String...) throws(SignatureError) {
            var keys: [UTF8Key: PublicKeyInfo] = [:]
            for text in texts {
                for key in try PublicKeyInfo.keys(pem: text, name: "the public key") {
                    guard Self.made(key) != nil else {
                        throw SignatureError(.unusableKey, "the public key is damaged; copy its whole file")
                    }
                    let id = Self.keyID(key)
                    let other = keys.updateValue(key, forKey: UTF8Key(id))
                    guard other == nil || other?.numbers == key.numbers else {
                        throw SignatureError(
                            .unusableKey, "two keys have the ID \(QuotedText(id)); give each an ID of its own")
                    }
                }
            }
            guard !keys.isEmpty else { throw SignatureError(.unusableKey, "no key is pinned; pin one at least") }
            self.keys = keys
        }

        public func verify(_ signature: DetachedSignature, payload: [UInt8]) throws(SignatureError) {
            let (id, pinned) = try find(signature)
            guard pinned.algorithm == signature.algorithm else {
                throw .algorithmMismatch(signature.algorithm, key: id, takes: pinned.algorithm)
            }
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

        private func find(_ signature: DetachedSignature) throws(SignatureError) -> (id: String, key: PublicKeyInfo) {
            guard let id = signature.keyID else {
                guard keys.count == 1, let only = keys.first else { throw .missingKeyID }
                return (only.key.text, only.value)
            }
            guard let key = keys[UTF8Key(id)] else {
                throw .unknownKey(id, pinned: keys.keys.sorted().map(\.text))
            }
            return (id, key)
        }

        /// A `SecKey` is made for each use: it is cheap beside a verification, and nothing promises that it may be
        /// shared.
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
