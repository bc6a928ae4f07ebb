import AllotConfiguration
import AllotCore
import AllotServer
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AllotServing

/// Several servers with one address, of which some are late: no client gets old flags as new.
struct AnnouncedChangeTests {
    private static let bulk = "/ofrep/v1/evaluate/flags"
    private static let context = #"{"context": {"targetingKey": "tester"}}"#

    /// The query that clients send to any server after a stream reports a plan, which another server loads some
    /// seconds after the fixture's instant.
    private static func query(_ plan: Plan, loadedAt seconds: Int64, now: Int64? = nil) throws -> String {
        let clock = SimulatedClock()
        clock.set(seconds: now ?? seconds)
        let loadedAt = Instant(seconds: Fixture.instant.seconds + seconds)
        let event = PlanStore(plan, loadedAt: loadedAt, clock: clock.clock).present.serverSentEvent
        let line = try #require(event.split(separator: "\n").first { $0.hasPrefix("data: ") })
        let data = try JSONValue(parsing: Array(line.dropFirst("data: ".count).utf8))
        guard let tag = data["etag"]?.text, case .number(let time)? = data["lastModified"] else { throw Missing() }
        return "?flagConfigEtag=\(tag)&flagConfigLastModified=\(time.text)"
    }

    private struct Missing: Error {}

    /// The value of a forced unit's setting.
    private func color(_ answer: TestResponse) throws -> JSONValue? {
        guard case .array(let flags)? = try answer.json()["flags"] else { return nil }
        return flags.first { $0["key"] == "Page.Color" }?["value"]
    }

    private func expectDelay(_ delay: Int, _ answer: TestResponse, at place: SourceLocation = #_sourceLocation) throws {
        #expect(answer.status == .serviceUnavailable, sourceLocation: place)
        #expect(answer.headers[.retryAfter] == "\(delay)", sourceLocation: place)
        let json = try answer.json()
        #expect(json["errorCode"] == "GENERAL", sourceLocation: place)
        #expect(json["errorDetails"]?.text?.contains("ask again in \(delay) s") == true, sourceLocation: place)
    }

    @Test("A server that is late asks clients to come again until it has the change")
    func lateServersHaveClientsComeAgain() async throws {
        let clock = SimulatedClock()
        let (old, new) = (try Fixture.plan(), try Fixture.plan(["button.yaml": Fixture.changedButton]))
        let routes = try TestedRoutes(old, clock: clock)
        let uri = try Self.bulk + Self.query(new, loadedAt: 60)
        try await routes.test { client async throws in
            let before = try await client.post(Self.bulk, Self.context)
            #expect(try color(before) == "green")
            let tag = try #require(before.headers[.eTag])
            for (seconds, delay) in [(60, 1), (61, 1), (63, 3), (70, 5)] as [(Int64, Int)] {
                clock.set(seconds: seconds)
                try expectDelay(delay, await client.post(uri, Self.context))
                // Nor is what the client has confirmed.
                try expectDelay(delay, await client.post(uri, Self.context, [.ifNoneMatch: tag]))
                // A client without a report gets the present flags.
                #expect(try await client.post(Self.bulk, Self.context).status == .ok)
            }
            #expect(routes.allot.plans.replace(with: new, loadedAt: clock.now))
            let after = try await client.post(uri, Self.context, [.ifNoneMatch: tag])
            #expect(after.status == .ok)
            #expect(try color(after) == "dark green")
        }
    }

    @Test("A boundary that has not passed here yet is waited for")
    func boundariesAreWaitedFor() async throws {
        let start = Instant(seconds: Fixture.instant.seconds + 30)
        let plan = try Fixture.plan(["timed.yaml": "status: running\nstarts: \(start)\nvariants: [{ key: on }]"])
        let clock = SimulatedClock()
        clock.set(Instant(seconds: start.seconds - 1, nanoseconds: 900_000_000))
        let uri = try Self.bulk + Self.query(plan, loadedAt: 0, now: 30)
        try await TestedRoutes(plan, clock: clock).test { client async throws in
            try expectDelay(1, await client.post(uri, Self.context))
            clock.set(start)
            #expect(try await client.post(uri, Self.context).status == .ok)
        }
    }

    /// Changes that a stream has reported, at seconds after the state of this server, and whether they are missing.
    private static let announcements: [(tag: String?, seconds: Int64?, isMissing: Bool)] = [
        // Present here, whenever another server loaded it.
        ("present", nil, false), ("present", 0, false), ("present", -60, false), ("present", 60, false),
        // Another revision, which is newer, or which this server loaded last before this one and another went back to.
        ("other", nil, true), ("other", 60, true), ("other", 1, true), ("other", 0, true),
        ("other@2026-12-01T09:00:00Z", 0, true),
        // This server started after the change, is late by a change and its rollback, or its clock is fast.
        ("other", -1, true), ("other", -89, true), ("other@2026-12-01T09:00:00Z", -89, true),
        // Older than that, such as a change that was here and went.
        ("other", -90, false), ("other", -1000, false), ("other@2026-12-01T09:00:00Z", -90, false),
        // A boundary of what is here.
        ("present@2026-12-01T09:00:00Z", 60, true), ("present@2026-10-01T09:00:00Z", -60, false),
        // A time alone.
        (nil, 1, true), (nil, 0, false), (nil, -1, false),
    ]

