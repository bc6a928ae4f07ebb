import AllotCore
import AllotServer
import HTTPTypes
import HummingbirdTesting
import Testing

struct ConditionalRequestTests {
    private static let uri = "/activeconfig/user/user-1"

    private func tag(_ client: any TestClientProtocol, _ uri: String = uri, gzip: Bool = false) async throws -> String {
        let headers: HTTPFields = gzip ? [.acceptEncoding: "gzip"] : [:]
        return try #require(try await client.get(uri, headers).headers[.eTag])
    }

    @Test("An answer that the client already has is not sent again")
    func knownAnswersAreNotSentAgain() async throws {
        try await TestedRoutes().test { client async throws in
            let tag = try await tag(client)
            let packed = try await self.tag(client, gzip: true)
            #expect(tag != packed)
            let known = [
                tag, packed, "W/\(tag)", "*", " * ", "\"other\", \(tag)", "\"other\",W/\(tag)", "\t\(tag) ,\"other\"",
            ]
            for value in known {
                for encoding in ["gzip", "identity"] {
                    let response = try await client.get(Self.uri, [.ifNoneMatch: value, .acceptEncoding: encoding])
                    #expect(response.status == .notModified, "\(value)")
                    #expect(response.bytes == [], "\(value)")
                    // The tag of the representation that the client has.
                    #expect(response.headers[.eTag] == (value == packed ? packed : tag))
                    #expect(response.headers[.cacheControl] == "private")
                    #expect(response.headers[.vary] == "Accept-Encoding")
                    #expect(response.headers[.contentEncoding] == nil)
                }
            }
        }
    }

    @Test("An answer that differs from the client's is sent")
    func otherAnswersAreSent() async throws {
        try await TestedRoutes().test { client async throws in
            let tag = try await tag(client)
            let bare = tag.filter { $0 != "\"" }
            for value in ["\"other\"", bare, "", "w/\(tag)", "\"\(bare)-br\"", "\"\(bare.dropLast())\"", ",", "\"*\""] {
                let response = try await client.get(Self.uri, [.ifNoneMatch: value])
                #expect(response.status == .ok, "\(value)")
                #expect(!response.bytes.isEmpty, "\(value)")
            }
        }
    }

    /// Tags differ exactly where answers differ, whatever attributes say.
    @Test("Equal tags stand for equal answers")
    func tagsStandForAnswers() async throws {
        try await TestedRoutes().test { client async throws in
            var tags: [String: [UInt8]] = [:]
            for number in 0..<50 {
                for query in ["", "?country=DE", "?country=FR", "?country=US&city=x"] {
                    let response = try await client.get("/activeconfig/user/user-\(number)\(query)")
                    let tag = try #require(response.headers[.eTag])
                    #expect(tags[tag, default: response.bytes] == response.bytes)
                    tags[tag] = response.bytes
                }
            }
            #expect(Set(tags.values).count == tags.count)
            #expect(tags.count > 50)
        }
    }

    /// The base has no time of its own here: the servers loaded the same definitions at different times.
    @Test("Two servers with the same definitions give the same tags and the same bytes")
    func serversAgree() async throws {
        let base = Fixture.base.replacing(#""creation_time": "2026-11-21T01:08Z""#, with: "")
        let one = try TestedRoutes(Fixture.plan(["base.json": base]))
        let later = Instant(seconds: Fixture.instant.seconds + 3600)
        let other = try TestedRoutes(Fixture.plan(["base.json": base], loadedAt: later))
        try await one.test { first in
            try await other.test { second in
                for number in 0..<20 {
                    let body = #"{"context": {"targetingKey": "\#(number)"}}"#
                    for (uri, body) in [
                        ("/activeconfig/user/\(number)?country=DE", nil), ("/active_config?userID=\(number)", nil),
                        ("/ofrep/v1/evaluate/flags", body),
                    ] as [(String, String?)] {
                        let (answer, other) = (try await first.send(uri, body), try await second.send(uri, body))
                        #expect(answer.headers[.eTag] != nil)
                        #expect(answer.headers[.eTag] == other.headers[.eTag])
                        #expect(answer.bytes == other.bytes)
                    }
                }
            }
        }
    }

    @Test("A replaced plan is served at once")
    func replacedPlanIsServedAtOnce() async throws {
        let routes = try TestedRoutes()
        try await routes.test { client async throws in
            let before = try await client.get("/activeconfig/user/tester")
            #expect(try before.json().setting("Page", "Color") == "green")
            let tag = try #require(before.headers[.eTag])
            let same = try Fixture.plan()
            #expect(!routes.allot.plans.replace(with: same, loadedAt: Fixture.instant))
            #expect(try await client.get("/activeconfig/user/tester", [.ifNoneMatch: tag]).status == .notModified)
            let changed = try Fixture.plan(["button.yaml": Fixture.changedButton])
            #expect(routes.allot.plans.replace(with: changed, loadedAt: Fixture.instant))
            let after = try await client.get("/activeconfig/user/tester", [.ifNoneMatch: tag])
            #expect(after.status == .ok)
            #expect(try after.json().setting("Page", "Color") == "dark green")
            #expect(after.headers[.eTag] != tag)
            let flag = try await client.post(
                "/ofrep/v1/evaluate/flags/Page.Color", #"{"context": {"targetingKey": "tester"}}"#)
            #expect(try flag.json()["value"] == "dark green")
        }
    }

    // MARK: Compression

    /// Values of `Accept-Encoding`; whether a long answer and a short one are compressed.
    static let codings: [(values: [String], long: Bool, short: Bool)] = [
        (["gzip", "x-gzip", "deflate, gzip;q=0.5", "GZIP", "*", "br;q=1, *;q=0.1", "gzip ; q=1"], true, false),
        (["", "identity", "gzip;q=0", "gzip; q=0.0", "gzip;q=0, *", "*;q=0", "br", "gzipped"], false, false),
        // A client that accepts nothing gets plain answers.
        (["br, gzip;Q=0", "identity;q=0", "*;q=0", "br, identity;q=0"], false, false),
        (["gzip, identity;q=0", "gzip;q=0.1, *;q=0", "identity;q=0, *"], true, true),
    ]

    @Test("An answer is compressed if the client accepts gzip, and it is long or the client refuses plain ones")
    func answersAreCompressed() async throws {
        for isLong in [true, false] {
            let text = isLong ? Fixture.longText : "short"
            let base = Fixture.base.replacing(Fixture.longText, with: text)
            try await TestedRoutes(Fixture.plan(["base.json": base])).test { client async throws in
                let plain = try await client.get("/activeconfig/user")
                #expect((plain.bytes.count >= 1024) == isLong)
                for (values, long, short) in Self.codings {
                    for accepted in values {
                        let answer = try await client.get("/activeconfig/user", [.acceptEncoding: accepted])
                        let isPacked = isLong ? long : short
                        #expect(answer.status == .ok)
                        #expect(answer.headers[.vary] == "Accept-Encoding")
                        #expect(answer.headers[.contentEncoding] == (isPacked ? "gzip" : nil), "\(accepted)")
                        #expect((answer.headers[.eTag] != plain.headers[.eTag]) == isPacked, "\(accepted)")
                        #expect(try (isPacked ? Gunzip.bytes(answer.bytes) : answer.bytes) == plain.bytes)
                    }
                }
            }
        }
    }
}
