import Allot
import AllotServer
import Hummingbird
import HummingbirdTesting
import Synchronization
import Testing

/// The server's clock may go on, and be set back.
@Suite struct ClockTests {
    private final class Clock: Sendable {
        let seconds = Mutex(Fixture.instant.seconds)
    }

    @Test("A schedule follows the server's clock forwards and backwards")
    func schedulesFollowTheClockBothWays() async throws {
        let plan = try Fixture.plan([
            "timed.yaml": """
            status: running
            starts: 2026-11-21T12:00:10Z
            ends: 2026-11-21T12:00:20Z
            variants: [{ key: on }]
            """
        ])
        let clock = Clock()
        var routes = try TestedRoutes(plan)
        routes.allot.now = { Instant(seconds: clock.seconds.withLock { $0 }) }
        try await routes.test { client in
            // Forward, back before the start, and into the middle again.
            for (offset, holds) in [(0, false), (10, true), (19, true), (20, false), (5, false), (15, true)] {
                clock.seconds.withLock { $0 = Fixture.instant.seconds + Int64(offset) }
                let text = try await client.get("/activeconfig/user/user-1").text
                #expect(text.contains(#""timed":{"#) == holds, "\(offset) s")
            }
        }
    }
}
