import AllotConfiguration
import AllotSigning
import Foundation
import TestSupport
import Testing

struct VerificationTests {
    private func verifier(_ keys: SigningKey...) throws -> PublicKeyVerifier {
        try PublicKeyVerifier(keys.map(\.publicKey))
    }

    /// A signature with a header of one's own.
    private func signature(_ header: String, _ bytes: [UInt8]) -> String {
        "\(Base64URL.encode(Array(header.utf8)))..\(Base64URL.encode(bytes))"
    }

    @Test("A key verifies its own signatures", arguments: SignatureAlgorithm.allCases)
    func ownSignaturesAreRight(algorithm: SignatureAlgorithm) throws {
        let key = try Samples.key(algorithm)
        var random = SeededGenerator(seed: 1)
        for length in [0, 1, 2, 3, 63, 64, 65, 5000] {
            let payload = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let signature = try DetachedSignature(try key.sign(payload).text)
            #expect(signature.header.algorithm == algorithm)
            #expect(signature.header.keyID == key.keyID)
            try verifier(key).verify(signature, payload: payload)
            let token = try SignedToken(try key.token(payload + [0]).text)
            #expect(try verifier(key).verifiedPayload(token) == payload + [0])
        }
    }

    @Test("Every changed bit makes a signature invalid", arguments: SignatureAlgorithm.allCases)
    func everyChangeIsNoticed(algorithm: SignatureAlgorithm) throws {
        let key = try Samples.key(algorithm)
        let verifier = try verifier(key)
        let signature = try key.sign(Samples.payload)
        for index in Samples.payload.indices {
            var altered = Samples.payload
            altered[index] ^= 1
            expectRefusal(.mismatch, key.keyID, "changed") { try verifier.verify(signature, payload: altered) }
        }
        for payload in [[], Array(Samples.payload.dropLast()), Samples.payload + [0]] {
            expectRefusal(.mismatch) { try verifier.verify(signature, payload: payload) }
        }
        for index in stride(from: 0, to: signature.bytes.count, by: 7) {
            var bytes = signature.bytes
            bytes[index] ^= 0x10
            let altered = DetachedSignature(header: signature.header, bytes: bytes)
            expectRefusal(.mismatch) { try verifier.verify(altered, payload: Samples.payload) }
        }
        for bytes in [[], [0], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xFF, count: 256)] {
            let altered = DetachedSignature(header: signature.header, bytes: bytes)
            expectRefusal(.mismatch) { try verifier.verify(altered, payload: Samples.payload) }
        }
    }

    /// The header is signed, too: other members, or the same in another order, are another header.
    @Test("The header is signed")
    func headerIsSigned() throws {
        let key = try Samples.key(.es256)
        let bytes = try key.sign(Samples.payload).bytes
        for header in [
            #"{"kid":"\#(key.keyID)","alg":"ES256"}"#, #"{"alg":"ES256", "kid":"\#(key.keyID)"}"#,
            #"{"alg":"ES256"}"#, #"{"alg":"ES256","kid":"\#(key.keyID)","typ":"x"}"#,
        ] {
            let altered = try DetachedSignature(signature(header, bytes))
            expectRefusal(.mismatch) { try verifier(key).verify(altered, payload: Samples.payload) }
        }
    }

    @Test("Keys that are not pinned are refused")
    func keysThatAreNotPinnedAreRefused() throws {
        let key = try Samples.key(.es256)
        let other = try SigningKey.generate(.es256)
        let signature = try other.sign(Samples.payload)
        expectRefusal(.unknownKey, other.keyID, key.keyID) {
            try verifier(key).verify(signature, payload: Samples.payload)
        }
        // Another's signature under the ID of the pinned key.
        let forged = DetachedSignature(
            header: SignatureHeader(algorithm: .es256, keyID: key.keyID), bytes: signature.bytes)
        expectRefusal(.mismatch) { try verifier(key).verify(forged, payload: Samples.payload) }
        try verifier(key, other).verify(signature, payload: Samples.payload)
        #expect(try verifier(key, other).signer(of: signature, payload: Samples.payload) == other.publicKey)
        let nameless = DetachedSignature(header: SignatureHeader(algorithm: .es256, keyID: nil), bytes: signature.bytes)
        expectRefusal(.unknownKey, "names no key") {
            try verifier(key, other).verify(nameless, payload: Samples.payload)
        }
    }

    /// "none", and HMAC with the public key as its secret: the oldest attacks on JSON Web Signature.
    @Test("Other algorithms are refused")
    func otherAlgorithmsAreRefused() throws {
        let key = try Samples.key(.rs256)
        for name in [
            "none", "None", "HS256", "HS512", "RS384", "RS512", "PS256", "ES384", "ES512", "EdDSA", "rs256", "",
        ] {
            for bytes in [[], [UInt8](repeating: 1, count: 32), try key.sign(Samples.payload).bytes] {
                let text = signature(#"{"alg":"\#(name)","kid":"\#(key.keyID)"}"#, bytes)
                expectRefusal(.unsupportedAlgorithm, "RS256 or ES256") { _ = try DetachedSignature(text) }
                expectRefusal(.unsupportedAlgorithm) {
                    _ = try SignedToken(text.replacingOccurrences(of: "..", with: ".e30."))
                }
            }
        }
    }

    @Test("The key determines the algorithm")
    func algorithmIsThatOfTheKey() throws {
        let rsa = try Samples.key(.rs256)
        let p256 = try Samples.key(.es256)
        let pairs = [(rsa, SignatureAlgorithm.es256, p256), (p256, .rs256, rsa)]
        for (claimed, algorithm, signer) in pairs {
            let header = SignatureHeader(algorithm: algorithm, keyID: claimed.keyID)
            let forged = DetachedSignature(
                header: header, bytes: try signer.signature(of: header.signingInput(payload: Samples.payload)))
            expectRefusal(.algorithmMismatch, algorithm.rawValue, claimed.keyID) {
                try verifier(rsa, p256).verify(forged, payload: Samples.payload)
            }
            let nameless = DetachedSignature(
                header: SignatureHeader(algorithm: algorithm, keyID: nil), bytes: forged.bytes)
            expectRefusal(.algorithmMismatch) { try verifier(claimed).verify(nameless, payload: Samples.payload) }
        }
    }

    @Test("Critical extensions and other forms are refused")
    func extensionsAndOtherFormsAreRefused() throws {
        let key = try Samples.key(.es256)
        let bytes = try key.sign(Samples.payload).bytes
        let headers = [
            (#"{"alg":"ES256","crit":["exp"]}"#, "crit"), (#"{"alg":"ES256","b64":false,"crit":["b64"]}"#, "crit"),
            (#"{"alg":"ES256","b64":false}"#, "b64"), (#"{"kid":"x"}"#, "no algorithm"),
            (#"{"alg":1}"#, "no algorithm"),
            (#"{"alg":"ES256","kid":7}"#, "kid"), (#"["ES256"]"#, "JSON object"), ("ES256", "JSON object"),
            (#"{"alg":"ES256","alg":"ES256"}"#, "JSON object"), ("", "JSON object"),
        ]
        for (header, part) in headers {
            expectRefusal(.malformed, part) { _ = try DetachedSignature(signature(header, bytes)) }
        }
        let right = try key.sign(Samples.payload).text
        for text in [
            "", ".", "..", "...", right + ".", "." + right, right + "=", right + " ", " " + right,
            String(right.dropLast()),
            String(right.dropLast(2)), right.replacingOccurrences(of: "..", with: "."),
            right.replacingOccurrences(of: "..", with: ".e30."), right.replacingOccurrences(of: "..", with: ".."),
        ] where text != right {
            expectRefusal(.malformed) { _ = try DetachedSignature(text) }
        }
        // DER in place of r and s.
        let der = try #require(ECDSASignature.der(raw: bytes))
        expectRefusal(.malformed, "64") { _ = try DetachedSignature(signature(#"{"alg":"ES256"}"#, der)) }
    }

    @Test("Truncated tokens are refused")
    func truncatedTokensAreRefused() throws {
        let key = try Samples.key(.es256)
        let verifier = try verifier(key)
        let text = try key.token(Samples.payload).text
        for count in 0..<text.count {
            #expect(throws: SignatureError.self) {
                _ = try verifier.verifiedPayload(try SignedToken(String(text.prefix(count))))
            }
        }
        expectRefusal(.malformed, "payload") { _ = try SignedToken(try key.sign(Samples.payload).text) }
        expectRefusal(.malformed, "token") { _ = try DetachedSignature(text) }
    }

    /// Sixty-four threads sign and verify with one key.
    @Test("Threads can share a key", arguments: SignatureAlgorithm.allCases)
    func threadsShareAKey(algorithm: SignatureAlgorithm) async throws {
        let key = try Samples.key(algorithm)
        let verifier = try verifier(key)
        let right = await withTaskGroup(of: Int.self) { group in
            for number in 0..<64 {
                group.addTask {
                    var right = 0
                    for round in 0..<5 {
                        let payload = Array("\(number)-\(round)".utf8)
                        guard let signature = try? key.sign(payload) else { continue }
                        if (try? verifier.verify(signature, payload: payload)) != nil { right += 1 }
                    }
                    return right
                }
            }
            return await group.reduce(0, +)
        }
        #expect(right == 320)
    }
}
