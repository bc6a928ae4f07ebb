import AllotConfiguration
import AllotCore
import AllotServer
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

struct FlagRouteTests {
    private static let bulk = "/ofrep/v1/evaluate/flags"

    private static func context(_ id: String, _ members: String = "") -> String {
        #"{"context": {"targetingKey": \#(JSONValue.string(id).canonicalText)\#(members)}}"#
    }

    /// Clients exist that fail without a variant (Python's openfeature-provider-ofrep 0.3.0).
    @Test("The bulk answer agrees with single flags and with the configuration, and every flag has a variant")
    func allFlagsAgreeWithSingleOnesAndTheConfiguration() async throws {
        let routes = try TestedRoutes()
        try await routes.test { client async throws in
            for number in 0..<10 {
                let id = "user-\(number)"
                let body = Self.context(id, #", "country": "FR", "seats": 3"#)
                let json = try await client.post(Self.bulk, body).json()
                #expect(json["metadata"]?["configurationRevision"] == .string(routes.plan.revision))
                guard case .array(let flags)? = json["flags"] else { throw Missing() }
                #expect(flags.count == 9)
                let configuration = routes.plan.configuration(
                    for: Subject(id: id, attributes: ["country": "FR", "seats": 3]), at: Fixture.instant)
                for flag in flags {
                    let key = try #require(flag["key"]?.text)
                    let single = try await client.post("\(Self.bulk)/\(key)", body)
                    #expect(single.headers[.contentType] == "application/json")
                    #expect(try single.json() == flag)
                    #expect(flag["variant"]?.text?.isEmpty == false)
                    let names = key.split(separator: ".").map(String.init)
                    #expect(configuration.value(names[0], names[1]) == flag["value"] ?? .null)
                }
            }
            // A null leaves the default to the application.
            let nothing = try await client.post("\(Self.bulk)/Limits.Nothing", Self.context("user-1")).json()
            #expect(nothing["key"] == "Limits.Nothing")
            #expect(nothing["value"] == nil)
            #expect(nothing["errorCode"] == nil)
        }
    }

    private struct Missing: Error {}

    @Test("The bulk answer has an entity tag")
    func bulkAnswersHaveTags() async throws {
        let routes = try TestedRoutes()
        try await routes.test { client async throws in
            let first = try await client.post(Self.bulk, Self.context("tester"))
            let tag = try #require(first.headers[.eTag])
            let again = try await client.post(Self.bulk, Self.context("tester"), [.ifNoneMatch: tag])
            #expect(again.status == .notModified)
            #expect(again.bytes == [])
            let other = try await client.post(
                Self.bulk, Self.context("tester", #", "country": "DE""#), [.ifNoneMatch: tag])
            #expect(other.status == .ok)
            let packed = try await client.post(Self.bulk, Self.context("tester"), [.acceptEncoding: "gzip"])
            #expect(packed.headers[.contentEncoding] == "gzip")
            #expect(try Gunzip.bytes(packed.bytes) == first.bytes)
        }
    }

    @Test(
        "The event stream's address is where the routes are mounted",
        arguments: [("", "/events"), ("ab", "/ab/events"), ("shop/v2", "/shop/v2/events")])
    func eventStreamsHaveAddresses(prefix: String, address: String) async throws {
        let routes = try TestedRoutes()
        let router = Router()
        router.group(RouterPath(prefix)).addAllot(routes.allot)
        router.group("other").addAllot(routes.allot)
        try await Application(router: router).test(.router) { client async throws in
            let mounted = prefix.isEmpty ? "" : "/" + prefix
            // Answers with different addresses have different tags.
            let other = try await client.post("/other" + Self.bulk, Self.context("user-1"))
            let own = try await client.post(mounted + Self.bulk, Self.context("user-1"))
            #expect(own.headers[.eTag] != nil)
            #expect(own.headers[.eTag] != other.headers[.eTag])
            for uri in [mounted + Self.bulk, mounted + Self.bulk + "/", "/" + mounted + Self.bulk + "?a=/b"] {
                let json = try await client.post(uri, Self.context("user-1")).json()
                #expect(json["eventStreams"]?[0]?["endpoint"]?["requestUri"] == .string(address), "\(uri)")
            }
        }
    }

    // MARK: Failures

    private static let unknownKeys: [String] = [
        "Page.Colour", "Page", "Page.", ".Color", "page.color", "Page.Color.x", "Page%2FColor", "%F0%9F%98%80",
    ]

    /// Keys in paths, and the status, the code and a part of the details of the failure.
    private static let keys: [(String, Int, String, String)] =
        unknownKeys.map { ($0, 404, "FLAG_NOT_FOUND", "Section.Setting") } + [
            ("%ZZ", 400, "PARSE_ERROR", "percent-encoded"), ("Page.Color%", 400, "PARSE_ERROR", "percent-encoded"),
            ("%ff", 400, "PARSE_ERROR", "percent-encoded"), ("%00", 400, "PARSE_ERROR", "U+0000"),
        ]

    @Test("A key that names no setting, or cannot be one, is a failure with a code", arguments: keys)
    func otherKeysAreFailures(key: String, status: Int, code: String, part: String) async throws {
        try await TestedRoutes().test { client async throws in
            let response = try await client.post("\(Self.bulk)/\(key)", Self.context("user-1"))
            #expect(response.status.code == status)
            let json = try response.json()
            #expect(json["errorCode"] == .string(code))
            // A malformed key is returned as it was sent.
            #expect(json["key"] == .string(key) || status == 404 && json["key"]?.text != nil)
            #expect(json["errorDetails"]?.text?.contains(part) == true)
        }
    }

    static let failures: [(String, String)] = [
        ("{", "PARSE_ERROR"), (#"{"context": {"targetingKey": "a",}}"#, "PARSE_ERROR"),
        (String(repeating: "[", count: 100_000), "PARSE_ERROR"), ("", "INVALID_CONTEXT"), ("{}", "INVALID_CONTEXT"),
        ("[]", "INVALID_CONTEXT"), (#"{"context": []}"#, "INVALID_CONTEXT"), (#"{"context": null}"#, "INVALID_CONTEXT"),
        (#"{"context": {}}"#, "TARGETING_KEY_MISSING"), (#"{"context": {"user_id": "a"}}"#, "TARGETING_KEY_MISSING"),
        (#"{"context": {"targetingKey": 7}}"#, "INVALID_CONTEXT"),
        (#"{"context": {"targetingKey": null}}"#, "INVALID_CONTEXT"),
        (#"{"context": {"targetingKey": ""}}"#, "INVALID_CONTEXT"),
        (#"{"context": {"targetingKey": "\u0000"}}"#, "INVALID_CONTEXT"),
        (#"{"context": {"targetingKey": "a", "device": "b\u0000"}}"#, "INVALID_CONTEXT"),
        (#"{"context": {"targetingKey": "\#(String(repeating: "x", count: 1025))"}}"#, "INVALID_CONTEXT"),
        (
            #"{"context": {"targetingKey": "a", \#((0..<257).map { "\"a\($0)\": 1" }.joined(separator: ","))}}"#,
            "INVALID_CONTEXT"
        ),
    ]

    @Test("A failure has OpenFeature's error code", arguments: failures)
    func failuresHaveCodes(body: String, code: String) async throws {
        try await TestedRoutes().test { client async throws in
            for (uri, key) in [(Self.bulk, nil), ("\(Self.bulk)/Page.Color", "Page.Color" as JSONValue?)] {
                let response = try await client.post(uri, body)
                #expect(response.status == .badRequest)
                let json = try response.json()
                #expect(json["errorCode"] == .string(code))
                #expect(json["errorDetails"]?.text?.isEmpty == false)
                if body.contains(#"\u0000"#) { #expect(json["errorDetails"]?.text?.contains("U+0000") == true) }
                #expect(json["key"] == key)
            }
        }
    }

    @Test("A body has a limited size")
    func bodiesAreLimited() async throws {
        try await TestedRoutes().test { client async throws in
            let body = Self.context("a", #", "x": "\#(String(repeating: "x", count: 256 * 1024))""#)
            #expect(try await client.post(Self.bulk, body).status == .contentTooLarge)
            #expect(try await client.post("\(Self.bulk)/Page.Color", body).status == .contentTooLarge)
        }
    }

    /// Targeting keys, and what else the context calls `user_id`.
    static let users: [(key: String, user: String, isSame: Bool)] = [
        ("tester", #""tester""#, true), ("tester", "null", true), ("7", "7", true), ("0", "-0", true),
        ("user-1", #""tester""#, false), ("tester", #""user-1""#, false), ("tester", #""Tester""#, false),
        ("tester", #""tester ""#, false), ("tester", #""""#, false), ("7", "7.0", false), ("7", "8", false),
        ("9007199254740993", "9007199254740993", false), ("true", "true", false), ("[]", "[]", false),
        // Canonically equivalent texts are two users.
        ("caf\u{e9}", #""cafe\u0301""#, false),
    ]

    @Test("The context cannot name another user", arguments: users.indices)
    func contextCannotNameAnotherUser(index: Int) async throws {
        let (key, user, isSame) = Self.users[index]
        let routes = try TestedRoutes()
        try await routes.test { client async throws in
            for uri in [Self.bulk, "\(Self.bulk)/Page.Color", "\(Self.bulk)/Page.Title"] {
                let answer = try await client.post(uri, Self.context(key, #", "user_id": \#(user)"#))
                let alone = try await client.post(uri, Self.context(key))
                if isSame {
                    #expect(answer.status == .ok)
                    #expect(answer.bytes == alone.bytes)
                } else {
                    #expect(answer.status == .badRequest)
                    #expect(try answer.json()["errorCode"] == "INVALID_CONTEXT")
                }
            }
        }
    }
}
