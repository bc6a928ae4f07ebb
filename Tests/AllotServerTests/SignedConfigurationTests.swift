import AllotConfiguration
import AllotCore
import AllotFiles
import AllotServer
import AllotSigning
import HTTPTypes
import HummingbirdTesting
import Testing

struct SignedConfigurationTests {
    private static let header = HTTPField.Name(DetachedSignature.headerName) ?? .authenticationInfo

    private func routes(_ key: SigningKey) throws -> TestedRoutes {
        var routes = try TestedRoutes()
        routes.allot.signer = ConfigurationSigner(key)
        return routes
    }

    /// The signature of a response, which has to be right for the bytes.
    private func verified(
        _ response: TestResponse, _ bytes: [UInt8], by verifier: PublicKeyVerifier
    ) throws -> DetachedSignature {
        let text = try #require(response.headers[Self.header])
        let signature = try DetachedSignature(text)
        try verifier.verify(signature, payload: bytes)
        return signature
    }

    @Test("A configuration is signed", arguments: SignatureAlgorithm.allCases)
    func configurationsAreSigned(algorithm: SignatureAlgorithm) async throws {
        let key = try SigningKey.generate(algorithm)
        let verifier = try PublicKeyVerifier([key.publicKey])
        try await routes(key).test { client async throws in
            for uri in [
                "/activeconfig/user/1", "/activeconfig/user/1?country=DE", "/activeconfig/user",
                "/activeconfig/user/(null)",
                "/active_config?userID=7&country=FR", "/active_config",
            ] {
                let response = try await client.get(uri)
                #expect(response.status == .ok)
                #expect(try verified(response, response.bytes, by: verifier).header.keyID == key.keyID)
            }
            let posted = try await client.post("/activeconfig/user/1", #"{"attributes": {"seats": 3}}"#)
            _ = try verified(posted, posted.bytes, by: verifier)
        }
    }

    /// The bytes before they are compressed are signed.
    @Test("A compressed body has the signature of the plain body")
    func compressedBodiesHaveTheSameSignature() async throws {
        let key = try SigningKey.generate(.es256)
        let verifier = try PublicKeyVerifier([key.publicKey])
        try await routes(key).test { client async throws in
            let packed = try await client.get("/activeconfig/user/1", [.acceptEncoding: "gzip"])
            #expect(packed.headers[.contentEncoding] == "gzip")
            let signature = try verified(packed, Gunzip.bytes(packed.bytes), by: verifier)
            #expect(throws: SignatureError.self) { try verifier.verify(signature, payload: packed.bytes) }
            // ECDSA signs otherwise each time: the same signature was kept.
            let plain = try await client.get("/activeconfig/user/1")
            #expect(try verified(plain, plain.bytes, by: verifier) == signature)
            let other = try await client.get("/activeconfig/user/1?country=DE")
            #expect(try verified(other, other.bytes, by: verifier) != signature)
        }
    }

    @Test("Answers other than configurations are not signed")
    func otherAnswersAreNotSigned() async throws {
        let key = try SigningKey.generate(.es256)
        try await routes(key).test { client async throws in
            let tag = try #require(try await client.get("/activeconfig/user/1").headers[.eTag])
            let known = try await client.get("/activeconfig/user/1", [.ifNoneMatch: tag])
            #expect(known.status == .notModified)
            let flags = try await client.post("/ofrep/v1/evaluate/flags", #"{"context": {"targetingKey": "1"}}"#)
            #expect(flags.status == .ok)
            let wrong = try await client.get("/activeconfig/user/%zz")
            #expect(wrong.status == .badRequest)
            for response in [known, flags, wrong] { #expect(response.headers[Self.header] == nil) }
        }
        try await TestedRoutes().test { client async throws in
            let unsigned = try await client.get("/activeconfig/user/1")
            #expect(unsigned.headers[Self.header] == nil)
        }
    }

    @Test("Another key or another plan gives another signature")
    func anotherKeyAndAnotherPlanSignAnew() async throws {
        let keys = [try SigningKey.generate(.es256), try SigningKey.generate(.rs256)]
        let verifier = try PublicKeyVerifier(keys.map(\.publicKey))
        let routes = try routes(keys[0])
        let signer = try #require(routes.allot.signer)
        try await routes.test { client async throws in
            let uri = "/activeconfig/user/tester"
            let first = try await client.get(uri)
            #expect(try verified(first, first.bytes, by: verifier).header.keyID == keys[0].keyID)
            #expect(!signer.replace(with: keys[0]))
            #expect(signer.replace(with: keys[1]))
            let second = try await client.get(uri)
            #expect(second.bytes == first.bytes)
            #expect(try verified(second, second.bytes, by: verifier).header.keyID == keys[1].keyID)
            let next = try Fixture.plan(["button.yaml": Fixture.changedButton])
            #expect(routes.allot.plans.replace(with: next, loadedAt: Fixture.instant))
            let third = try await client.get(uri)
            #expect(third.bytes != second.bytes)
            _ = try verified(third, third.bytes, by: verifier)
        }
    }
}
