import Allot
import AllotConfiguration
import AllotExposures
import HTTPTypes
import HummingbirdTesting
import TestSupport
import Testing

@Suite struct ExposureRouteTests {
    /// Asks a server that has a store of its own.
    private func test(_ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let store = try ExposureStore(folder.path("exposures.sqlite"))
        var routes = try TestedRoutes()
        routes.allot.exposures = store
        try await routes.test(body)
        await store.shutdown()
        withExtendedLifetime(folder) {}
    }

    private static func event(
        _ unit: String, _ variant: String = "green", at: String = "2026-11-21T11:00:00Z", and members: String = ""
    ) -> String {
        #"{"unit": "\#(unit)", "experiment": "button", "variant": "\#(variant)", "at": "\#(at)"\#(members)}"#
    }

    private static func batch(_ events: [String]) -> String {
        #"{"exposures": ["# + events.joined(separator: ", ") + "]}"
    }

    @Test("An exposure is stored once")
    func exposuresAreStoredOnce() async throws {
        try await test { client in
            let first = try await client.post(
                "/exposures",
                Self.batch([Self.event("a"), Self.event("b"), Self.event("a"), Self.event("a", "control")]))
            #expect(first.status == .ok)
            #expect(try first.json() == ["duplicates": 1, "errors": [], "stored": 3])
            let again = try await client.post("/exposures", "[\(Self.event("b"))]")
            #expect(try again.json() == ["duplicates": 1, "errors": [], "stored": 0])
        }
    }

