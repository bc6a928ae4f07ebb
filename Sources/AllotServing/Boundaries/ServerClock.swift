import Allot
import AllotDefinitions

/// The time of day, and waiting for it. Tests replace it. `Sendable`.
package struct ServerClock: Sendable {
    /// The present instant.
    package var now: @Sendable () -> Instant
    /// Returns once ``now`` has reached an instant; throws if the task is cancelled.
    package var sleep: @Sendable (_ until: Instant) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Instant, sleep: @escaping @Sendable (_ until: Instant) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The clock of the machine. Because it may be set while someone waits, a wait looks at it once a second.
    package static let system = ServerClock(
        now: { .now },
        sleep: { until in
            while true {
                let now = Instant.now
                guard now < until else { return }
                let left = Duration(
                    secondsComponent: until.seconds - now.seconds,
                    attosecondsComponent: Int64(until.nanoseconds - now.nanoseconds) * 1_000_000_000)
                try await Task.sleep(for: min(left, .seconds(1)))
            }
        })
}
