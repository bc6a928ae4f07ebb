import AllotConfiguration
import AllotCore
import AllotDefinitions

/// A change that subscribers receive: a plan that becomes the current one, or a boundary of it that passes. `Sendable`.
///
/// ```swift
/// import Allot
///
/// let plans = PlanStore(try Plan.load(folder: "Experiments"), loadedAt: .now)
/// for await change in plans.changes() { print(change.serverSentEvent, terminator: "") }
/// ```
public struct PlanChange: Sendable, CustomStringConvertible {
    /// The current plan.
    public let active: ActivePlan
    /// The last boundary that has passed: answers from before it are out of date. `nil` if none has.
    public let boundary: Instant?
    /// Identifies the configurations of all units: the revision, with a boundary as `REVISION@2026-12-01T09:00:00Z`.
    public let id: String
    /// The time of the change, in seconds since 1970: when the plan was loaded, or when the boundary passed.
    let lastModified: Int64
    /// The ``id``.
    public var description: String { id }
    /// The change as a message of `GET /events` (the HTML standard, section 9.2), in the form of OFREP's event streams.
    public let serverSentEvent: String

    init(_ active: ActivePlan, boundary: Instant?) {
        (self.active, self.boundary) = (active, boundary)
        let revision = active.plan.revision
        id = boundary.map { "\(revision)@\($0)" } ?? revision
        lastModified = max(active.loadedAt, boundary ?? active.loadedAt).seconds
        var data: JSONObject = [
            "etag": .string(id), "lastModified": .number(JSONNumber(lastModified)), "revision": .string(revision),
            "type": "refetchEvaluation",
        ]
        data["boundary"] = boundary.map { .string($0.description) }
        // Written once for all subscribers.
        serverSentEvent = "id: \(id)\nevent: message\ndata: \(JSONValue.object(data).canonicalText)\n\n"
    }
}

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
