import AllotConfiguration
import AllotCore
import AllotServer
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

/// Starts and ends of experiments are announced when they pass, and no answer is kept beyond them. The clock is
/// simulated: nothing here waits.
struct BoundaryTests {
    /// An experiment that starts and ends some seconds after the fixture's instant, 2026-11-21T12:00:00Z.
    private static func timed(_ starts: Int64?, _ ends: Int64?) -> String {
        func line(_ name: String, _ seconds: Int64?) -> String {
            seconds.map { "\(name): \(Instant(seconds: Fixture.instant.seconds + $0))\n" } ?? ""
        }
        return "status: running\n\(line("starts", starts))\(line("ends", ends))variants: [{ key: on }]\n"
    }

    private static func text(_ seconds: Int64) -> String {
        Instant(seconds: Fixture.instant.seconds + seconds).description
    }

    /// The messages to a subscriber of a plan.
    private struct Subscription {
        let plans: PlanStore
        let clock: SimulatedClock
        var changes: AsyncStream<PlanChange>.Iterator

        init(_ files: [String: String], at seconds: Int64 = 0) throws {
            clock = SimulatedClock()
            plans = PlanStore(try Fixture.plan(files), loadedAt: Fixture.instant, clock: clock.clock)
            clock.set(seconds: seconds)
            changes = plans.changes().makeAsyncIterator()
        }

        /// The next message's boundary, in seconds after the fixture's instant.
        mutating func boundary() async -> Int64? {
            await changes.next()?.boundary.map { $0.seconds - Fixture.instant.seconds }
        }

        /// Waits until a boundary is awaited, and sets the time to it.
        func pass(_ seconds: Int64) async {
            await clock.waitForSleeper(seconds: seconds)
            clock.set(seconds: seconds)
        }
    }

    @Test("Owners, descriptions and constraints are replaced with the plan, without a message")
    func sameRevision() async throws {
        var subscription = try Subscription(["timed.yaml": Self.timed(30, 45)])
        let first = try #require(await subscription.changes.next())
        let described = try Fixture.plan(["timed.yaml": Self.timed(30, 45) + "owner: ada@example.com\n"])
        #expect(!subscription.plans.replace(with: described, loadedAt: Fixture.instant))
        let definitions = subscription.plans.current.plan.definitions.experiments
        #expect(definitions.first { $0.key == "timed" }?.owner == "ada@example.com")
        await subscription.pass(30)
        // The next message is that of the start, which both plans have.
        let start = try #require(await subscription.changes.next())
        #expect(start.boundary?.description == Self.text(30))
        #expect(start.active === subscription.plans.current)
        let changed = try Fixture.plan(["timed.yaml": Self.timed(30, 50)])
        #expect(subscription.plans.replace(with: changed, loadedAt: Fixture.instant))
        let second = try #require(await subscription.changes.next())
        #expect(second.id != first.id)
        #expect(second.active.plan.revision == changed.revision)
    }

    @Test("A boundary that passes while a plan of the same revision comes is announced")
    func boundariesWhileTheSameRevisionComes() async throws {
        let files = ["timed.yaml": Self.timed(30, nil)]
        var subscription = try Subscription(files)
        #expect(await subscription.boundary() == nil)
        await subscription.pass(30)
        #expect(!subscription.plans.replace(with: try Fixture.plan(files), loadedAt: Fixture.instant))
        #expect(await subscription.boundary() == 30)
    }

