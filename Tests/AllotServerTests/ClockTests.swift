import AllotCore
import AllotServer
import Hummingbird
import HummingbirdTesting
import Testing

/// The server's clock may go on, and be set back.
struct ClockTests {
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
        let clock = SimulatedClock()
        let routes = try TestedRoutes(plan, clock: clock)
        try await routes.test { client async throws in
            // Forward, back before the start, and into the middle again.
            for (offset, holds) in [(0, false), (10, true), (19, true), (20, false), (5, false), (15, true)] {
                clock.set(seconds: Int64(offset))
                let text = try await client.get("/activeconfig/user/user-1").text
                #expect(text.contains(#""timed":{"#) == holds, "\(offset) s")
            }
        }
    }
}
