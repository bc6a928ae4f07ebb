import AllotConfiguration
import AllotServer
import HTTPTypes
import HummingbirdTesting
import Testing

/// What a tester's device read out, compared by the server.
struct DeviceRouteTests {
    private static let list = "override token-of-overrides-00001\nexplain token-of-explanations-001"
    private static let readout = #"""
        {"modifications":{"Page.Color":"red"},"readout":1,"settings":{"<b>":1,"Page.Color":"red"},"user":"u-1"}
        """#

    @Test("A read-out is compared for people and for programs, with the scope for overrides only")
    func comparison() async throws {
        var routes = try TestedRoutes()
        routes.allot.tokens = AccessTokenStore(try AccessTokens(parsing: Self.list, name: "tokens"))
        let revision = routes.plan.revision
        let path =
            "/device?readout=\(Base64URL.encode(Array(Self.readout.utf8)))&attributes=country%3DDE%0Aplan%3Dpro"
        try await routes.test { client async throws in
            func get(_ accept: String, _ token: String? = "token-of-overrides-00001") async throws -> TestResponse {
                var headers: HTTPFields = [.accept: accept]
                headers[.authorization] = token.map { "Bearer \($0)" }
                return try await client.get(path, headers)
            }
            let answer = try await get("application/json")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer.headers[.cacheControl] == "no-store")
            let json = try answer.json()
            #expect(json["user"] == "u-1")
            #expect(json["configuration_revision"] == .string(revision))
            let settings = try #require(json["settings"]?.asArray)
            let color = try #require(settings.first { $0["name"] == "Page.Color" })
            #expect(color["is_modified"] == true)
            #expect(color["device"] == "red")
            #expect(color["base"] == "blue")
            #expect(settings.last?["standing"] == "unknown")
            let page = try await get("text/html")
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.text.contains("<code>&lt;b&gt;</code>"))
            #expect(page.text.contains("country=DE\nplan=pro"))
            #expect(try await get("application/json", "token-of-explanations-001").status == .forbidden)
            #expect(try await get("text/html", nil).status == .unauthorized)
        }
    }

    @Test("What is not a read-out is refused with the fix; a page keeps what was sent")
    func refusals() async throws {
        try await TestedRoutes().test { client async throws in
            for text in ["x", "e30", "https%3A%2F%2Fexample.com%2Fdevice", "%7B%22readout%22%3A2%7D"] {
                try await client.get("/device?readout=\(text)").expectFailure(.badRequest, "read-out")
                let page = try await client.get("/device?readout=\(text)", [.accept: "text/html"])
                #expect(page.status == .ok)
                #expect(page.text.contains(#"role="alert""#))
            }
            let json = "%7B%22readout%22%3A1%7D"
            try await client.get("/device?readout=\(json)&attributes=country").expectFailure(.badRequest, "country")
            let empty = try await client.get("/device?readout=")
            #expect(empty.headers[.contentType] == "text/html; charset=utf-8")
            try await client.get("/device?readout=x%00").expectFailure(.badRequest, "U+0000")
            try await client.get("/device?readout=%FF").expectFailure(.badRequest, "UTF-8")
        }
    }
}
