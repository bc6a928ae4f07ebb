import AllotConfiguration
import AllotCore
import AllotExposures
import AllotServer
import HTTPTypes
import HummingbirdTesting
import TestSupport
import Testing

@testable import AllotServing

/// What `POST /exposures` stores, and what it refuses.
struct ExposureRouteTests {
    private func test(_ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        try await TestedRoutes.testExposures { client, _ in try await body(client) }
    }

    @Test("An exposure is stored once, and two events with one ID are one exposure")
    func exposuresAreStoredOnce() async throws {
        try await test { client async throws in
            let batches: [(events: [String], stored: JSONValue, duplicates: JSONValue)] = [
                ([Event.text("a"), Event.text("b"), Event.text("a"), Event.text("a", "control")], 3, 1),
                ([Event.text("b")], 0, 1),
                (["c", "d", "e"].map { Event.text($0, and: #", "id": "\#($0 == "e" ? 2 : 1)""#) }, 2, 1),
            ]
            for (events, stored, duplicates) in batches {
                let answer = try await client.post("/exposures", Event.batch(events))
                #expect(try answer.json() == ["duplicates": duplicates, "errors": [], "stored": stored])
            }
            let again = try await client.post("/exposures", "[\(Event.text("b"))]")
            #expect(try again.json() == ["duplicates": 1, "errors": [], "stored": 0])
            #expect(try await client.rows().map { $0["unit"] } == ["a", "b", "a", "c", "e"])
        }
    }

    @Test(
        "A new salt is a new randomisation of the same experiment; with another system's hash it is any text",
        arguments: [
            ("salt: button-2\n" + Fixture.changedButton, "button-2", "button"),
            (
                """
                status: running
                hash: eppo/1
                salt: "any: salt é"
                variants: [{ key: control, buckets: [0..<5000] }, { key: green, buckets: [5000..<10000] }]
                """, "any: salt é", "a former: one"
            ),
        ])
    func saltsAreRandomisations(definition: String, salt: String, former: String) async throws {
        try await TestedRoutes.testExposures(Fixture.plan(["button.yaml": definition])) { client, _ in
            // Without a salt it is that of the definition.
            try await client.expose(
                Event.text("a", and: #", "salt": "\#(former)""#), Event.text("a"), Event.text("b"))
            let known = Event.text("a", and: #", "salt": "\#(salt)""#)
            let again = try await client.post("/exposures", Event.batch([known]))
            #expect(try again.json() == ["duplicates": 1, "errors": [], "stored": 0])
            #expect(try await client.rows("?experiment=button").map { $0["salt"] } == [salt, salt])
            let other = "?experiment=button&salt=" + former.replacing(" ", with: "%20")
            #expect(try await client.rows(other).map { $0["unit"] } == ["a"])
            #expect(try await client.rows().count == 3)
        }
    }

    @Test("What older clients wrote into attributes is read as members, where these are missing")
    func olderClientsAreUnderstood() async throws {
        try await test { client async throws in
            try await client.expose(
                Event.text(
                    "old",
                    and: #", "attributes": {"revision": "1f0c", "reason": "winner", "override": false, "app": "4"}"#),
                Event.text(
                    "tester", and: #", "attributes": {"revision": "1f0c", "reason": "split", "override": true}"#),
                // What only looks like a reason stays an attribute.
                Event.text("x", "control", and: #", "attributes": {"reason": "curiosity"}"#))
            let rows = try await client.rows() + client.rows("?counted=false")
            #expect(rows.map { $0["unit"] } == ["old", "x", "tester"])
            #expect(rows.map { $0["revision"] } == ["1f0c", "", "1f0c"])
            #expect(rows.map { $0["reason"] } == ["winner", "split", "split"])
            #expect(rows.map { $0["override"] } == ["false", "false", "true"])
            #expect(
                rows.map { $0["attributes"] } == [#""{""app"":""4""}""#, #""{""reason"":""curiosity""}""#, ""])
        }
    }

    // MARK: What can never be stored

    /// Items of a batch and what is said of them; the others of the batch are stored.
    static let faults = [
        ("7", "not an object"), ("null", "not an object"), ("{}", "unit is missing"),
        (#"{"unit": "a", "experiment": "button", "at": "2026-11-21T11:00:00Z"}"#, "variant is missing"),
        (#"{"unit": "a", "variant": "green", "at": "2026-11-21T11:00:00Z"}"#, "experiment is missing"),
        (#"{"unit": "a", "experiment": "button", "variant": "green"}"#, "at is missing"),
        (#"{"unit": 7, "experiment": "button", "variant": "green", "at": "x"}"#, "unit is not a string"),
        (Event.text(""), "unit has 0 bytes"), (Event.text(String(repeating: "x", count: 1025)), "unit has 1025 bytes"),
        (Event.text(#"a\u0000b"#), "U+0000"), (Event.text("a", "grün"), #"variant "grün" is not valid"#),
        (Event.text("a", ""), #"variant "" is not valid"#),
        (Event.text("a", of: "but ton"), #"experiment "but ton" is not valid"#),
        (Event.text("a", of: "-abc"), #""_" and "-", the first a letter or digit"#),
        (Event.text("a", and: #", "salt": "a\u0000""#), "it has 1 to 1024 bytes without U+0000"),
        (Event.text("a", of: String(repeating: "x", count: 65)), "is not valid"),
        (Event.text("a", and: #", "salt": """#), #"salt "" is not valid"#),
        (Event.text("a", and: #", "salt": null"#), "salt is not a string"),
        (Event.text("a", at: "yesterday"), "at is not a time"), (Event.text("a", at: "2026-11-21"), "at is not a time"),
        (Event.text("a", and: #", "attributes": []"#), "attributes is not an object"),
        (
            Event.text("a", and: #", "attributes": {"x": "\#(String(repeating: "x", count: 4089))"}"#),
            "more than 4096 bytes"
        ),
        (Event.text("a", and: #", "window": -1"#), "window is not a whole number of 0 or more"),
        (Event.text("a", and: #", "window": 1.5"#), "window is not a whole number of 0 or more"),
        (Event.text("a", and: #", "window": "1""#), "window is not a whole number of 0 or more"),
        (Event.text("a", and: #", "id": """#), "id has 0 bytes"),
        (Event.text("a", and: #", "id": 7"#), "id is not a string"),
        (Event.text("a", and: #", "id": "\#(String(repeating: "x", count: 129))""#), "id has 129 bytes"),
        (Event.text("a", and: #", "reason": """#), "reason has 0 bytes"),
        (Event.text("a", and: #", "revision": "\#(String(repeating: "x", count: 65))""#), "revision has 65 bytes"),
        (Event.text("a", and: #", "reason": "a\u0000b""#), "U+0000"),
        (Event.text("a", and: #", "override": "true""#), "override is not true or false"),
        (Event.text("a", and: #", "reason": "everyone""#), "there is no exposure; do not report it"),
        // Malformed and from a later version: it is malformed.
        (Event.text("a", "grün", and: #", "later": 1"#), #"variant "grün" is not valid"#),
    ]

    @Test("An experiment that is not randomised has no exposures, but those of a former randomisation are stored")
    func withoutUnit() async throws {
        let plan = try Fixture.plan(of: [
            "over.yaml": "{ status: concluded, winner: a, unit: none, variants: [{ key: a }] }",
            "base.yaml": "{ config_sections: { Page: { settings: {} } } }",
        ])
        try await TestedRoutes.testExposures(plan) { client, _ in
            let revision = plan.experiments[0].revision
            let events = ["", #", "reason": "winner""#, #", "revision": "\#(revision)""#].map {
                Event.text("u", "a", of: "over", and: $0)
            }
            let refused = try await client.post("/exposures", Event.batch(events)).json()
            #expect(refused["stored"] == 0)
            #expect((0..<3).allSatisfy { refused["errors"]?[$0]?["retry"] == false })
            let missing = try await client.get("/experiments/over/exposures")
            #expect(missing.text.contains("over is not randomised (unit: none), so there are no exposures to count"))
            try await client.expose(
                Event.text("u", "a", of: "over", and: #", "salt": "over""#),
                Event.text("v", "a", of: "over", and: #", "revision": "former""#))
        }
    }

    /// Items that another server, or this one later, may take.
    static let postponed = [
        (Event.text("a", and: #", "user": "a""#), #"no member "user""#),
        (Event.text("a", and: #", "reason": "later""#), "the reasons are split, winner, forced, override"),
        (Event.text("a", at: "2026-11-21T12:10:00.001Z"), "in the future"),
        (Event.text("a", at: "9999-12-31T23:59:59Z"), "in the future"),
    ]

    static let items: [(String, String, Bool)] =
        faults.map { ($0, $1, false) } + postponed.map { ($0, $1, true) }

    @Test("An item that is not stored is reported, and whether it may be later; others are stored", arguments: items)
    func faultyItemsAreReported(item: String, part: String, mayRetry: Bool) async throws {
        try await test { client async throws in
            let response = try await client.post(
                "/exposures", Event.batch([Event.text("before"), item, Event.text("after")]))
            #expect(response.status == .ok)
            let json = try response.json()
            #expect(json["stored"] == 2)
            #expect(json["errors"]?[0]?["index"] == 1)
            #expect(json["errors"]?[0]?["retry"] == .boolean(mayRetry))
            #expect(json["errors"]?[1] == nil)
            let message = try #require(json["errors"]?[0]?["error"]?.text)
            #expect(message.contains(part), "\(message)")
        }
    }

    /// U+212A, the sign for kelvins, is canonically equivalent to "K" but another text.
    @Test("Keys are compared by their bytes")
    func keysAreComparedByBytes() async throws {
        let plan = try Fixture.plan(["K.yaml": "status: running\nvariants: [{ key: K }]\n"])
        try await TestedRoutes.testExposures(plan) { client, _ in
            let events = [("\u{212A}", "K"), ("K", "\u{212A}"), ("K", "K")].map { Event.text("a", $1, of: $0) }
            let json = try await client.post("/exposures", Event.batch(events)).json()
            #expect(json["stored"] == 1)
            #expect(json["errors"]?[0]?["index"] == 0)
            #expect(json["errors"]?[1]?["index"] == 1)
            for uri in ["/experiments/%E2%84%AA/exposures", "/explain/a?experiment=%E2%84%AA"] {
                #expect(try await client.get(uri).status == .notFound)
            }
        }
    }

    @Test("Limits include their bounds")
    func limitsAreInclusive() async throws {
        try await test { client async throws in
            let events = [
                Event.text(String(repeating: "x", count: 1024)), Event.text("a", at: "2026-11-21T12:10:00Z"),
                Event.text("b", String(repeating: "x", count: 64), of: String(repeating: "x", count: 64)),
                Event.text("c", and: #", "attributes": {"x": "\#(String(repeating: "x", count: 4088))"}"#),
                Event.text("d", and: #", "id": "\#(String(repeating: "x", count: 128))""#),
                Event.text("e", and: #", "revision": "\#(String(repeating: "x", count: 64))""#),
            ]
            let response = try await client.post("/exposures", Event.batch(events))
            #expect(try response.json() == ["duplicates": 0, "errors": [], "stored": 6])
        }
    }

    // MARK: Experiments that the plan does not know

    @Test("Exposures of unknown experiments, salts and variants are stored like any others, and can be read")
    func unknownNamesAreStored() async throws {
        try await test { client async throws in
            try await client.expose(
                Event.text("a", "on", of: "former"), Event.text("b", "off", of: "former", and: #", "salt": "s""#),
                Event.text("c", "red"), Event.text("d", and: #", "salt": "button-2""#))
            #expect(try await client.rows("?experiment=former&salt=former").map { $0["variant"] } == ["on"])
            let counts = try await client.get("/experiments/former/exposures?salt=s").json()
            #expect(counts["variants"] == [["units": 1, "variant": "off"]])
            let button = try await client.get("/experiments/button/exposures").json()
            #expect(button["variants"]?[2] == ["units": 1, "variant": "red"])
            #expect(button["other_randomisations"]?[0]?["salt"] == "button-2")
        }
    }

    /// The experiments with stored exposures.
    private static func experiments(_ client: any TestClientProtocol) async throws -> Set<String> {
        Set(try await client.rows().compactMap { $0["experiment"] })
    }

    /// Confirms and deletes as the running service does.
    private static func settle(
        _ allot: AllotService, at now: ContinuousClock.Instant = .now, limit: Int = 1000
    ) async throws {
        let exposures = try #require(allot.exposures)
        try await exposures.unconfirmed.settle(
            allot.plans.current.plan, in: #require(exposures.store), at: now, limit: limit)
    }

    @Test("The name without a definition that was received longest ago makes room, over restarts too")
    func unknownNamesMakeRoom() async throws {
        let folder = try TemporaryFolder()
        let clock = SimulatedClock()
        try await TestedRoutes.testExposures(clock: clock, in: folder) { client, allot in
            for (second, key) in ["a", "b", "c", "a"].enumerated() {
                clock.set(seconds: Int64(second))
                try await client.expose(Event.text("u\(second)", "on", of: key), Event.text("u"))
            }
            clock.set(seconds: 4)
            try await client.expose(Event.text("u", "on", of: "d"))
            // Nothing goes before the next look.
            #expect(try await Self.experiments(client) == ["a", "b", "button", "c", "d"])
            try await Self.settle(allot, limit: 3)
            #expect(try await Self.experiments(client) == ["a", "button", "c", "d"])
            #expect(try await client.rows("?experiment=a&salt=a").map { $0["unit"] } == ["u0", "u3"])
        }
        try await TestedRoutes.testExposures(clock: clock, in: folder) { client, allot in
            clock.set(seconds: 5)
            try await client.expose(Event.text("u", "on", of: "e"))
            try await Self.settle(allot, limit: 3)
            #expect(try await Self.experiments(client) == ["a", "button", "d", "e"])
            // One that made room may come again.
            clock.set(seconds: 6)
            try await client.expose(Event.text("u", "on", of: "b"))
            try await Self.settle(allot, limit: 3)
            #expect(try await Self.experiments(client) == ["b", "button", "d", "e"])
        }
    }

    @Test("A request names few unknown variants, all together a limited number, and the others are to be sent again")
    func requestsNameFewUnknownVariants() async throws {
        try await TestedRoutes.testExposures { client, allot in
            /// Sends exposures of unknown experiments, and one of an experiment that is defined.
            func send(_ numbers: Range<Int>, _ unit: String) async throws -> JSONValue {
                let names = numbers.map { Event.text("u", "on", of: "e\($0)") }
                return try await client.post("/exposures", Event.batch(names + [Event.text(unit)])).json()
            }
            let first = try await send(0..<60, "first")
            #expect(first["stored"] == 51)
            let error = first["errors"]?[0]
            #expect(error?["retry"] == true)
            #expect(error?["index"] == 50)
            let message = try #require(error?["error"]?.text)
            #expect(message.contains("variant on of e50 with the salt e50"), "\(message)")
            for start in 1..<20 {
                let answer = try await send(start * 50..<start * 50 + 50, "u\(start)")
                #expect(answer["stored"] == 51)
            }
            let beyond = try await send(1000..<1010, "beyond")
            #expect(beyond["stored"] == 1)
            #expect(beyond["errors"]?[9]?["retry"] == true)
            let known = try await send(0..<10, "known")
            #expect(known["duplicates"] == 10)
            #expect(known["errors"] == [])
            try await Self.settle(allot)
            #expect(try await send(1000..<1010, "later")["stored"] == 11)
        }
    }

    /// When the exposure of an experiment is stored, and when its definition is loaded and goes.
    static let confirmations = [
        ["store", "load", "unload"], ["load", "store", "unload"], ["load", "store", "unload", "store"],
        ["store", "load", "store", "unload"], ["store", "load", "unload", "load", "unload"],
    ]

    @Test("An experiment that a definition has had once is kept, whatever is invented later", arguments: confirmations)
    func confirmedExperimentsAreKept(steps: [String]) async throws {
        try await TestedRoutes.testExposures { client, allot in
            let former = allot.plans.current.plan
            let plan = try Fixture.plan(["new.yaml": "status: running\nvariants: [{ key: on }]\n"])
            for (number, step) in steps.enumerated() {
                switch step {
                case "store": try await client.expose(Event.text("u\(number)", "on", of: "new"))
                case "load": allot.plans.replace(with: plan, loadedAt: Fixture.instant)
                default: allot.plans.replace(with: former, loadedAt: Fixture.instant)
                }
                try await Self.settle(allot, limit: 3)
            }
            try await client.expose(Event.text("other"))
            for number in 0..<10 { try await client.expose(Event.text("u", "on", of: "invented-\(number)")) }
            try await Self.settle(allot, limit: 3)
            let kept = try await Self.experiments(client)
            #expect(kept == ["button", "new", "invented-7", "invented-8", "invented-9"])
            #expect(try await client.rows("?experiment=new&salt=new").count == steps.count { $0 == "store" })
        }
    }

    @Test("A definition confirms within a minute what a server without it stored")
    func otherServersAreFollowed() async throws {
        let plan = try Fixture.plan(["new.yaml": "status: running\nvariants: [{ key: on }]\n"])
        try await TestedRoutes.testExposures(plan) { _, allot in
            let now = ContinuousClock.now
            try await Self.settle(allot, at: now)
            let store = try #require(allot.exposures?.store)
            var exposure = Exposure(unit: "u", experiment: "new", salt: "new", variant: "on", at: 0)
            exposure.confirmation = .nothing
            _ = try await store.record([exposure])
            for (seconds, count) in [(59, 1), (60, 0)] {
                try await Self.settle(allot, at: now + .seconds(seconds))
                #expect(try await store.unconfirmedArms().count == count)
            }
        }
    }

    @Test("The revisions that a server has had take no room")
    func formerRevisionsAreKept() async throws {
        try await TestedRoutes.testExposures { client, allot in
            let former = try #require(allot.plans.current.plan.experiments.first { $0.key == "button" }).revision
            try await Self.settle(allot)
            allot.plans.replace(
                with: try Fixture.plan(["button.yaml": Fixture.changedButton]), loadedAt: Fixture.instant)
            let invented = (0..<100).map { Event.text("u\($0)", and: #", "revision": "r\#($0)""#) }
            #expect(try await client.post("/exposures", Event.batch(invented)).json()["stored"] == 100)
            try await client.expose(
                Event.text("late", and: #", "revision": "\#(former)""#), Event.text("u", and: #", "revision": "r""#))
            #expect(try await client.rows().suffix(2).map { $0["revision"] } == [former, ""])
        }
    }

    // MARK: Times

    @Test("A time that is not plausible is kept next to the server's, and marked")
    func implausibleTimesAreMarked() async throws {
        let plan = try Fixture.plan([
            "new.yaml": "status: running\nstarts: 2026-11-20T00:00:00Z\nvariants: [{ key: on }]\n"
        ])
        try await TestedRoutes.testExposures(plan) { client, _ in
            try await client.expose(
                Event.text("at-start", "on", of: "new", at: "2026-11-20T00:00:00Z"),
                Event.text("before", "on", of: "new", at: "2026-11-19T23:59:59.999Z"),
                Event.text("forced", "on", of: "new", at: "2026-11-19T23:59:59Z", and: #", "reason": "forced""#),
                Event.text("other-salt", "on", of: "new", at: "2026-11-19T00:00:00Z", and: #", "salt": "new-1""#),
                Event.text("old", at: "2026-10-22T11:59:59.999Z"), Event.text("not-old", at: "2026-10-22T12:00:00Z"),
                Event.text("ancient", at: "1970-01-01T00:00:00Z"), Event.text("oldest", at: "0001-01-01T00:00:00Z"))
            let rows = try await client.rows() + client.rows("?counted=false")
            let now = "2026-11-21T12:00:00.000Z"
            let expected = [
                "at-start": ["", "2026-11-20T00:00:00.000Z", ""],
                "before": ["before-start", now, "2026-11-19T23:59:59.999Z"],
                "forced": ["", "2026-11-19T23:59:59.000Z", ""], "other-salt": ["", "2026-11-19T00:00:00.000Z", ""],
                "old": ["too-old", now, "2026-10-22T11:59:59.999Z"], "not-old": ["", "2026-10-22T12:00:00.000Z", ""],
                "ancient": ["too-old", now, "1970-01-01T00:00:00.000Z"],
                "oldest": ["too-old", now, "0001-01-01T00:00:00.000Z"],
            ]
            #expect(rows.count == expected.count)
            for row in rows {
                #expect(["doubt", "at", "reported_at"].map { row[$0] ?? "?" } == expected[row["unit"] ?? ""], "\(row)")
                #expect(row["received_at"] == now)
            }
        }
    }

    // MARK: Bodies

    @Test("A body that is not a batch, or is too long, is refused")
    func otherBodiesAreRefused() async throws {
        let bodies: [(String, HTTPResponse.Status, String)] = [
            ("", .badRequest, "no body"), ("{", .badRequest, "not valid JSON"), ("{}", .badRequest, "not a batch"),
            (#"{"exposures": {}}"#, .badRequest, "not a batch"), ("7", .badRequest, "not a batch"),
            (#"{"exposures": [], "more": 1}"#, .badRequest, "not a batch"),
            (String(repeating: "[", count: 100_000), .badRequest, "not valid JSON"),
            ("[" + String(repeating: "1,", count: 10_000) + "1]", .contentTooLarge, "more than 10000 exposures"),
            ("[" + String(repeating: " ", count: 4_194_304) + "]", .contentTooLarge, "more than 4194304 bytes"),
        ]
        try await test { client async throws in
            for (body, status, part) in bodies {
                try await client.post("/exposures", body).expectFailure(status, part)
            }
        }
    }

    @Test("A batch has any number of exposures up to the limit")
    func batchesHaveALimit() async throws {
        try await test { client async throws in
            #expect(try await client.post("/exposures", "[]").json() == ["duplicates": 0, "errors": [], "stored": 0])
            let most = "[" + String(repeating: "1,", count: 9_999) + "1]"
            let response = try await client.post("/exposures", most)
            #expect(response.status == .ok)
            #expect(try response.json()["errors"]?[9_999]?["index"] == 9_999)
        }
    }
}
