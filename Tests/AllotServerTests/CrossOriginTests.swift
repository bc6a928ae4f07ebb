import AllotConfiguration
import AllotServer
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

/// What pages of other origins can do, as browsers ask for it.
struct CrossOriginTests {
    private static let origin = "https://shop.example"
    private static let tokens = """
        configuration,exposures token-of-shop-apps-000001
        explain token-of-explanations-03
        """

    /// Paths that apps use.
    static let paths = [
        "/activeconfig/user/a", "/activeconfig/user", "/active_config", "/ofrep/v1/evaluate/flags",
        "/ofrep/v1/evaluate/flags/Page.Color", "/exposures", "/events",
    ]

    private func test(
        origins: [String] = [origin, "http://localhost:5173"],
        _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let allowed = origins.isEmpty ? nil : try AllowedOrigins(origins)
        try await TestedRoutes.testExposures { allot in
            allot.tokens = AccessTokenStore(try AccessTokens(parsing: Self.tokens, name: "tokens"))
            allot.origins = allowed
        } _: { client, _ in
            try await body(client)
        }
    }

    private static func preflight(_ client: any TestClientProtocol, _ path: String, _ origin: String) async throws
        -> TestResponse
    {
        try await client.executeRequest(
            uri: path, method: .options,
            headers: [
                .origin: origin, .accessControlRequestMethod: "POST",
                .accessControlRequestHeaders: "authorization,content-type",
            ], body: nil)
    }

    @Test("An application's answer keeps one field of each for other origins")
    func applicationsAnswers() async throws {
        var allot = try TestedRoutes().allot
        allot.origins = try AllowedOrigins([Self.origin])
        var request = ServiceRequest(method: "GET", target: "/activeconfig/user/a", headers: [("Origin", Self.origin)])
        request.attributes = {
            throw AnsweredByApplication(HTTPAnswer(status: 403, headers: [("access-control-allow-origin", "*")]))
        }
        let answer = await AllotRoutes(allot).answer(request)
        #expect(answer.status == 403)
        let fields = answer.headers.filter { $0.name.isHeaderName("access-control-allow-origin") }
        #expect(fields.map(\.value) == [Self.origin])
    }

