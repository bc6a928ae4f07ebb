import AllotConfiguration
import AllotServing
import AsyncAlgorithms
import HTTPTypes
import Hummingbird
import Metrics
import NIOCore
import ServiceLifecycle

/// `/events`: server-sent events (the HTML standard, section 9.2) that report each change of the revision, in the form
/// of OFREP's event streams.
struct EventRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    func add(to group: RouterGroup<Context>) {
        environment.route(.get, ServicePath.events, .configuration, on: group) { _, _ in
            Response(
                status: .ok,
                headers: [
                    .contentType: "text/event-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                ],
                body: ResponseBody { writer in
                    try await stream(to: &writer)
                    try await writer.finish(nil)
                })
        }
    }

    /// Writes the current revision, each one that follows it, and heartbeats, until the server shuts down or the client
    /// disconnects. A slow client may miss intermediate revisions.
    private func stream(to writer: inout any ResponseBodyWriter) async throws {
        let streams = Meter(label: MetricName.eventStreams)
        streams.increment()
        defer { streams.decrement() }
        let beats = AsyncTimerSequence(interval: environment.allot.heartbeat, clock: .continuous).map {
            _ -> ActivePlan? in nil
        }
        let updates = environment.allot.plans.updates().map { plan -> ActivePlan? in plan }
        for try await update in merge(updates, beats).cancelOnGracefulShutdown() {
            try await writer.write(ByteBuffer(string: update.map(Self.event) ?? ": alive\n\n"))
        }
    }

    private static func event(_ active: ActivePlan) -> String {
        let data: JSONValue = [
            "etag": .string(active.plan.revision), "lastModified": .number(JSONNumber(active.loadedAt.seconds)),
            "revision": .string(active.plan.revision), "type": "refetchEvaluation",
        ]
        return "id: \(active.plan.revision)\nevent: message\ndata: \(data.canonicalText)\n\n"
    }
}
