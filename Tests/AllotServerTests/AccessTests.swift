import AllotConfiguration
import AllotCore
import AllotServer
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

@testable import AllotServing

struct AccessTests {
    private static let list = """
        # Who may do what
        configuration           token-of-configurations-1
        exposures,configuration\ttoken-of-exposures-00002
        explain token-of-explanations-03\r

          metrics  token-of-metrics-00000004
        """

    /// By scope the token that has it, and requests that take it; those with a body are sent as POST.
    static let requests: [(scope: String, token: String, uris: [(uri: String, body: String?)])] = [
        (
            "configuration", "token-of-configurations-1",
            [
                ("/activeconfig/user/a", nil), ("/activeconfig/user", nil), ("/active_config?userID=a", nil),
                ("/activeconfig/user/a", "{}"), ("/ofrep/v1/evaluate/flags", #"{"context":{"targetingKey":"a"}}"#),
                ("/ofrep/v1/evaluate/flags/Page.Color", #"{"context":{"targetingKey":"a"}}"#),
            ]
        ),
        (
            "explain", "token-of-explanations-03",
            [("/explain/a", nil), ("/exposures", nil), ("/experiments/button/exposures", nil)]
        ),
        ("metrics", "token-of-metrics-00000004", [("/metrics", nil)]),
        ("exposures", "token-of-exposures-00002", [("/exposures", "[]")]),
    ]

    private static let tokens = requests.map(\.token)

    private func test(_ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        try await TestedRoutes.testExposures { allot in
            allot.tokens = AccessTokenStore(try AccessTokens(parsing: Self.list, name: "tokens"))
        } _: { client, _ in
            try await body(client)
        }
    }

    private static func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }

    private static func request(_ token: String) -> ServiceRequest {
        ServiceRequest(method: "GET", target: "/events", headers: [("Authorization", "Bearer \(token)")])
    }

    /// Expects that a request is answered with the right token only.
    private func expectScope(
        _ scope: String, _ token: String, _ send: (HTTPFields) async throws -> TestResponse
    ) async throws {
        let apiKey = try #require(HTTPField.Name("X-API-Key"))
        let wrong = "token-that-is-unknown-05"
        let allowed: [HTTPFields] = [
            Self.bearer(token), [.authorization: "bEARER \(token)"], [.authorization: "Bearer  \(token)"],
            [apiKey: token],
            // One that is wrong does not take away what another allows.
            [apiKey: wrong, .authorization: "Bearer \(token)"], [apiKey: token, .authorization: "Bearer \(wrong)"],
            [apiKey: token, .authorization: "Basic \(wrong)"],
        ]
        for headers in allowed { #expect(try await send(headers).status == .ok) }
        let unknown: [HTTPFields] = [
            [:], Self.bearer(wrong), Self.bearer(""), Self.bearer(token + "x"),
            Self.bearer(String(token.dropLast())), [.authorization: token], [.authorization: "Basic \(token)"],
            [.authorization: "Bearer"], [.authorization: "Bearer  "], [.authorization: "Bearer\t\(token)"],
            [apiKey: wrong], [apiKey: ""], [apiKey: wrong, .authorization: "Bearer \(wrong)"],
        ]
        for headers in unknown {
            let response = try await send(headers)
            try response.expectFailure(.unauthorized, "token")
            #expect(response.headers[.wwwAuthenticate] == "Bearer realm=\"allot\"")
        }
        for other in Self.tokens where other != token {
            // The token for exposures has the scope for configurations too.
            if scope == "configuration", other == "token-of-exposures-00002" { continue }
            let response = try await send(Self.bearer(other))
            try response.expectFailure(.forbidden, "the scope \(scope)")
        }
    }

    @Test("A request needs a token with the scope of its route")
    func requestsTakeTheirScope() async throws {
        try await test { client async throws in
            for (scope, token, uris) in Self.requests {
                for (uri, body) in uris {
                    try await expectScope(scope, token) { try await client.send(uri, body, $0) }
                }
            }
        }
    }

    /// Senders without a token learn nothing about what exists.
    @Test("A request is authorised before anything else of it is looked at, and probes need no token")
    func authorisationComesFirst() async throws {
        let rows: [(uri: String, body: String?, status: HTTPResponse.Status)] = [
            ("/activeconfig/user/%zz", nil, .unauthorized), ("/explain/%zz", nil, .unauthorized),
            ("/experiments/none/exposures", nil, .unauthorized), ("/exposures?x=1", nil, .unauthorized),
            ("/ofrep/v1/evaluate/flags/none", "{", .unauthorized), ("/ofrep/v1/evaluate/flags", "{", .unauthorized),
            ("/exposures", "{", .unauthorized), ("/events", nil, .unauthorized),
            ("/health/live", nil, .ok), ("/health/ready", nil, .ok),
        ]
        try await test { client async throws in
            for (uri, body, status) in rows { #expect(try await client.send(uri, body).status == status, "\(uri)") }
            // A subscription to changes has the scope of configurations.
            try await client.get("/events", Self.bearer("token-of-metrics-00000004"))
                .expectFailure(.forbidden, "the scope configuration")
        }
    }

    @Test("A token in the query opens the event stream and nothing else")
    func tokensInTheQueryOpenEventsOnly() async throws {
        let query = "?access_token=token-of-configurations-1"
        let tokens = try AccessTokens(parsing: Self.list, name: "tokens")
        // One token with the scope is enough.
        for headers in [[], Self.request("token-of-others-000000002").headers] {
            let request = ServiceRequest(method: "GET", target: "/events" + query, headers: headers)
            try tokens.require(.configuration, request, from: .eventSource)
        }
        // As tokens in base 64 are, next to items that are malformed.
        let other = try AccessTokens(parsing: "configuration token+of/configurations==", name: "tokens")
        for token in ["token+of/configurations==", "token%2Bof%2Fconfigurations%3D%3D"] {
            let request = ServiceRequest(method: "GET", target: "/events?x=%&access_token=\(token)&access_token=y")
            try other.require(.configuration, request, from: .eventSource)
        }
        let rows = [
            ("/events", 401), ("/events?access_token=", 401), ("/events?access_token=token-of-others-000000002", 401),
            ("/events?token=token-of-configurations-1", 401), ("/events?access_token=token-of-metrics-00000004", 403),
            ("/activeconfig/user/a" + query, 401), ("/active_config" + query, 401), ("/metrics" + query, 401),
        ]
        try await test { client async throws in
            for (uri, status) in rows { #expect(try await client.get(uri).status.code == status, "\(uri)") }
        }
    }

    @Test(
        "A list of tokens with a fault is refused with the line",
        arguments: [
            ("", "tokens: there are no tokens"), ("# none\n\n", "tokens: there are no tokens"),
            ("\nconfiguration", "tokens:2: a line has scopes and a token"),
            ("configuration, exposures token-of-exposures-00002", "tokens:1: a line has scopes and a token"),
            ("configuration short", "tokens:1: the token has fewer than 20 characters"),
            ("configurations token-of-configurations-1", "tokens:1: there is no scope \"configurations\""),
            ("configuration, token-of-configurations-1", "tokens:1: there is no scope \"\""),
            (
                "explain,edit token-of-edits-00000000001",
                "tokens:1: a line with the scope edit has a name after the token"
            ),
            ("edit Ada token-of-edits-00000000001", "tokens:1: the token has fewer than 20 characters"),
            ("edit token-of-edits-00000000001 <ada@example.com>", "tokens:1: the name after the token cannot be"),
        ])
    func badListsAreRefused(text: String, message: String) throws {
        let failure = #expect(throws: AccessTokens.Failure.self) { try AccessTokens(parsing: text, name: "tokens") }
        #expect(failure?.description.hasPrefix(message) == true)
        #expect(failure?.description.contains("token-of") == false)
    }

    @Test(
        "A bearer of edits is an author whom Git does not change",
        arguments: [
            ("Ada", true), ("Zoë \"q\" O'Neil <zoe+a@localhost>", true), ("爱达 <a@b.c>", true), ("-x- (3)", true),
            ("Eve >", false), ("Eve <", false), ("A <a@b", false), ("-x <->", false), ("-x <>", false),
            ("A <@>", false), ("A <a@b> c", false), ("A <a b@c>", false), ("A <<a@b>>", false), ("Zoë \"q\"", false),
            ("'Ada' <a@b>", false), ("Ada, <a@b>", false), ("Ada L.", false), ("<ada@example.com>", false),
            ("A\u{202E}da", false), ("\"\u{308}Ada", false), ("A <\u{301}a@b>", false),
        ])
    func authors(name: String, isTaken: Bool) throws {
        let line = "edit token-of-edits-00000000001 \(name)"
        guard isTaken else {
            let failure = #expect(throws: AccessTokens.Failure.self) {
                try AccessTokens(parsing: line, name: "tokens")
            }
            let start = "tokens:1: the name after the token cannot be the author of a commit; write one"
            #expect(failure?.description.hasPrefix(start) == true)
            return
        }
        let tokens = try AccessTokens(parsing: line, name: "tokens")
        let request = Self.request("token-of-edits-00000000001")
        #expect(tokens.bearer(of: .edit, request, from: .program)?.name == name)
    }

    @Test("A list in a file is read, and messages name the file")
    func listsOfFiles() throws {
        let folder = try TemporaryFolder()
        let tokens = try AccessTokens(contentsOf: folder.write("\n\(Self.list)", to: "tokens"))
        let store = AccessTokenStore(tokens)
        try store.current.require(.configuration, Self.request("token-of-configurations-1"), from: .eventSource)
        let file = try folder.write("\nconfiguration short", to: "short")
        for (path, message) in [(file, "\(file):2: the token has fewer"), (folder.path("none"), folder.path("none"))] {
            let failure = #expect(throws: AccessTokens.Failure.self) { try AccessTokens(contentsOf: path) }
            #expect(failure?.description.contains(message) == true, "\(failure?.description ?? "")")
        }
    }

    @Test("Tokens that are replaced stop, and the answers that they opened end")
    func tokensAreReplaced() async throws {
        let store = AccessTokenStore(try AccessTokens(parsing: Self.list, name: "tokens"))
        let (kept, lost) = (Self.request("token-of-configurations-1"), Self.request("token-of-exposures-00002"))
        func revocation(_ request: ServiceRequest) -> AsyncStream<Void> {
            let (stream, revocation) = AsyncStream<Void>.makeStream()
            store.signalRevocation(of: .configuration, request, from: .eventSource, to: revocation)
            return stream
        }
        let (ofKept, ofLost) = (revocation(kept), revocation(lost))
        // The same token, but with another scope.
        store.replace(
            with: try AccessTokens(
                parsing: "exposures token-of-exposures-00002\nconfiguration token-of-configurations-1", name: "next"))
        #expect(throws: RequestFailure.self) { try store.current.require(.configuration, lost, from: .eventSource) }
        try store.current.require(.configuration, kept, from: .eventSource)
        #expect(await ofLost.contains { true })
        // One that was revoked before the answer began.
        #expect(await revocation(lost).contains { true })
        store.replace(with: try AccessTokens(parsing: "metrics token-of-metrics-00000004", name: "last"))
        #expect(await ofKept.contains { true })
    }

    // MARK: What the application knows

    @Test("Attributes of the application take precedence over those of the client")
    func applicationsAttributesTakePrecedence() async throws {
        let routes = try TestedRoutes()
        let known: JSONObject = ["user_id": "tester", "country": "DE", "seats": 5]
        let expected = routes.configuration(Subject(id: "tester", attributes: ["country": "DE", "seats": 5]))
        let source: AttributeSource<BasicRequestContext> = { _, _ in known }
        try await routes.test(attributes: source) { client async throws in
            let responses = [
                try await client.get("/activeconfig/user/other?country=FR&seats=x"),
                try await client.get("/activeconfig/user"), try await client.get("/active_config?userID=other"),
                try await client.post("/activeconfig/user/other", #"{"attributes": {"country": "FR"}}"#),
            ]
            for response in responses { #expect(response.bytes == expected) }
            let flag = try await client.post(
                "/ofrep/v1/evaluate/flags/Limits.Beta", #"{"context": {"targetingKey": "x", "country": "FR"}}"#)
            #expect(try flag.json()["value"] == true)
            let explanation = try await client.get("/explain/other?country=FR&experiment=button")
            #expect(explanation.text.contains("forced"))
        }
    }

    @Test("A user whom the application knows needs no targetingKey", arguments: [true, false])
    func knownUsersNeedNoKey(isKnown: Bool) async throws {
        let known: JSONObject = isKnown ? ["user_id": "tester", "country": "DE"] : ["country": "DE"]
        let source: AttributeSource<BasicRequestContext> = { _, _ in known }
        try await TestedRoutes().test(attributes: source) { client async throws in
            let flag = try await client.post("/ofrep/v1/evaluate/flags/Limits.Beta", #"{"context": {}}"#)
            #expect(flag.status == (isKnown ? .ok : .badRequest))
            #expect(try flag.json()["errorCode"] == (isKnown ? nil : "TARGETING_KEY_MISSING"))
        }
    }

    @Test("An application that refuses a request answers it itself")
    func applicationsRefuse() async throws {
        let source: AttributeSource<BasicRequestContext> = { _, _ in
            throw HTTPError(.tooManyRequests, headers: [.retryAfter: "9"], message: "no account")
        }
        var routes = try TestedRoutes()
        routes.allot.origins = try AllowedOrigins(["https://shop.example"])
        try await routes.test(attributes: source) { client async throws in
            for uri in ["/activeconfig/user/a", "/explain/a"] {
                let answer = try await client.get(uri, [.origin: "https://shop.example", .accept: "text/html"])
                #expect(answer.status == .tooManyRequests)
                #expect(answer.headers[.retryAfter] == "9")
                #expect(answer.text.contains("no account"))
                #expect((answer.headers[.accessControlAllowOrigin] != nil) == (uri != "/explain/a"))
            }
            #expect(try await client.get("/health/live").status == .ok)
        }
    }

    @Test("Attributes of the client are kept next to those of the application")
    func attributesOfTheClientAreKept() async throws {
        let routes = try TestedRoutes()
        let source: AttributeSource<BasicRequestContext> = { _, _ in ["seats": 5] }
        try await routes.test(attributes: source) { client async throws in
            let json = try await client.get("/activeconfig/user/user-1?country=FR").json()
            #expect(json.setting("Limits", "Count") == 9)
            #expect(json.setting("Limits", "Box") == ["a": 1, "b": ["c": 2, "d": 3]])
        }
    }
}
