import AllotConfiguration
import AllotCore
import AllotExposures
import AllotServer
import HTTPTypes
import HummingbirdTesting
import Testing

/// Exports and counts of stored exposures.
struct ExposureReadingTests {
    private func test(
        _ plan: Plan? = nil, _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        try await TestedRoutes.testExposures(plan) { client, _ in try await body(client) }
    }

    @Test("Units are counted by variant and by revision, those that do not count apart")
    func unitsAreCounted() async throws {
        try await test { client async throws in
            try await client.expose(
                Event.text("a", and: #", "revision": "r1""#), Event.text("b", and: #", "revision": "r2""#),
                Event.text("c", "control"), Event.text("a", "control", and: #", "revision": "r1""#),
                Event.text("tester", and: #", "reason": "forced""#))
            let counts = try await client.get("/experiments/button/exposures").json()
            #expect(counts["experiment"] == "button")
            #expect(counts["salt"] == "button")
            #expect(counts["units_in_several_variants"] == 1)
            #expect(
                counts["variants"] == [
                    ["buckets": 500_000, "units": 2, "variant": "control"],
                    ["buckets": 500_000, "units": 2, "variant": "green"],
                ])
            #expect(
                counts["not_counted"] == [["override": false, "reason": "forced", "units": 1, "variant": "green"]])
            guard case .array(let revisions)? = counts["revisions"] else { throw CancellationError() }
            #expect(revisions.count == 3)
            let first = revisions.first { $0["revision"] == "r1" }
            #expect(first?["variants"] == [["units": 1, "variant": "control"], ["units": 1, "variant": "green"]])
            #expect(first?["earliest"] == "2026-11-21T11:00:00.000Z")
            #expect(counts["other_randomisations"] == [])
        }
    }

    @Test("The page of a unit has the exposures of that unit", arguments: ["/units/a", "/units?id=a", "/explain/a"])
    func exposuresOfAUnit(path: String) async throws {
        try await test { client async throws in
            let headers: HTTPFields = [.accept: "text/html"]
            #expect(try await client.get(path, headers).text.contains("The store has no exposure of this unit."))
            try await client.expose(Event.text("a"), Event.text("b", "control"))
            let page = try await client.get(path, headers).text
            #expect(page.contains("In the store: it met green first at 2026-11-21T11:00Z"))
            #expect(!page.contains("it met control"))
        }
    }

    @Test("Pages say when the store counted", arguments: ["/", "/experiments/button"])
    func countedAt(path: String) async throws {
        try await test { client async throws in
            let instant = #"<time datetime="2026-11-21T12:00:00Z">2026-11-21T12:00:00Z</time>."#
            #expect(try await client.get(path, [.accept: "text/html"]).text.contains("ounted at " + instant))
        }
    }

    /// Requests that are refused, with the status and a part of the message.
    private static let refusals: [(String, HTTPResponse.Status, String)] = [
        // Only an experiment that is neither defined nor stored is not found.
        ("/experiments/buton/exposures", .notFound, #""buton""#),
        ("/experiments/button/exposures?salt=other", .notFound, #""other""#),
        ("/experiments/button/exposures?slat=x", .badRequest, "it takes salt"),
        // PostgreSQL cannot even look for it.
        ("/experiments/%00/exposures", .badRequest, "the path contains U+0000"),
        // Keys are percent-decoded, strictly.
        ("/experiments/a%2Fb/exposures", .notFound, #""a/b""#),
        ("/experiments/b%zz/exposures", .badRequest, "percent-encoded"),
        ("/experiments/%ff/exposures", .badRequest, "percent-encoded"),
        ("/experiments/%/exposures", .badRequest, "percent-encoded"),
        ("/exposures?variant=a", .badRequest, "unknown item \"variant\""),
        ("/exposures?experiment=a&experiment=b", .badRequest, "given twice"),
        ("/exposures?format=xml", .badRequest, "it is csv or ndjson"),
        ("/exposures?counted=no", .badRequest, "it is false or true"),
        ("/exposures?since=x", .badRequest, "not a cursor"), ("/exposures?since=-1", .badRequest, "not a cursor"),
        ("/exposures?since=99999", .badRequest, "cursor 99999"),
        ("/exposures?salt=a", .badRequest, "add experiment=KEY"),
    ]

    @Test("A request for exposures that cannot be answered is refused with the reason")
    func unclearRequestsAreRefused() async throws {
        try await test { client async throws in
            for (uri, status, part) in Self.refusals { try await client.get(uri).expectFailure(status, part) }
            let empty = try await client.get("/experiments/button/exposures")
            #expect(try empty.json()["variants"]?[0]?["units"] == 0)
            #expect(try empty.json()["revisions"] == [])
            #expect(try await client.get("/experiments/b%75tt%6fn/exposures").bytes == empty.bytes)
        }
    }

    @Test("Of an experiment that is not defined, the randomisation is shown whose exposures were received last")
    func formerExperimentsShowTheirLastRandomisation() async throws {
        let clock = SimulatedClock()
        try await TestedRoutes.testExposures(clock: clock) { client, _ in
            for (seconds, salt) in [(0, "z"), (10, "b"), (5, "c")] {
                clock.set(seconds: Int64(seconds))
                try await client.expose(Event.text("a", "on", of: "former", and: #", "salt": "\#(salt)""#))
            }
            let counts = try await client.get("/experiments/former/exposures").json()
            #expect(counts["salt"] == "b")
            #expect(counts["variants"] == [["units": 1, "variant": "on"]])
            #expect(
                counts["other_randomisations"] == [
                    ["last_received_at": "2026-11-21T12:00:05.000Z", "salt": "c"],
                    ["last_received_at": "2026-11-21T12:00:00.000Z", "salt": "z"],
                ])
            #expect(try await client.rows("?experiment=former").map { $0["salt"] } == ["b"])
        }
    }

    @Test("An export is CSV")
    func exportsAreCSV() async throws {
        try await test { client async throws in
            try await client.expose(
                Event.text(
                    #"a,\"b\"\n"#,
                    and: #", "id": "7", "revision": "1f", "attributes": {"country": "DE", "seats": 12}"#),
                Event.text("c", "wide", of: "box"))
            let csv = try await client.get("/exposures")
            #expect(csv.headers[.contentType] == "text/csv; charset=utf-8; header=present")
            #expect(csv.headers[.contentDisposition] == "attachment; filename=\"exposures.csv\"")
            #expect(csv.headers[.cacheControl] == "no-store")
            let header =
                "unit,experiment,salt,variant,revision,reason,override,at,received_at,doubt,reported_at,attributes,"
                + "window\n"
            let times = "2026-11-21T11:00:00.000Z,2026-11-21T12:00:00.000Z,,"
            let first = #"""
                "a,""b""
                ",button,button,green,1f,split,false,\#(times),"{""country"":""DE"",""seats"":12}",

                """#
            let second = "c,box,box,wide,,split,false,\(times),,\n"
            #expect(csv.text == header + first + second)
            #expect(try await client.get("/exposures?experiment=box").text == header + second)
            #expect(try await client.get("/exposures?experiment=none").text == header)
        }
    }

    @Test("An export is NDJSON, too, and goes on after the cursor of another")
    func exportsGoOn() async throws {
        try await test { client async throws in
            let cursorName = try #require(HTTPField.Name("Allot-Cursor"))
            try await client.expose(Event.text("a"), Event.text("b"))
            let first = try await client.get("/exposures?format=ndjson")
            #expect(first.headers[.contentType] == "application/x-ndjson")
            let lines = try first.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
            #expect(lines.map { $0["unit"] } == ["a", "b"])
            #expect(lines.map { $0["override"] } == [false, false])
            let cursor = try #require(first.headers[cursorName])
            let nothing = try await client.get("/exposures?format=ndjson&since=\(cursor)")
            #expect(nothing.text == "")
            #expect(nothing.headers[cursorName] == cursor)
            // A new one, and one that becomes earlier.
            try await client.expose(Event.text("c"), Event.text("a", at: "2026-11-21T10:00:00Z"))
            let next = try await client.get("/exposures?format=ndjson&since=\(cursor)").text.split(separator: "\n")
            #expect(Set(try next.map { try JSONValue(parsing: Array($0.utf8))["unit"]?.text }) == ["a", "c"])
        }
    }
}
