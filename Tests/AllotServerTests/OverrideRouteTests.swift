import AllotServer
import AllotSigning
import HTTPTypes
import HummingbirdTesting
import Testing

/// Tokens for testers' devices, made by the server.
struct OverrideRouteTests {
    private static let list = "override,explain token-of-overrides-00001\nexplain token-of-explanations-001"
    private static let form = "device=E6&app=shop&scheme=shop&operation=apply&setting.Page.Color=red"

    private func post(
        _ client: any TestClientProtocol, _ token: String?, _ form: String = form
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        headers[.authorization] = token.map { "Bearer \($0)" }
        return try await client.postForm("/units/u-1/override", form, headers)
    }

    @Test("A caller with the scope gets a token, and others get none")
    func tokens() async throws {
        var routes = try TestedRoutes()
        routes.allot.signer = ConfigurationSigner(try SigningKey.generate(.es256))
        routes.allot.tokens = AccessTokenStore(try AccessTokens(parsing: Self.list, name: "tokens"))
        try await routes.test { client async throws in
            let page = try await post(client, "token-of-overrides-00001")
            #expect(page.status == .ok)
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(page.headers[.contentSecurityPolicy]?.contains("form-action 'self'") == true)
            #expect(page.text.contains("href=\"shop://override?token="))
            #expect(page.text.contains("<svg class=\"code\""))
            #expect(try await post(client, "token-of-explanations-001").status == .unauthorized)
            #expect(try await post(client, nil).status == .unauthorized)
            let wrong = try await post(client, "token-of-overrides-00001", "app=shop&setting.Page.Color=1&setting.x=1")
            #expect(wrong.text.contains("There is no token"))
        }
    }

    @Test("Without access tokens, or without a key, a server makes none")
    func withoutKeyOrTokens() async throws {
        var open = try TestedRoutes()
        open.allot.signer = ConfigurationSigner(try SigningKey.generate(.es256))
        try await open.test { client async throws in
            #expect(try await post(client, nil).status == .notFound)
        }
    }
}
