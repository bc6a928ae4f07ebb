import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird
import Metrics
import NIOCore
import ServiceLifecycle

/// `/events`: server-sent events that report each change of the revision and each boundary that passes.
struct EventRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    func add(to group: RouterGroup<Context>) {
        // A browser's EventSource cannot set headers.
        environment.route(.get, ServicePath.events, .configuration, on: group, allowsTokenInQuery: true) { _, _ in
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

    /// Writes the current state, each one that follows it, and heartbeats, until the server shuts down or the client
    /// disconnects. A slow client may miss intermediate states.
    private func stream(to writer: inout any ResponseBodyWriter) async throws {
        let streams = Meter(label: MetricName.eventStreams)
        streams.increment()
        defer { streams.decrement() }
        let events = environment.allot.plans.serverSentEvents(heartbeat: environment.allot.heartbeat)
        for try await event in events.cancelOnGracefulShutdown() {
            try await writer.write(ByteBuffer(string: event))
        }
    }
}
