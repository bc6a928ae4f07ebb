import AllotConfiguration
import AllotCore
import AllotServing
import HTTPTypes
import Testing

struct ConfigurationRouteTests {
    @Test("The bytes of an answer are those of the plan")
    func bytesAreThoseOfThePlan() async throws {
        let routes = try TestedRoutes()
        try await routes.test { client async throws in
            for number in 0..<20 {
                var subject = Subject()
                subject.setUntyped("user_id", "user-\(number)")
                subject.setUntyped("country", "DE")
                let expected = routes.configuration(subject)
                for uri in ["/activeconfig/user/user-\(number)?", "/active_config?userID=user-\(number)&"] {
                    #expect(try await client.get(uri + "country=DE").bytes == expected)
                }
            }
            var subject = Subject()
            subject.setUntyped("country", "DE")
            let generic = routes.configuration(subject)
            #expect(try await client.get("/activeconfig/user/(null)?country=DE").bytes == generic)
            // A plus is a space in queries only.
            for (item, id) in [("a+b", "a b"), ("a%2Bb", "a+b")] {
                let expected = routes.configuration(Subject(id: id))
                #expect(try await client.get("/active_config?userID=\(item)").bytes == expected)
            }
        }
    }

    @Test(
        "A request without a user gets the generic configuration",
        arguments: [
            "/activeconfig/user", "/activeconfig/user/", "/activeconfig/user/(null)", "/activeconfig/user/%28null%29",
            "/active_config", "/active_config?userID=", "/active_config?userID=(null)", "/active_config?userID",
        ])
    func absentUserGetsTheGenericConfiguration(uri: String) async throws {
        let routes = try TestedRoutes()
        try await routes.test { client async throws in
            let response = try await client.get(uri)
            #expect(response.status == .ok)
            #expect(response.bytes == routes.configuration(Subject()))
        }
    }

    /// The router passes over slashes at the end of a path.
    @Test("Slashes at the end of a path change nothing")
    func slashesAtTheEndChangeNothing() async throws {
        let routes = try TestedRoutes()
        try await routes.test { client async throws in
            let expected = try await client.get("/activeconfig/user/tester").bytes
            for slashes in ["/", "//"] {
                #expect(try await client.get("/activeconfig/user/tester\(slashes)?country=FR").status == .ok)
                #expect(try await client.get("/activeconfig/user/tester\(slashes)").bytes == expected)
                #expect(try await client.get("/explain/tester\(slashes)").status == .ok)
            }
        }
    }

