import AllotConfiguration
import AllotServer
import AllotSigning
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

/// Tokens for testers' devices, made by the server.
struct OverrideRouteTests {
    private static let list = "override,explain token-of-overrides-00001\nexplain token-of-explanations-001"
    private static let form = "device=E6&app=shop&scheme=shop&operation=apply&setting.Page.Color=red"

    private func post(
        _ client: any TestClientProtocol, _ token: String?, _ form: String = form
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .accept: "text/html"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await client.execute(
            uri: "/units/u-1/override", method: .post, headers: headers, body: ByteBuffer(string: form))
    }

    @Test("A caller with the scope gets a token that the app accepts, and others get none")
    func tokens() async throws {
        let key = try SigningKey.generate(.es256)
        let verifier = try PublicKeyVerifier([key.publicKey])
        var routes = try TestedRoutes()
        routes.allot.signer = ConfigurationSigner(key)
        routes.allot.tokens = AccessTokenStore(try AccessTokens(parsing: Self.list, name: "tokens"))
        try await routes.test { client async throws in
            let page = try await post(client, "token-of-overrides-00001")
            let html = String(buffer: page.body)
            #expect(page.status == .ok)
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(page.headers[.contentSecurityPolicy]?.contains("form-action 'self'") == true)
            let link = try #require(html.firstMatch(of: /href="(shop:\/\/override\?token=[^"]+)"/)).output.1
            let payload = try DevicePayload(verifying: SignedToken(link: String(link)), by: verifier)
            #expect(payload.values == ["Page": ["Color": "red"]])
            #expect(payload.device == "E6")
            #expect(html.contains("<svg class=\"code\""))
            #expect(try await post(client, "token-of-explanations-001").status == .unauthorized)
            #expect(try await post(client, nil).status == .unauthorized)
            let wrong = try await post(client, "token-of-overrides-00001", "app=shop&setting.Page.Color=1&setting.x=1")
            #expect(String(buffer: wrong.body).contains("There is no token"))
        }
    }

    @Test("Without access tokens, or without a key, a server makes none")
    func withoutKeyOrTokens() async throws {
        var open = try TestedRoutes()
        open.allot.signer = ConfigurationSigner(try SigningKey.generate(.es256))
        try await open.test { client async throws in
            let response = try await post(client, nil)
            #expect(response.status == .notFound)
        }
    }
}