    @Test("The message of a boundary names it and the revision")
    func messagesNameTheBoundary() async throws {
        var subscription = try Subscription(["timed.yaml": Self.timed(30, nil)])
        let first = try #require(await subscription.changes.next())
        await subscription.pass(30)
        let second = try #require(await subscription.changes.next())
        #expect(
            second.serverSentEvent == """
                id: \(first.id)@\(Self.text(30))
                event: message
                data: {"boundary":"\(Self.text(30))","etag":"\(first.id)@\(Self.text(30))",\
                "lastModified":\(Fixture.instant.seconds + 30),"revision":"\(first.id)","type":"refetchEvaluation"}


                """)
    }

    /// Starts and ends in seconds, and steps: a wait until someone sleeps until an instant (w), a time that is set (s),
    /// and a message with a boundary (?), each in seconds after the fixture's instant; - for no end and no boundary.
    private static let sequences: [(schedules: [(Int64?, Int64?)], steps: String)] = [
        // Not earlier: the next message is that of the start.
        ([(30, 45)], "?- w30 s29 s30 ?30 w45 s45 ?45"),
        // Of several boundaries that pass at once the last.
        ([(10, 20), (10, 30), (nil, 40), (50, 60)], "?- w10 s10 ?10 w20 s20 ?20 w30 s30 ?30 w40 s55 ?50 w60"),
        // A clock that is set back is announced, and so is a boundary that passes again; after the last one too.
        ([(30, 45)], "?- w30 s30 ?30 w45 s29 ?- w30 s30 ?30 w45 s29 ?- w30 s60 ?45 w- s44 ?30"),
    ]

    @Test("Each boundary is announced when it passes", arguments: sequences.indices)
    private func boundariesAreAnnounced(index: Int) async throws {
        let (schedules, steps) = Self.sequences[index]
        var files: [String: String] = [:]
        for (number, schedule) in schedules.enumerated() {
            files["timed-\(number).yaml"] = Self.timed(schedule.0, schedule.1)
        }
        var subscription = try Subscription(files)
        for step in steps.split(separator: " ") {
            let seconds = Int64(step.dropFirst())
            switch step.first {
            case "w": await subscription.clock.waitForSleeper(seconds: seconds)
            case "s": subscription.clock.set(seconds: seconds ?? 0)
            default:
                let change = try #require(await subscription.changes.next())
                let text = seconds.map(Self.text)
                #expect(change.boundary?.description == text, "\(step)")
                #expect(change.id == change.active.plan.revision + (text.map { "@" + $0 } ?? ""))
            }
        }
    }

    @Test("A plan that is replaced while its boundary is awaited announces its own boundaries only")
    func replacedPlansAnnounceTheirOwnBoundaries() async throws {
        var subscription = try Subscription(["timed.yaml": Self.timed(30, nil)])
        #expect(await subscription.boundary() == nil)
        await subscription.clock.waitForSleeper(seconds: 30)
        subscription.clock.set(seconds: 5)
        let plan = try Fixture.plan(["timed.yaml": Self.timed(35, nil)])
        subscription.plans.replace(with: plan, loadedAt: subscription.clock.now)
        let replaced = try #require(await subscription.changes.next())
        #expect(replaced.id == plan.revision)
        await subscription.clock.waitForSleeper(seconds: 35)
        subscription.clock.set(seconds: 30)
        subscription.clock.set(seconds: 35)
        #expect(await subscription.boundary() == 35)
    }

    @Test("A later subscriber receives the last boundary, one from before the plan was loaded too")
    func laterSubscribersReceiveTheLastBoundary() async throws {
        let files = [
            "past.yaml": Self.timed(-60, nil), "timed.yaml": Self.timed(30, 45), "later.yaml": Self.timed(90, nil),
        ]
        for (seconds, boundary) in [(Int64(-90), nil), (0, -60), (29, -60), (30, 30), (44, 30), (45, 45), (60, 45)]
            as [(_, Int64?)]
        {
            var subscription = try Subscription(files, at: seconds)
            #expect(await subscription.boundary() == boundary)
        }
    }

    @Test("All subscribers receive messages, also one that comes after others have left")
    func allSubscribersReceiveMessages() async throws {
        var first = try Subscription(["timed.yaml": Self.timed(30, 45)])
        var second = first.plans.changes().makeAsyncIterator()
        #expect(await first.boundary() == nil)
        #expect(await second.next()?.boundary == nil)
        await first.pass(30)
        #expect(await first.boundary() == 30)
        #expect(await second.next()?.boundary?.description == Self.text(30))
        // Both leave.
        first.changes = AsyncStream { $0.finish() }.makeAsyncIterator()
        second = AsyncStream { $0.finish() }.makeAsyncIterator()
        var third = first.plans.changes().makeAsyncIterator()
        #expect(await third.next()?.boundary?.description == Self.text(30))
        await first.pass(45)
        #expect(await third.next()?.boundary?.description == Self.text(45))
    }

    @Test("A schedule follows the server's clock forwards and backwards")
    func schedulesFollowTheClockBothWays() async throws {
        let clock = SimulatedClock()
        try await TestedRoutes(Fixture.plan(["timed.yaml": Self.timed(10, 20)]), clock: clock).test { client in
            for (seconds, holds) in [(0, false), (10, true), (19, true), (20, false), (5, false), (15, true)] {
                clock.set(seconds: Int64(seconds))
                let text = try await client.get("/activeconfig/user/user-1").text
                #expect(text.contains(#""timed":{"#) == holds, "\(seconds) s")
            }
        }
    }

    // MARK: Cache-Control and Allot-Boundary

    @Test(
        "max-age is the server's interval, cut off at the next boundary, which is sent apart from it",
        arguments: [
            // The interval, the start in seconds after now, `Cache-Control`, `Allot-Boundary`.
            (3600, 7200, "private, max-age=3600", "7200"), (3600, 3600, "private, max-age=3600", "3600"),
            (3600, 3599, "private, max-age=3599", "3599"), (3600, 1, "private, max-age=1", "1"),
            (0, 10, "private, max-age=0", "10"), (3600, -10, "private, max-age=3600", nil),
            // Clients choose.
            (nil, 30, "private", "30"), (nil, 43_200, "private", "43200"), (nil, 31_536_000, "private", "31536000"),
            (nil, -10, "private", nil), (-1, 30, "private", "30"),
        ] as [(Int64?, Int64, String, String?)])
    func answersTellTheBoundary(interval: Int64?, starts: Int64, control: String, boundary: String?) async throws {
        let plan = try Fixture.plan(["timed.yaml": Self.timed(starts, nil)])
        var routes = try TestedRoutes(plan)
        routes.allot.fetchInterval = interval.map { .seconds($0) }
        let service = AllotRoutes(routes.allot)
        let name = try #require(HTTPField.Name("Allot-Boundary"))
        try await routes.test { client async throws in
            for uri in ["/activeconfig/user/a", "/activeconfig/user", "/active_config?userID=a"] {
                let answer = try await client.get(uri)
                let tag = try #require(answer.headers[.eTag])
                let again = try await client.get(uri, [.ifNoneMatch: tag])
                #expect(again.status == .notModified)
                for headers in [answer.headers, again.headers] {
                    #expect(headers[.cacheControl] == control, "\(uri)")
                    #expect(headers[name] == boundary, "\(uri)")
                }
                // In a server of another framework.
                for known in [nil, tag] {
                    let answer = await service.answer(uri, ifNoneMatch: known)
                    #expect(answer.header("Cache-Control") == control)
                    #expect(answer.header("Allot-Boundary") == boundary)
                }
            }
            let posted = try await client.post("/activeconfig/user/a", "{}")
            #expect(posted.headers[.cacheControl] == control)
            #expect(posted.headers[name] == boundary)
        }
    }

    @Test("max-age is rounded down to whole seconds, and the time until the boundary up")
    func agesAreRounded() async throws {
        let clock = SimulatedClock()
        var routes = try TestedRoutes(Fixture.plan(["timed.yaml": Self.timed(30, nil)]), clock: clock)
        routes.allot.fetchInterval = .seconds(3600)
        let name = try #require(HTTPField.Name("Allot-Boundary"))
        try await routes.test { client async throws in
            for (seconds, nanoseconds, age, boundary) in [
                (0, 0, 30, 30), (0, 1, 29, 30), (0, 999_999_999, 29, 30), (29, 500_000_000, 0, 1),
            ] as [(Int64, Int32, Int, Int)] {
                clock.set(Instant(seconds: Fixture.instant.seconds + seconds, nanoseconds: nanoseconds))
                let answer = try await client.get("/activeconfig/user/a")
                #expect(answer.headers[.cacheControl] == "private, max-age=\(age)")
                #expect(answer.headers[name] == "\(boundary)")
            }
        }
    }
}
