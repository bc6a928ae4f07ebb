import AllotCore
import AllotDefinitions

/// The time of day, and waiting for it. Tests replace it. `Sendable`.
package struct ServerClock: Sendable {
    package var now: @Sendable () -> Instant
    /// Returns once ``now`` is before one instant or has reached another; throws if the task is cancelled.
    var leave: @Sendable (_ start: Instant?, _ end: Instant?) async throws -> Void

    /// The clock of the machine. Because it may be set while someone waits, a wait looks at it once a second.
    static let system = ServerClock(
        now: { .now },
        leave: { start, end in
            while true {
                let now = Instant.now
                if start.map({ now < $0 }) == true || end.map({ now >= $0 }) == true { return }
                let left = end.map {
                    Duration.seconds($0.seconds - now.seconds) + .nanoseconds($0.nanoseconds - now.nanoseconds)
                }
                try await Task.sleep(for: min(left ?? .seconds(1), .seconds(1)))
            }
        })
}