    @Test("Two events with one ID are one exposure")
    func eventsOfOneIDAreOne() async throws {
        try await test { client in
            let events = [
                Self.event("a", and: #", "id": "1""#), Self.event("b", and: #", "id": "1""#),
                Self.event("c", and: #", "id": "2""#),
            ]
            let response = try await client.post("/exposures", Self.batch(events))
            #expect(try response.json() == ["duplicates": 1, "errors": [], "stored": 2])
            let units = try await client.get("/exposures").text.split(separator: "\n").dropFirst().map { $0.prefix(1) }
            #expect(units == ["a", "c"])
        }
    }

    @Test("The earliest time of an exposure is kept")
    func earliestTimeIsKept() async throws {
        try await test { client in
            for at in ["2026-11-21T11:00:00Z", "2026-11-21T12:30:00.5+02:00", "2026-11-21T11:30:00Z"] {
                _ = try await client.post("/exposures", Self.batch([Self.event("a", at: at)]))
            }
            let csv = try await client.get("/exposures").text
            #expect(
                csv == "unit,variant,experiment,at,attributes\na,green,button,2026-11-21T10:30:00.500Z,\n")
        }
    }

    // MARK: What cannot be stored

    /// Items of a batch and what is said of them; the others of the batch are stored.
    static let faults = [
        ("7", "not an object"), ("null", "not an object"), ("{}", "unit is missing"),
        (#"{"unit": "a", "experiment": "button", "at": "2026-11-21T11:00:00Z"}"#, "variant is missing"),
        (#"{"unit": "a", "variant": "green", "at": "2026-11-21T11:00:00Z"}"#, "experiment is missing"),
        (#"{"unit": "a", "experiment": "button", "variant": "green"}"#, "at is missing"),
        (#"{"unit": 7, "experiment": "button", "variant": "green", "at": "x"}"#, "unit is not a string"),
        (event(""), "unit has 0 bytes"), (event(String(repeating: "x", count: 1025)), "unit has 1025 bytes"),
        (event(#"a\u0000b"#), "U+0000"), (event("a", "grün"), #"no variant "grün""#),
        (event("a").replacing("button", with: "buton"), #"no experiment "buton""#),
        (event("a", at: "yesterday"), "at is not a time"), (event("a", at: "2026-11-21"), "at is not a time"),
        (event("a", at: "2026-11-21T12:10:01Z"), "in the future"),
        (event("a", at: "9999-12-31T23:59:59Z"), "in the future"),
        (event("a", at: "1969-12-31T23:59:59Z"), "before 1970"),
        (event("a", and: #", "attributes": []"#), "attributes is not an object"),
        (
            event("a", and: #", "attributes": {"x": "\#(String(repeating: "x", count: 4089))"}"#),
            "more than 4096 bytes"
        ),
        (event("a", and: #", "id": """#), "id has 0 bytes"), (event("a", and: #", "id": 7"#), "id is not a string"),
        (event("a", and: #", "id": "\#(String(repeating: "x", count: 129))""#), "id has 129 bytes"),
        (event("a", and: #", "user": "a""#), #"no member "user""#),
    ]

    @Test("Faulty items are reported by index and the others are stored", arguments: faults)
    func faultyItemsAreToldApart(item: String, part: String) async throws {
        try await test { client in
            let response = try await client.post(
                "/exposures", Self.batch([Self.event("before"), item, Self.event("after")]))
            #expect(response.status == .ok)
            let json = try response.json()
            #expect(json["stored"] == 2)
            #expect(json["errors"]?[0]?["index"] == 1)
            #expect(json["errors"]?[1] == nil)
            let message = try #require(json["errors"]?[0]?["error"]?.text)
            #expect(message.contains(part), "\(message)")
        }
    }

    /// U+212A, the sign for kelvins, is canonically equivalent to "K" but another text.
    @Test("Keys are compared by their bytes")
    func keysAreComparedByBytes() async throws {
        let folder = try TemporaryFolder()
        let store = try ExposureStore(folder.path("exposures.sqlite"))
        var routes = try TestedRoutes(
            Fixture.plan(["K.yaml": "status: running\nvariants: [{ key: K }]\n"]))
        routes.allot.exposures = store
        try await routes.test { client in
            let pairs = [("\u{212A}", "K"), ("K", "\u{212A}"), ("K", "K")]
            let events = pairs.map {
                #"{"unit": "a", "experiment": "\#($0)", "variant": "\#($1)", "at": "2026-11-21T11:00:00Z"}"#
            }
            let json = try await client.post("/exposures", Self.batch(events)).json()
            #expect(json["stored"] == 1)
            #expect(json["errors"]?[0]?["index"] == 0)
            #expect(json["errors"]?[1]?["index"] == 1)
            for uri in ["/experiments/%E2%84%AA/exposures", "/explain/a?experiment=%E2%84%AA"] {
                let answer = try await client.get(uri)
                #expect(answer.status == .notFound)
            }
        }
        await store.shutdown()
        withExtendedLifetime(folder) {}
    }

    @Test("Limits include their bounds")
    func limitsAreInclusive() async throws {
        try await test { client in
            let events = [
                Self.event(String(repeating: "x", count: 1024)), Self.event("a", at: "2026-11-21T12:10:00Z"),
                Self.event("b", at: "1970-01-01T00:00:00Z"),
                Self.event("c", and: #", "attributes": {"x": "\#(String(repeating: "x", count: 4088))"}"#),
                Self.event("d", and: #", "id": "\#(String(repeating: "x", count: 128))""#),
            ]
            let response = try await client.post("/exposures", Self.batch(events))
            #expect(try response.json() == ["duplicates": 0, "errors": [], "stored": 5])
        }
    }

    @Test(
        "A body that is not a batch is refused",
        arguments: [
            ("", "no body"), ("{", "not valid JSON"), ("{}", "not a batch"), (#"{"exposures": {}}"#, "not a batch"),
            (#"{"exposures": [], "more": 1}"#, "not a batch"), ("7", "not a batch"),
            (String(repeating: "[", count: 100_000), "not valid JSON"),
        ])
    func aBodyThatIsNotABatchIsRefused(body: String, part: String) async throws {
        try await test { client in
            try await client.post("/exposures", body).expectFailure(.badRequest, part)
        }
    }

    @Test("A batch has a limited number of exposures")
    func batchesAreLimited() async throws {
        try await test { client in
            #expect(try await client.post("/exposures", "[]").json() == ["duplicates": 0, "errors": [], "stored": 0])
            let many = "[" + String(repeating: "1,", count: 10_000) + "1]"
            try await client.post("/exposures", many).expectFailure(.contentTooLarge, "more than 10000 exposures")
            let most = "[" + String(repeating: "1,", count: 9_999) + "1]"
            let response = try await client.post("/exposures", most)
            #expect(response.status == .ok)
            #expect(try response.json()["errors"]?[9_999]?["index"] == 9_999)
            let large = "[" + String(repeating: " ", count: 4 * 1024 * 1024) + "]"
            try await client.post("/exposures", large).expectFailure(.contentTooLarge, "more than 4194304 bytes")
        }
    }

    // MARK: Reading

    @Test("Units are counted by variant")
    func unitsAreCounted() async throws {
        try await test { client in
            let events = [
                Self.event("a"), Self.event("b"), Self.event("c", "control"), Self.event("a", "control"),
            ]
            _ = try await client.post("/exposures", Self.batch(events))
            let counts = try await client.get("/experiments/button/exposures").json()
            #expect(
                counts == [
                    "experiment": "button", "units_in_several_variants": 1,
                    "variants": [
                        ["buckets": 500_000, "units": 2, "variant": "control"],
                        ["buckets": 500_000, "units": 2, "variant": "green"],
                    ],
                ])
            try await client.get("/experiments/buton/exposures").expectFailure(.notFound, "\"buton\"")
        }
    }

    @Test("Exposures to former variants are counted")
    func exposuresOfFormerVariantsAreCounted() async throws {
        let folder = try TemporaryFolder()
        let store = try ExposureStore(folder.path("exposures.sqlite"))
        _ = try await store.record([Exposure(unit: "a", experiment: "button", salt: "button", variant: "red", at: 0)])
        var routes = try TestedRoutes()
        routes.allot.exposures = store
        try await routes.test { client in
            let counts = try await client.get("/experiments/button/exposures").json()
            #expect(counts["variants"]?[2] == ["units": 1, "variant": "red"])
        }
        await store.shutdown()
        withExtendedLifetime(folder) {}
    }

    @Test("An export is CSV")
    func exportsAreCSV() async throws {
        try await test { client in
            let quoted = Self.event(
                #"a,\"b\"\n"#, and: #", "id": "7", "attributes": {"country": "DE", "seats": 12}"#)
            let other = Self.event("c", "wide").replacing("button", with: "box")
            let response = try await client.post("/exposures", Self.batch([quoted, other]))
            #expect(try response.json()["stored"] == 2)
            let csv = try await client.get("/exposures")
            #expect(csv.headers[.contentType] == "text/csv; charset=utf-8; header=present")
            #expect(csv.headers[.contentDisposition] == "attachment; filename=\"exposures.csv\"")
            #expect(csv.headers[.cacheControl] == "no-store")
            let header = "unit,variant,experiment,at,attributes\n"
            let first = #"""
                "a,""b""
                ",green,button,2026-11-21T11:00:00.000Z,"{""country"":""DE"",""seats"":12}"

                """#
            let second = "c,wide,box,2026-11-21T11:00:00.000Z,\n"
            #expect(csv.text == header + first + second)
            #expect(try await client.get("/exposures?experiment=box").text == header + second)
            #expect(try await client.get("/exposures?experiment=none").text == header)
            try await client.get("/exposures?experiment=a&experiment=b").expectFailure(
                .badRequest, "one experiment=KEY")
            try await client.get("/exposures?variant=a").expectFailure(.badRequest, "one experiment=KEY")
        }
    }

    /// More than the store reads at once.
    @Test("A long export is complete")
    func longExportsAreWhole() async throws {
        try await test { client in
            let response = try await client.post("/exposures", Self.batch((0..<5_001).map { Self.event("unit-\($0)") }))
            #expect(try response.json()["stored"] == 5_001)
            let lines = try await client.get("/exposures").text.split(separator: "\n")
            #expect(lines.dropFirst().map { $0.prefix { $0 != "," } } == (0..<5_001).map { "unit-\($0)" }.sorted())
        }
    }

    @Test("A closed store asks clients to come back later")
    func closedStoresAskToComeBack() async throws {
        let folder = try TemporaryFolder()
        let store = try ExposureStore(folder.path("exposures.sqlite"))
        var routes = try TestedRoutes()
        routes.allot.exposures = store
        await store.shutdown()
        try await routes.test { client in
            let response = try await client.post("/exposures", Self.batch([Self.event("a")]))
            try response.expectFailure(.serviceUnavailable, "send them again later")
            #expect(response.headers[.retryAfter] != nil)
        }
        withExtendedLifetime(folder) {}
    }
}