    @Test("A preflight request of an allowed origin is answered for every route that apps use", arguments: paths)
    func preflightsAreAnswered(path: String) async throws {
        try await test { client async throws in
            for origin in [Self.origin, "http://localhost:5173"] {
                let answer = try await Self.preflight(client, path, origin)
                #expect(answer.status == .noContent)
                #expect(answer.headers[.accessControlAllowOrigin] == origin)
                #expect(answer.headers[.accessControlAllowMethods] == "GET, POST")
                #expect(
                    answer.headers[.accessControlAllowHeaders]
                        == "authorization, content-type, if-none-match, last-event-id, x-api-key")
                #expect(answer.headers[.vary] == "Origin")
                #expect(answer.headers[.accessControlAllowCredentials] == nil)
            }
        }
    }

    @Test(
        "Other origins are not let in",
        arguments: [
            "https://shop.example.evil.example", "http://shop.example", "https://shop.example:8443", "null", "*", "",
            "https://SHOP.example", "http://localhost", "https://sub.shop.example",
        ])
    func otherOriginsAreNotLetIn(origin: String) async throws {
        try await test { client async throws in
            for path in Self.paths {
                let answer = try await Self.preflight(client, path, origin)
                try answer.expectFailure(.forbidden, "allow the origin")
                #expect(answer.headers.allSatisfy { !$0.name.canonicalName.hasPrefix("access-control-") })
            }
            let headers: HTTPFields = [.origin: origin, .authorization: "Bearer token-of-shop-apps-000001"]
            let answer = try await client.get("/activeconfig/user/a", headers)
            // The browser keeps it from the page, and caches keep it from others.
            #expect(answer.status == .ok)
            #expect(answer.headers[.accessControlAllowOrigin] == nil)
            #expect(answer.headers[values: .vary].contains("Origin"))
        }
    }

    @Test("Answers and errors can be read by pages of allowed origins")
    func answersCanBeRead() async throws {
        let expected =
            "etag, retry-after, \(DetachedSignature.headerName.lowercased()), allot-boundary, allot-unread"
        try await test { client async throws in
            let bearer = "Bearer token-of-shop-apps-000001"
            var answers: [TestResponse] = []
            for headers: HTTPFields in [[:], [.authorization: bearer], [.authorization: bearer, .ifNoneMatch: "*"]] {
                var headers = headers
                headers[.origin] = Self.origin
                headers[.contentType] = "application/json"
                answers.append(try await client.get("/activeconfig/user/a", headers))
                answers.append(try await client.post("/exposures", #"{"exposures": []}"#, headers))
                answers.append(
                    try await client.post(
                        "/ofrep/v1/evaluate/flags/Page.Color", #"{"context": {"targetingKey": "a"}}"#, headers))
                answers.append(try await client.post("/ofrep/v1/evaluate/flags/No.Flag", "{}", headers))
            }
            let statuses: [HTTPResponse.Status] = [
                .unauthorized, .unauthorized, .unauthorized, .unauthorized, .ok, .ok, .ok, .notFound, .notModified, .ok,
                .ok, .notFound,
            ]
            #expect(answers.map(\.status) == statuses)
            for answer in answers {
                #expect(answer.headers[.accessControlAllowOrigin] == Self.origin)
                #expect(answer.headers[.accessControlExposeHeaders] == expected)
                #expect(answer.headers[values: .vary].contains("Origin"))
            }
        }
    }

    @Test("Routes that apps do not use stay closed to all origins, and all routes without origins")
    func otherRoutesStayClosed() async throws {
        @Sendable func expectClosed(_ paths: [String], _ client: any TestClientProtocol) async throws {
            for path in paths {
                let answer = try await Self.preflight(client, path, Self.origin)
                #expect(answer.status == .noContent)
                #expect(answer.headers[.accessControlAllowOrigin] == nil)
            }
        }
        try await test(origins: []) { client in try await expectClosed(Self.paths, client) }
        try await test { client async throws in
            let paths = ["/explain/a", "/experiments/button/exposures", "/metrics", "/health/ready"]
            try await expectClosed(paths, client)
            let headers: HTTPFields = [.origin: Self.origin, .authorization: "Bearer token-of-explanations-03"]
            for path in ["/explain/a", "/exposures", "/experiments/button/exposures"] {
                let answer = try await client.get(path, headers)
                #expect(answer.status == .ok)
                #expect(answer.headers[.accessControlAllowOrigin] == nil)
            }
        }
    }

    @Test(
        "What is not an origin is refused with the reason",
        arguments: [
            ("*", "without *"), ("https://*.shop.example", "without *"), ("shop.example", "scheme"),
            ("https://shop.example/", "slash"), ("https://shop.example/path", "path"), ("", "scheme"),
            ("HTTPS://shop.example", "small letters"), ("https://Shop.example", "small letters"),
            ("https://shop.example:443", "443"), ("http://shop.example:80", "80"), ("https://shop.example:0", "port"),
            ("https://shop.example:65536", "port"), ("https://shop.example:080", "port"),
            ("https://user@shop.example", "host"), ("https://", "host"), ("null", "scheme"),
            ("https://shop.example?x", "host"), ("https://a b", "host"),
        ])
    func badOriginsAreRefused(origin: String, part: String) {
        let error = #expect(throws: AllowedOrigins.Failure.self) {
            try AllowedOrigins(["https://shop.example", origin])
        }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test("Origins with ports, addresses and other schemes are accepted")
    func originsAreAccepted() throws {
        _ = try AllowedOrigins([
            "https://shop.example", "http://localhost:5173", "http://127.0.0.1:8080", "http://[::1]:3000",
            "capacitor://localhost", "https://shop.example:80", "http://xn--bcher-kva.example",
        ])
    }
}
