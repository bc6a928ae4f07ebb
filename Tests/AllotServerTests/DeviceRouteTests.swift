import AllotConfiguration
import AllotServer
import HTTPTypes
import HummingbirdTesting
import Testing

/// The page of what a tester's device read out.
struct DeviceRouteTests {
    private static let list = "override token-of-overrides-00001\nexplain token-of-explanations-001"
    private static let readout = #"""
        {"modifications":{"Page.Color":"red"},"readout":1,"settings":{"<b>":1,"Page.Color":"red"},"user":"u-1"}
        """#

    @Test("A read-out is compared for callers with the scope for overrides only")
    func comparison() async throws {
        var routes = try TestedRoutes()
        routes.allot.tokens = AccessTokenStore(try AccessTokens(parsing: Self.list, name: "tokens"))
        let path =
            "/device?readout=\(Base64URL.encode(Array(Self.readout.utf8)))&attributes=country%3DDE%0Aplan%3Dpro"
        try await routes.test { client async throws in
            let page = try await client.get(path, [.authorization: "Bearer token-of-overrides-00001"])
            #expect(page.status == .ok)
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(page.text.contains("<code>Page.Color</code>"))
            #expect(page.text.contains("different, modified"))
            #expect(page.text.contains("<code>&lt;b&gt;</code>"))
            #expect(page.text.contains("country=DE\nplan=pro"))
            let other: HTTPFields = [.authorization: "Bearer token-of-explanations-001"]
            #expect(try await client.get(path, other).status == .forbidden)
            #expect(try await client.get(path).status == .unauthorized)
        }
    }

    @Test("A text that is not a read-out is kept next to the reason")
    func refusals() async throws {
        try await TestedRoutes().test { client async throws in
            for query in ["readout=x", "readout=%7B%22readout%22%3A1%7D&attributes=country"] {
                let page = try await client.get("/device?\(query)")
                #expect(page.status == .ok)
                #expect(page.text.contains(#"role="alert""#))
            }
            #expect(try await !client.get("/device?readout=").text.contains(#"role="alert""#))
            try await client.get("/device?readout=x%00").expectFailure(.badRequest, "U+0000")
            try await client.get("/device?readout=%FF").expectFailure(.badRequest, "UTF-8")
        }
    }
}
