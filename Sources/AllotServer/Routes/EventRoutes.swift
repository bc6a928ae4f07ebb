import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird
import Metrics
import NIOCore
import ServiceLifecycle
import Synchronization

/// `/events`: server-sent events that report each change of the revision and each boundary that passes.
struct EventRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    /// The most bytes of a body, which is ignored.
    private static var longestBody: Int { 1024 }

    func add(to group: RouterGroup<Context>) {
        environment.route(.get, ServicePath.events, .configuration, on: group, from: .eventSource) { request, _ in
            var request = request
            // An unread body would delay the stream for ever. If the client left in the middle of it, Hummingbird would
            // end the process.
            request.body = try await environment.reading.body(request, limit: Self.longestBody) {
                RequestBody(buffer: $0)
            }
            guard let stream = environment.allot.eventStreams.open() else {
                throw RequestFailure(
                    .serviceUnavailable, "too many clients are subscribed to events; try again later",
                    headers: [("Retry-After", "10")])
            }
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/event-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                ],
                body: ResponseBody { [request] writer in
                    defer { withExtendedLifetime(stream) {} }
                    // A client that leaves is noticed at once, not when something is written.
                    try await request.body.consumeWithCancellationOnInboundClose { _ in
                        try await send(to: &writer, request.head)
                    }
                    try await writer.finish(nil)
                })
        }
    }

    /// Writes the current state, each one that follows it, and heartbeats, until the server shuts down, the client
    /// disconnects or its token is revoked. A slow client may miss intermediate states.
    private func send(to writer: inout any ResponseBodyWriter, _ request: HTTPRequest) async throws {
        // One stream for every reason to end: nesting another merge would pass each message through more tasks.
        let (end, signal) = AsyncStream<Void>.makeStream()
        environment.allot.tokens?.signalRevocation(of: .configuration, request, from: .eventSource, to: signal)
        let events = environment.allot.plans.serverSentEvents(heartbeat: environment.allot.heartbeat, until: end)
        try await withGracefulShutdownHandler {
            for try await event in events {
                guard let event else { return }
                try await writer.write(ByteBuffer(string: event))
            }
        } onGracefulShutdown: {
            signal.yield()
        }
    }
}

/// Counts streams of events, of which there is a limited number.
package final class EventStreams: Sendable {
    /// A stream, which counts as long as it exists.
    final class Stream: Sendable {
        private let streams: EventStreams
        private let meter = Meter(label: MetricName.eventStreams)

        fileprivate init(_ streams: EventStreams) {
            self.streams = streams
            meter.increment()
        }

        deinit {
            meter.decrement()
            streams.count.subtract(1, ordering: .relaxed)
        }
    }

    private let maximum: Int
    private let count = Atomic(0)

    package init(maximum: Int = .max) {
        self.maximum = maximum
    }

    /// Counts a new stream. Returns `nil` if the maximum is reached.
    func open() -> Stream? {
        guard count.add(1, ordering: .relaxed).newValue <= maximum else {
            count.subtract(1, ordering: .relaxed)
            return nil
        }
        return Stream(self)
    }
}
