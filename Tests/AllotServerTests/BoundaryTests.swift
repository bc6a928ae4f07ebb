import AllotConfiguration
import AllotCore
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import AllotServer

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

        /// The next message's boundary.
        mutating func boundary() async -> String? {
            await changes.next()?.boundary?.description
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
        await subscription.clock.waitForSleeper(seconds: 30)
        subscription.clock.set(seconds: 30)
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
        await subscription.clock.waitForSleeper(seconds: 30)
        subscription.clock.set(seconds: 30)
        #expect(!subscription.plans.replace(with: try Fixture.plan(files), loadedAt: Fixture.instant))
        #expect(await subscription.boundary() == Self.text(30))
    }

    @Test("A start in 30 s and an end are announced when they pass, not earlier")
    func startsAndEndsAreAnnounced() async throws {
        var subscription = try Subscription(["timed.yaml": Self.timed(30, 45)])
        let first = try #require(await subscription.changes.next())
        #expect(first.boundary == nil)
        #expect(first.id == first.active.plan.revision)
        await subscription.clock.waitForSleeper(seconds: 30)
        // The next message is that of the start: none came earlier.
        subscription.clock.set(seconds: 29)
        subscription.clock.set(seconds: 30)
        let second = try #require(await subscription.changes.next())
        #expect(second.boundary?.description == Self.text(30))
        #expect(second.id == "\(first.id)@\(Self.text(30))")
        #expect(
            second.serverSentEvent == """
                id: \(second.id)
                event: message
                data: {"boundary":"\(Self.text(30))","etag":"\(second.id)",\
                "lastModified":\(Fixture.instant.seconds + 30),"revision":"\(first.id)","type":"refetchEvaluation"}


                """)
        await subscription.clock.waitForSleeper(seconds: 45)
        subscription.clock.set(seconds: 45)
        #expect(await subscription.boundary() == Self.text(45))
    }

    @Test("Each of several boundaries is announced; of those that pass at once the last")
    func severalBoundariesAreAnnounced() async throws {
        var subscription = try Subscription([
            "a.yaml": Self.timed(10, 20), "b.yaml": Self.timed(10, 30), "c.yaml": Self.timed(nil, 40),
            "d.yaml": Self.timed(50, 60),
        ])
        #expect(await subscription.boundary() == nil)
        for seconds in [Int64(10), 20, 30] {
            await subscription.clock.waitForSleeper(seconds: seconds)
            subscription.clock.set(seconds: seconds)
            #expect(await subscription.boundary() == Self.text(seconds))
        }
        await subscription.clock.waitForSleeper(seconds: 40)
        subscription.clock.set(seconds: 55)
        #expect(await subscription.boundary() == Self.text(50))
        await subscription.clock.waitForSleeper(seconds: 60)
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
        #expect(await subscription.boundary() == Self.text(35))
    }

    @Test("A clock that is set back is announced, and so is the boundary when it passes again")
    func clocksThatAreSetBackAreAnnounced() async throws {
        var subscription = try Subscription(["timed.yaml": Self.timed(30, 45)])
        let clock = subscription.clock
        #expect(await subscription.boundary() == nil)
        for _ in 0..<2 {
            await clock.waitForSleeper(seconds: 30)
            clock.set(seconds: 30)
            #expect(await subscription.boundary() == Self.text(30))
            await clock.waitForSleeper(seconds: 45)
            clock.set(seconds: 29)
            let back = try #require(await subscription.changes.next())
            #expect(back.boundary == nil)
            #expect(back.id == back.active.plan.revision)
        }
        // After the last boundary too.
        await clock.waitForSleeper(seconds: 30)
        clock.set(seconds: 60)
        #expect(await subscription.boundary() == Self.text(45))
        await clock.waitForSleeper(seconds: nil)
        clock.set(seconds: 44)
        #expect(await subscription.boundary() == Self.text(30))
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
            #expect(await subscription.boundary() == boundary.map(Self.text))
        }
    }

    @Test("All subscribers receive messages, also one that comes after others have left")
    func allSubscribersReceiveMessages() async throws {
        var first = try Subscription(["timed.yaml": Self.timed(30, 45)])
        var second = first.plans.changes().makeAsyncIterator()
        #expect(await first.boundary() == nil)
        #expect(await second.next()?.boundary == nil)
        await first.clock.waitForSleeper(seconds: 30)
        first.clock.set(seconds: 30)
        #expect(await first.boundary() == Self.text(30))
        #expect(await second.next()?.boundary?.description == Self.text(30))
        // Both leave.
        first.changes = AsyncStream { $0.finish() }.makeAsyncIterator()
        second = AsyncStream { $0.finish() }.makeAsyncIterator()
        var third = first.plans.changes().makeAsyncIterator()
        #expect(await third.next()?.boundary?.description == Self.text(30))
        await first.clock.waitForSleeper(seconds: 45)
        first.clock.set(seconds: 45)
        #expect(await third.next()?.boundary?.description == Self.text(45))
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
        let service = routes.allot.configurations
        try await routes.test { client async throws in
            for uri in ["/activeconfig/user/a", "/activeconfig/user", "/active_config?userID=a"] {
                let answer = try await client.get(uri)
                let tag = try #require(answer.headers[.eTag])
                let again = try await client.get(uri, [.ifNoneMatch: tag])
                #expect(again.status == .notModified)
                for headers in [answer.headers, again.headers] {
                    #expect(headers[.cacheControl] == control, "\(uri)")
                    #expect(headers[.allotBoundary] == boundary, "\(uri)")
                }
                // In a server of another framework.
                for known in [nil, tag] {
                    let headers = service.answer(to: uri, ifNoneMatch: known).headers
                    #expect(headers.first { $0.name == "Cache-Control" }?.value == control)
                    #expect(headers.first { $0.name == "Allot-Boundary" }?.value == boundary)
                }
            }
            let posted = try await client.post("/activeconfig/user/a", "{}")
            #expect(posted.headers[.cacheControl] == control)
            #expect(posted.headers[.allotBoundary] == boundary)
        }
    }

    @Test("max-age is rounded down to whole seconds, and the time until the boundary up")
    func agesAreRounded() async throws {
        let clock = SimulatedClock()
        var routes = try TestedRoutes(Fixture.plan(["timed.yaml": Self.timed(30, nil)]), clock: clock)
        routes.allot.fetchInterval = .seconds(3600)
        try await routes.test { client async throws in
            for (seconds, nanoseconds, age, boundary) in [
                (0, 0, 30, 30), (0, 1, 29, 30), (0, 999_999_999, 29, 30), (29, 500_000_000, 0, 1),
            ] as [(Int64, Int32, Int, Int)] {
                clock.set(Instant(seconds: Fixture.instant.seconds + seconds, nanoseconds: nanoseconds))
                let answer = try await client.get("/activeconfig/user/a")
                #expect(answer.headers[.cacheControl] == "private, max-age=\(age)")
                #expect(answer.headers[.allotBoundary] == "\(boundary)")
            }
        }
    }
}
