import AllotConfiguration
import AllotCore
import AllotServing
import HTTPTypes
import Testing

/// A subject with a country that has no type, as those of queries.
private func subject(_ id: String?, in country: String? = nil) -> Subject {
    var subject = id.map { Subject(id: $0) } ?? Subject()
    if let country { subject.setUntyped("country", country) }
    return subject
}

/// Requests, sent as POST if they have a body, and the subjects that they are about.
private let requests: [(uri: String, body: String?, subject: Subject)] = [
    ("/activeconfig/user/user-1?country=DE", nil, subject("user-1", in: "DE")),
    ("/active_config?userID=user-2&country=DE", nil, subject("user-2", in: "DE")),
    ("/activeconfig/user/(null)?country=DE", nil, subject(nil, in: "DE")),
    // A plus is a space in queries only.
    ("/active_config?userID=a+b", nil, subject("a b")), ("/active_config?userID=a%2Bb", nil, subject("a+b")),
    // A request without a user gets the generic configuration.
    ("/activeconfig/user", nil, subject(nil)), ("/activeconfig/user/", nil, subject(nil)),
    ("/activeconfig/user/(null)", nil, subject(nil)), ("/activeconfig/user/%28null%29", nil, subject(nil)),
    ("/active_config", nil, subject(nil)), ("/active_config?userID=", nil, subject(nil)),
    ("/active_config?userID=(null)", nil, subject(nil)), ("/active_config?userID", nil, subject(nil)),
    // The router passes over slashes at the end of a path.
    ("/activeconfig/user/tester/", nil, subject("tester")), ("/activeconfig/user/tester//", nil, subject("tester")),
    ("/activeconfig/user/tester//?country=FR", nil, subject("tester", in: "FR")),
    // Empty parts of a query are ignored.
    ("/activeconfig/user/a?country=DE&", nil, subject("a", in: "DE")),
    ("/activeconfig/user/a?&country=DE", nil, subject("a", in: "DE")),
    ("/activeconfig/user/a?&&country=DE&&", nil, subject("a", in: "DE")),
    ("/activeconfig/user/a?country=DE&city=", nil, subject("a", in: "DE")),
    ("/activeconfig/user/a?country=DE&city", nil, subject("a", in: "DE")),
    // Attributes in a body keep their types.
    ("/activeconfig/user/a", #"{"attributes": {"seats": 12}}"#, Subject(id: "a", attributes: ["seats": 12])),
    ("/activeconfig/user/a", #"{"attributes": {"seats": "12"}}"#, Subject(id: "a", attributes: ["seats": "12"])),
    ("/activeconfig/user/a", "", subject("a")), ("/activeconfig/user/a", "{}", subject("a")),
    ("/activeconfig/user/a", #"{"attributes": {}}"#, subject("a")),
    ("/activeconfig/user/(null)", #"{"attributes": {"seats": 12}}"#, Subject(attributes: ["seats": 12])),
]

/// Requests that are refused with 400, sent as POST if they have a body, and a part of the message.
private let refusals: [(String, String?, String)] = [
    // A store could not keep the exposure of a unit that was assigned a variant by such a text.
    ("/activeconfig/user/%00", nil, "contains U+0000"), ("/activeconfig/user/a%00b", nil, "contains U+0000"),
    ("/active_config?userID=a%00", nil, "contains U+0000"), ("/activeconfig/user/a?x=%00", nil, "contains U+0000"),
    ("/activeconfig/user/a?%00=1", nil, "contains U+0000"), ("/explain/%00", nil, "contains U+0000"),
    ("/explain/a?x=a%00", nil, "contains U+0000"), ("/activeconfig/user/a%00", "{}", "contains U+0000"),
    ("/activeconfig/user/a", #"{"attributes": {"device": "\u0000"}}"#, "contains U+0000"),
    // Attributes that are given twice.
    ("/activeconfig/user/a?x=1&x=1", nil, #""x" is given twice"#),
    ("/activeconfig/user/a?x=1&%78=2", nil, #""x" is given twice"#),
    ("/explain/a?x=1&x=2", nil, #""x" is given twice"#),
    ("/active_config?userID=a&userID=b", nil, "userID is given twice"),
    ("/activeconfig/user/a?user_id=b", nil, "user_id"), ("/active_config?userID=a&user_id=b", nil, "user_id"),
    ("/explain/a?user_id=b", nil, "user_id"),
    (
        "/activeconfig/user/a?country=&country%C3%A9=1", #"{"attributes": {"country": "DE"}}"#,
        #"the attribute "country" is in the query and in the body; keep one"#
    ),
    ("/activeconfig/user/a?user_id=a", "{}", "user_id is the ID in the path"),
    ("/activeconfig/user/a", #"{"attributes": {"user_id": "b"}}"#, "user_id is the ID in the path"),
    // More than 256 attributes.
    ("/activeconfig/user/a?\(items(257))", nil, "more than 256"),
    ("/activeconfig/user/a?\(items(10_000))", nil, "more than 256"),
    ("/active_config?userID=a&\(items(257))", nil, "more than 256"), ("/explain/a?\(items(257))", nil, "more than 256"),
    ("/activeconfig/user/a?\(items(256))", #"{"attributes": {"country": "DE"}}"#, "more than 256"),
    (
        "/activeconfig/user/a",
        #"{"attributes":{"# + (0..<257).map { "\"a\($0)\":1" }.joined(separator: ",") + "}}", "more than 256"
    ),
    // Malformed bodies.
    ("/activeconfig/user/a", #"{"attributes": {"#, "at line 1, column 17"),
    ("/activeconfig/user/a", "{\"attributes\": {\n\"a\": tru}}", "at line 2"),
    ("/activeconfig/user/a", " ", "not valid JSON"),
    ("/activeconfig/user/a", String(repeating: "[", count: 100_000), "not valid JSON"),
    ("/activeconfig/user/a", "[]", "not an object"), ("/activeconfig/user/a", "null", "not an object"),
    ("/activeconfig/user/a", #""text""#, "not an object"),
    ("/activeconfig/user/a", #"{"attribute": {}}"#, #"unknown member "attribute""#),
    ("/activeconfig/user/a", #"{"attributes": []}"#, "attributes is not an object"),
    ("/activeconfig/user/a", #"{"attributes": null}"#, "attributes is not an object"),
]

/// That many attributes of a query.
private func items(_ count: Int) -> String {
    (0..<count).map { "a\($0)=\($0)" }.joined(separator: "&")
}

struct ConfigurationRouteTests {
    @Test("An answer is the plan's configuration for the subject, as JSON that only its client keeps")
    func answersAreThoseOfThePlan() async throws {
        let routes = try TestedRoutes()
        try await routes.test { client async throws in
            for (uri, body, subject) in requests {
                let response = try await client.send(uri, body)
                #expect(response.status == .ok, "\(uri)")
                #expect(response.bytes == routes.configuration(subject), "\(uri) \(body ?? "")")
                #expect(response.headers[.contentType] == "application/json")
                #expect(response.headers[.cacheControl] == "private")
                #expect(response.headers[.vary] == "Accept-Encoding")
                #expect(response.headers[.eTag]?.wholeMatch(of: /"[^"]+"/) != nil)
            }
            let typed = try await client.post("/activeconfig/user/a", #"{"attributes": {"seats": 12}}"#)
            #expect(try typed.json().setting("Limits", "Count") == 9)
            // In the query of a POST too, attributes have no types.
            let untyped = try await client.post(
                "/activeconfig/user/a?seats=12", #"{"attributes": {"country": "DE"}}"#)
            #expect(try untyped.json().setting("Limits", "Count") == 9)
            #expect(try untyped.json().setting("Limits", "Beta") == true)
        }
    }

    @Test("A request that says nothing clear is refused with its fault", arguments: refusals)
    func unclearRequestsAreRefused(uri: String, body: String?, part: String) async throws {
        try await TestedRoutes().test { client async throws in
            try await client.send(uri, body).expectFailure(.badRequest, part)
        }
    }

    @Test(
        "The limit of attributes is inclusive, and names are compared by their bytes",
        arguments: [
            "/activeconfig/user/a?\(items(256))", "/active_config?userID=a&\(items(256))", "/explain/a?\(items(256))",
            // These two are canonically equivalent.
            "/activeconfig/user/a?caf%C3%A9=1&cafe%CC%81=2", "/explain/tester//",
        ])
    func clearRequestsAreAnswered(uri: String) async throws {
        try await TestedRoutes().test { client async throws in
            #expect(try await client.get(uri).status == .ok)
        }
    }

    // MARK: Identifiers

    /// By the path's last part the ID that it means.
    static let identifiers = [
        ("a%2Fb", "a/b"), ("a+b", "a+b"), ("a%2Bb", "a+b"), ("a%20b", "a b"), ("%25", "%"),
        ("caf%C3%A9", "café"), ("cafe%CC%81", "cafe\u{301}"), ("%3Cscript%3E", "<script>"), ("007", "007"),
        ("%2e%2e", ".."), ("(NULL)", "(NULL)"),
    ]

    @Test("The ID in a path is percent-decoded", arguments: identifiers)
    func pathsArePercentDecoded(encoded: String, id: String) async throws {
        // A unit that is forced shows that exactly this ID arrives: all others may share a decision.
        let routes = try TestedRoutes(
            Fixture.plan([
                "button.yaml": """
                status: running
                traffic: 0%
                forced: { \(JSONValue.string(id).canonicalText): green }
                variants:
                  - key: control
                  - { key: green, overrides: { Page: { Color: green } } }
                """
            ]))
        try await routes.test { client async throws in
            let response = try await client.get("/activeconfig/user/\(encoded)")
            #expect(response.bytes == routes.configuration(Subject(id: id)))
            #expect(try response.json().setting("Page", "Color") == "green")
        }
    }

    @Test(
        "An ID or attribute that is not UTF-8 is refused",
        arguments: ["%ff", "%zz", "%", "%4", "%C3", "%ED%A0%80", "%C0%80", "%F5%80%80%80"])
    func textThatIsNotUTF8IsRefused(encoded: String) async throws {
        try await TestedRoutes().test { client async throws in
            for uri in [
                "/activeconfig/user/\(encoded)", "/active_config?userID=\(encoded)",
                "/activeconfig/user/a?\(encoded)=1", "/activeconfig/user/a?x=\(encoded)", "/explain/\(encoded)",
            ] {
                try await client.get(uri).expectFailure(.badRequest, "percent-encoded UTF-8")
            }
        }
    }

    /// Found by `.ci/fuzz`: HTTP/1 refuses such a target itself, but a server that embeds the service might not.
    @Test(
        "U+0000 is refused in a target that is not percent-encoded", arguments: ["user-4\0", "a?device=b\0", "a?\0=1"])
    func plainNullIsRefused(end: String) async throws {
        let plan = Plan(Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: []))
        let routes = AllotRoutes(AllotService(PlanStore(plan, loadedAt: Instant(seconds: 0))))
        #expect(await routes.answer("/activeconfig/user/" + end).status == 400)
    }

    @Test("An ID has at most 1024 bytes", arguments: ["a", "é", "%E2%82%AC", "%01"])
    func identifiersHaveAtMost1024Bytes(unit: String) async throws {
        let width = unit == "a" || unit == "%01" ? 1 : unit == "é" ? 2 : 3
        // "é" is not encoded: the path holds its two bytes.
        let longest = String(repeating: unit, count: 1024 / width) + String(repeating: "a", count: 1024 % width)
        try await TestedRoutes().test { client async throws in
            let part = "the ID has 1025 bytes"
            for uri in ["/activeconfig/user/\(longest)", "/active_config?userID=\(longest)", "/explain/\(longest)"] {
                #expect(try await client.get(uri).status == .ok)
                try await client.get(uri + "a").expectFailure(.badRequest, part)
            }
            try await client.post("/activeconfig/user/\(longest)a", "{}").expectFailure(.badRequest, part)
        }
    }

    // MARK: Attributes that nothing reads

    private static func platformPlan() throws -> Plan {
        try Fixture.plan([
            "box.yaml": "status: running\naudience: { platform: web, device.os: ios }\nvariants: [{ key: wide }]"
        ])
    }

    /// The query, and the header's value.
    static let unread: [(String, String?)] = [
        ("country=DE", nil), ("", nil), ("plattform=web", #""plattform";meant="platform""#),
        ("plattform=web&platform=ios", #""plattform""#), ("plattform=web&platform=", #""plattform""#),
        ("colour=red&plattform=web", #""colour", "plattform";meant="platform""#), ("device=x", nil),
        ("x%E2%80%AE%22%0D%0A=1", #""x%E2%80%AE%22%0D%0A""#),
        ("zz1=&zz2=&zz3=&zz4=&zz5=&zz6=", #""zz1", "zz2", "zz3", "zz4", "zz5""#),
        ("\(String(repeating: "z", count: 100))=1", "\"\(String(repeating: "z", count: 64))\""),
    ]

    @Test("A header names attributes that no definition reads, and the bytes are the same", arguments: unread)
    func unreadAttributes(query: String, header: String?) async throws {
        let routes = try TestedRoutes(Self.platformPlan())
        let name = try #require(HTTPField.Name("Allot-Unread"))
        try await routes.test { client async throws in
            // A second time, when hints are known.
            for _ in 0..<2 {
                for uri in ["/activeconfig/user/u?\(query)", "/active_config?userID=u&\(query)"] {
                    let answer = try await client.get(uri)
                    #expect(answer.status == .ok, "\(uri)")
                    #expect(answer.headers[name] == header, "\(uri)")
                    let tag = try #require(answer.headers[.eTag])
                    let again = try await client.get(uri, [.ifNoneMatch: tag])
                    #expect(again.status == .notModified)
                    #expect(again.headers[name] == header)
                }
            }
        }
    }

    @Test("The header is about what a client sends, and not about what the application knows of it")
    func unreadAttributesOfClients() async throws {
        let plan = try Self.platformPlan()
        let name = try #require(HTTPField.Name("Allot-Unread"))
        try await TestedRoutes(plan).test { client async throws in
            let body = #"{"attributes": {"plattform": "web", "device": {"os": "ios"}}}"#
            let answer = try await client.post("/activeconfig/user/u", body)
            #expect(answer.headers[name] == #""plattform";meant="platform""#)
        }
        let routes = AllotRoutes(AllotService(PlanStore(plan, loadedAt: Instant(seconds: 0))))
        let known: JSONObject = ["risk_score": 7, "platform": "web"]
        for (uri, body, header) in [
            ("/activeconfig/user/u?a=1", nil, #""a""#), ("/activeconfig/user/u", nil, nil),
            ("/activeconfig/user/u", #"{"attributes": {"b": 1}}"#, #""b""#),
        ] as [(String, String?, String?)] {
            let answer = await routes.answer(uri, body, attributes: known)
            #expect(answer.status == 200)
            #expect(answer.header("Allot-Unread") == header)
        }
    }

    @Test("An application's own route answers for a subject as the routes do, and says nothing of its attributes")
    func ownRoutes() async throws {
        var service = AllotService(PlanStore(try Self.platformPlan(), loadedAt: Instant(seconds: 0)))
        service.fetchInterval = .seconds(60)
        let routes = AllotRoutes(service)
        let attributes: JSONObject = ["risk_score": 7, "platform": "web"]
        let subject = Subject(id: "u", attributes: attributes)
        var request = ServiceRequest(method: "GET", target: "/v2/config")
        for encoding in ["identity", "gzip"] {
            request.headers = [("Accept-Encoding", encoding)]
            let own = routes.configuration(to: request, for: subject)
            request.attributes = { attributes }
            request.target = "/activeconfig/user/u"
            let route = await routes.answer(request)
            #expect(own.status == 200)
            #expect(own.body == route.body)
            #expect(own.headers.map(\.name) == route.headers.map(\.name))
            #expect(own.headers.map(\.value) == route.headers.map(\.value))
            #expect(own.header("Content-Encoding") == (encoding == "gzip" ? "gzip" : nil))
            request.headers.append((name: "If-None-Match", value: try #require(own.header("ETag"))))
            #expect(routes.configuration(to: request, for: subject).status == 304)
        }
    }

    // MARK: Bodies and paths

    @Test("A body has at most 256 KiB")
    func bodiesAreLimited() async throws {
        let frame = #"{"attributes":{"a":""}}"#
        let longest = 256 * 1024 - frame.utf8.count
        @Sendable func body(_ count: Int) -> String {
            #"{"attributes":{"a":""# + String(repeating: "x", count: count) + #""}}"#
        }
        try await TestedRoutes().test { client async throws in
            #expect(try await client.post("/activeconfig/user/a", body(longest)).status == .ok)
            try await client.post("/activeconfig/user/a", body(longest + 1))
                .expectFailure(.contentTooLarge, "more than 262144 bytes")
            // The length that a client claims is not trusted.
            let claimed = try await client.executeRequest(
                uri: "/activeconfig/user/a", method: .post, headers: [.contentLength: "1073741824"], body: nil)
            try claimed.expectFailure(.contentTooLarge, "more than 262144 bytes")
        }
    }

    @Test("Unknown paths are not found")
    func otherPathsAreNotFound() async throws {
        try await TestedRoutes().test { client async throws in
            for uri in ["/none", "/activeconfig", "/activeconfig/user/a/b", "/exposures"] {
                #expect(try await client.get(uri).status == .notFound, "\(uri)")
            }
        }
    }
}