    /// A change at seconds after the fixture's instant.
    private static func change(_ tag: String?, _ seconds: Int64?) -> AnnouncedChange {
        AnnouncedChange(tag: tag, lastModified: seconds.map { Fixture.instant.seconds + $0 })
    }

    /// The state of a server that loaded the fixture at its instant.
    private static func present(_ plan: Plan, boundary: Instant? = nil) -> PlanChange {
        PlanChange(PlanStore(plan, loadedAt: Fixture.instant).current, boundary: boundary)
    }

    @Test("A change is missing if this server does not have it and it is not clearly older than what there is")
    func missingChanges() throws {
        let plan = try Fixture.plan()
        for (tag, seconds, isMissing) in Self.announcements {
            var changes = AnnouncedChanges()
            let change = Self.change(tag?.replacing("present", with: plan.revision), seconds)
            let delay = changes.delay(for: change, Self.present(plan), at: Fixture.instant)
            #expect((delay != nil) == isMissing, "\(tag ?? "-") \(seconds ?? 0)")
        }
    }

    @Test("A boundary that passes here makes no other revision older")
    func boundariesAndRevisions() throws {
        let present = Self.present(try Fixture.plan(), boundary: Instant(seconds: Fixture.instant.seconds + 1000))
        var changes = AnnouncedChanges()
        #expect(changes.delay(for: Self.change("other", 60), present, at: Fixture.instant) == 1)
    }

    @Test("Each rollout of a revision is waited for 90 seconds")
    func rollouts() throws {
        let present = Self.present(try Fixture.plan())
        var changes = AnnouncedChanges()
        let rows: [(tag: String?, seconds: Int64?, now: Int64, delay: Int64?)] = [
            ("new", 10, 10, 1), ("new", 10, 13, 3), ("new", 10, 16, 5), ("new", 10, 96, 4), ("new", 10, 99, 1),
            ("new", 10, 100, nil), ("new", 10, 5000, nil),
            // Rolled back elsewhere, and rolled out again.
            ("new", 5000, 5000, 1), ("new", 5000, 5089, 1), ("new", 5000, 5090, nil), ("new", 10, 5090, nil),
            // A tag or a time alone is another announcement.
            ("new", nil, 5090, 1), ("new", nil, 5180, nil), (nil, 5000, 5180, 1), (nil, 5000, 5270, nil),
            // A clock that is set back prolongs nothing.
            ("later", 90, 6000, 1), ("later", 90, 50, nil),
        ]
        for row in rows {
            let now = Instant(seconds: Fixture.instant.seconds + row.now)
            let delay = changes.delay(for: Self.change(row.tag, row.seconds), present, at: now)
            #expect(delay == row.delay, "\(row)")
        }
    }

    @Test("Changes that are made up take no more memory than a limit, end no other wait, and are waited for in turn")
    func madeUpChanges() throws {
        let present = Self.present(try Fixture.plan())
        var changes = AnnouncedChanges()
        func delay(_ tag: String, _ seconds: Int64) -> Int64? {
            let now = Instant(seconds: Fixture.instant.seconds + seconds)
            return changes.delay(for: Self.change(tag, nil), present, at: now)
        }
        for number in 0..<AnnouncedChanges.limit { #expect(delay("\(number)", 0) == 1) }
        let rows: [(tag: String, seconds: Int64, delay: Int64?)] = [
            ("0", 10, 5), ("real", 10, 1), ("real", 50, 5), ("1", 50, 5), ("1", 90, nil), ("real", 100, nil),
            // Forgotten for the real one.
            ("0", 100, 1), ("0", 189, 1), ("0", 190, nil),
        ]
        for row in rows { #expect(delay(row.tag, row.seconds) == row.delay, "\(row)") }
    }

    @Test(
        "The time of a change is a number of seconds or an instant",
        arguments: [
            ("1771622898", nil), ("2026-02-20T21:28:18Z", nil), ("0", nil), ("99999999999999999999", 503),
            ("2999-01-01T00:00:00%2B01:00", 503), ("", 400), ("soon", 400), ("-1", 400), ("1.5", 400), ("%zz", 400),
        ] as [(String, Int?)])
    func times(text: String, status: Int?) async throws {
        try await TestedRoutes().test { client async throws in
            let uri = "\(Self.bulk)?flagConfigLastModified=\(text)&later=1"
            let answer = try await client.post(uri, Self.context)
            #expect(answer.status.code == status ?? 200)
            if status == 400 { #expect(try answer.json()["errorCode"] == "PARSE_ERROR") }
            // A request that is malformed is refused, whatever it announces.
            #expect(try await client.post(uri, "{}").status == .badRequest)
        }
    }
}