    @Test("Headers say how to cache the answer")
    func headersTellHowToKeepTheAnswer() async throws {
        try await TestedRoutes().test { client async throws in
            let response = try await client.get("/activeconfig/user/user-1")
            #expect(response.headers[.contentType] == "application/json")
            #expect(response.headers[.cacheControl] == "private")
            #expect(response.headers[.vary] == "Accept-Encoding")
            let tag = try #require(response.headers[.eTag])
            #expect(tag.hasPrefix("\""))
            #expect(tag.hasSuffix("\""))
            #expect(!tag.hasPrefix("\"\""))
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
        let routes = try TestedRoutes()
        // A unit that is forced shows that exactly this ID arrives: all others may share a decision.
        let forced = try TestedRoutes(
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
        }
        try await forced.test { client async throws in
            let response = try await client.get("/activeconfig/user/\(encoded)").json()
            #expect(response.setting("Page", "Color") == "green")
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

    /// A store could not keep the exposure of a unit that was assigned a variant by such a text.
    @Test("U+0000 is refused in IDs and attributes, whichever way they come")
    func nullIsRefused() async throws {
        let part = "contains U+0000"
        try await TestedRoutes().test { client async throws in
            for uri in [
                "/activeconfig/user/%00", "/activeconfig/user/a%00b", "/active_config?userID=a%00",
                "/activeconfig/user/a?device=%00", "/activeconfig/user/a?%00=1", "/explain/%00", "/explain/a?x=a%00",
            ] {
                try await client.get(uri).expectFailure(.badRequest, part)
            }
            try await client.post("/activeconfig/user/a%00", "{}").expectFailure(.badRequest, part)
            let body = #"{"attributes": {"device": "\u0000"}}"#
            try await client.post("/activeconfig/user/a", body).expectFailure(.badRequest, part)
            for context in [#"{"targetingKey": "\u0000"}"#, #"{"targetingKey": "a", "device": "b\u0000"}"#] {
                let json = try await client.post("/ofrep/v1/evaluate/flags", "{\"context\": \(context)}").json()
                #expect(json["errorCode"] == "INVALID_CONTEXT")
                #expect(json["errorDetails"]?.text?.contains(part) == true)
            }
        }
    }

    /// Found by `.ci/fuzz`: HTTP/1 refuses such a target itself, but a server that embeds the service might not.
    @Test(
        "U+0000 is refused in a target that is not percent-encoded", arguments: ["user-4\0", "a?device=b\0", "a?\0=1"])
    func plainNullIsRefused(end: String) throws {
        let plan = Plan(Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: []))
        let service = ConfigurationService(PlanStore(plan, loadedAt: Instant(seconds: 0)))
        #expect(service.answer(to: "/activeconfig/user/" + end).status == 400)
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
    static let unread: [(query: String, header: String?)] = [
        ("country=DE", nil), ("", nil), ("plattform=web", #""plattform";meant="platform""#),
        ("plattform=web&platform=ios", #""plattform""#), ("plattform=web&platform=", #""plattform""#),
        ("colour=red&plattform=web", #""colour", "plattform";meant="platform""#), ("device=x", nil),
        ("x%E2%80%AE%22%0D%0A=1", #""x%E2%80%AE%22%0D%0A""#),
        ("zz1=&zz2=&zz3=&zz4=&zz5=&zz6=", #""zz1", "zz2", "zz3", "zz4", "zz5""#),
        ("\(String(repeating: "z", count: 100))=1", "\"\(String(repeating: "z", count: 64))\""),
    ]

    @Test("A header names attributes that no definition reads, and the bytes are the same", arguments: unread.indices)
    func unreadAttributes(index: Int) async throws {
        let (query, header) = Self.unread[index]
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
        let service = ConfigurationService(PlanStore(plan, loadedAt: Instant(seconds: 0)))
        func header(_ answer: HTTPAnswer) -> String? { answer.headers.first { $0.name == "Allot-Unread" }?.value }
        #expect(header(service.answer(to: "/activeconfig/user/u?a=1", attributes: ["risk_score": 7])) == #""a""#)
        #expect(header(service.answer(to: "/activeconfig/user/u", attributes: ["risk_score": 7])) == nil)
        let known: JSONObject = ["risk_score": 7, "platform": "web"]
        let posted = service.answer(
            to: "/activeconfig/user/u", body: Array(#"{"attributes": {"b": 1}}"#.utf8), attributes: known)
        #expect(posted.status == 200)
        #expect(header(posted) == #""b""#)
    }

    @Test("An application's own route answers for a subject as the routes do, and says nothing of its attributes")
    func ownRoutes() throws {
        let service = ConfigurationService(
            PlanStore(try Self.platformPlan(), loadedAt: Instant(seconds: 0)), fetchInterval: .seconds(60))
        let attributes: JSONObject = ["risk_score": 7, "platform": "web"]
        let own = service.answer(for: Subject(id: "u", attributes: attributes))
        let route = service.answer(to: "/activeconfig/user/u", attributes: attributes)
        #expect(own.status == 200)
        #expect(own.body == route.body)
        #expect(own.headers.map(\.name) == route.headers.map(\.name))
        #expect(own.headers.map(\.value) == route.headers.map(\.value))
        let tag = own.headers.first { $0.name == "ETag" }?.value
        #expect(service.answer(for: Subject(id: "u", attributes: attributes), ifNoneMatch: tag).status == 304)
    }

    // MARK: Attributes in queries

    @Test("An attribute that is given twice is refused")
    func duplicateAttributesAreRefused() async throws {
        try await TestedRoutes().test { client async throws in
            for (uri, part) in [
                ("/activeconfig/user/a?x=1&x=1", "\"x\" is given twice"),
                ("/activeconfig/user/a?x=1&%78=2", "\"x\" is given twice"),
                ("/explain/a?x=1&x=2", "\"x\" is given twice"),
                ("/active_config?userID=a&userID=b", "userID is given twice"),
                ("/activeconfig/user/a?user_id=b", "user_id"), ("/active_config?userID=a&user_id=b", "user_id"),
                ("/explain/a?user_id=b", "user_id"),
            ] {
                try await client.get(uri).expectFailure(.badRequest, part)
            }
            // Names are compared by their bytes: these two are canonically equivalent.
            #expect(try await client.get("/activeconfig/user/a?caf%C3%A9=1&cafe%CC%81=2").status == .ok)
        }
    }

    @Test("A request has at most 256 attributes")
    func attributesAreLimited() async throws {
        let items = (0..<10_000).map { "a\($0)=\($0)" }
        try await TestedRoutes().test { client async throws in
            for start in ["/activeconfig/user/a?", "/active_config?userID=a&", "/explain/a?"] {
                let most = start + items.prefix(256).joined(separator: "&")
                #expect(try await client.get(most).status == .ok)
                for count in [257, 258, 10_000] {
                    try await client.get(start + items.prefix(count).joined(separator: "&"))
                        .expectFailure(.badRequest, "more than 256")
                }
            }
        }
    }

    @Test("Empty parts of a query are ignored")
    func emptyPartsOfQueriesSayNothing() async throws {
        let routes = try TestedRoutes()
        var subject = Subject()
        subject.setUntyped("user_id", "a")
        subject.setUntyped("country", "DE")
        let expected = routes.configuration(subject)
        try await routes.test { client async throws in
            for query in ["country=DE&", "&country=DE", "&&country=DE&&", "country=DE&city=", "country=DE&city"] {
                let response = try await client.get("/activeconfig/user/a?\(query)")
                #expect(response.bytes == expected, "\(query)")
            }
        }
    }

    // MARK: Typed attributes

    @Test("Attributes in a body keep their types")
    func bodiesGiveTypedAttributes() async throws {
        let routes = try TestedRoutes()
        try await routes.test { client async throws in
            let typed = try await client.post("/activeconfig/user/user-1", #"{"attributes": {"seats": 12}}"#)
            #expect(typed.bytes == routes.configuration(Subject(id: "user-1", attributes: ["seats": 12])))
            #expect(try typed.json().setting("Limits", "Count") == 9)
            let text = try await client.post("/activeconfig/user/user-1", #"{"attributes": {"seats": "12"}}"#)
            #expect(try text.json().setting("Limits", "Count") == 3)
            for empty in ["", "{}", #"{"attributes": {}}"#] {
                let response = try await client.post("/activeconfig/user/user-1", empty)
                #expect(response.bytes == routes.configuration(Subject(id: "user-1")), "\(empty)")
            }
            let generic = try await client.post("/activeconfig/user/(null)", #"{"attributes": {"seats": 12}}"#)
            #expect(generic.bytes == routes.configuration(Subject(attributes: ["seats": 12])))
        }
    }

    @Test("Attributes in the query of a POST have no types, and are not in its body as well")
    func queriesOfPostsGiveUntypedAttributes() async throws {
        try await TestedRoutes().test { client async throws in
            let body = #"{"attributes": {"country": "DE"}}"#
            let untyped = try await client.post("/activeconfig/user/user-1?seats=12", body)
            #expect(try untyped.json().setting("Limits", "Count") == 9)
            try await client.post("/activeconfig/user/user-1?country=&country%C3%A9=1", body)
                .expectFailure(.badRequest, "the attribute \"country\" is in the query and in the body; keep one")
            try await client.post("/activeconfig/user/user-1?user_id=a", body)
                .expectFailure(.badRequest, "user_id is the ID in the path")
            let items = (0..<256).map { "a\($0)=\($0)" }.joined(separator: "&")
            try await client.post("/activeconfig/user/user-1?\(items)", body)
                .expectFailure(.badRequest, "more than 256")
        }
    }

    /// Bodies that cannot be read, and what is said of them.
    static let malformed: [(String, String)] = [
        (#"{"attributes": {"#, "at line 1, column 17"), ("{\"attributes\": {\n\"a\": tru}}", "at line 2"),
        (" ", "not valid JSON"), (String(repeating: "[", count: 100_000), "not valid JSON"),
        ("[]", "not an object"), ("null", "not an object"), ("\"text\"", "not an object"),
        (#"{"attribute": {}}"#, "unknown member \"attribute\""),
        (#"{"attributes": []}"#, "attributes is not an object"),
        (#"{"attributes": null}"#, "attributes is not an object"),
        (#"{"attributes": {"user_id": "b"}}"#, "user_id is the ID in the path"),
        (#"{"attributes":{"# + (0..<257).map { "\"a\($0)\":1" }.joined(separator: ",") + "}}", "more than 256"),
    ]

    @Test("A malformed body is refused with its fault", arguments: malformed)
    func malformedBodiesAreRefused(body: String, part: String) async throws {
        try await TestedRoutes().test { client async throws in
            try await client.post("/activeconfig/user/a", body).expectFailure(.badRequest, part)
        }
    }

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
