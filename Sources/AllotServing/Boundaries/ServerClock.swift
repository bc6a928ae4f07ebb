import AllotCore
import AllotDefinitions

/// The time of day, and waiting for it. Tests replace it. `Sendable`.
package struct ServerClock: Sendable {
    package var now: @Sendable () -> Instant
    /// Returns once ``now`` is before one instant or has reached another; throws if the task is cancelled.
    package var leave: @Sendable (_ start: Instant?, _ end: Instant?) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Instant,
        leave: @escaping @Sendable (_ start: Instant?, _ end: Instant?) async throws -> Void
    ) {
        self.now = now
        self.leave = leave
    }

    /// The clock of the machine. Because it may be set while someone waits, a wait looks at it once a second.
    package static let system = ServerClock(
        now: { .now },
        leave: { start, end in
            while true {
                let now = Instant.now
                if let start, now < start { return }
                guard let end else {
                    try await Task.sleep(for: .seconds(1))
                    continue
                }
                guard now < end else { return }
                let left = Duration(
                    secondsComponent: end.seconds - now.seconds,
                    attosecondsComponent: Int64(end.nanoseconds - now.nanoseconds) * 1_000_000_000)
                try await Task.sleep(for: min(left, .seconds(1)))
            }
        })
}
