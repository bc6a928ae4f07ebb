import AllotConfiguration
import AsyncAlgorithms
import Metrics
import Synchronization

extension AllotService {
    /// `/events`: server-sent events that report each change of the revision and each boundary that passes.
    var eventRoute: Route {
        Route("GET", ServicePath.events, .configuration, from: .eventSource, body: .ignored) { request in
            guard let stream = eventStreams.open() else {
                throw RequestFailure(
                    .serviceUnavailable, "too many clients are subscribed to events; try again later",
                    headers: [("Retry-After", "10")])
            }
            return HTTPAnswer(
                headers: [
                    ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                    ("X-Content-Type-Options", "nosniff"),
                ],
                stream: AnswerStream(isEndless: true) { write in
                    defer { withExtendedLifetime(stream) {} }
                    try await send(request, write)
                })
        }
    }

    /// Writes the current state, each one that follows it, and heartbeats, until the task is cancelled or the token is
    /// revoked. A slow client may miss states; one that hears nothing for 45 seconds connects again.
    private func send(_ request: ServiceRequest, _ write: ([UInt8]) async throws -> Void) async throws {
        let (end, signal) = AsyncStream<Void>.makeStream()
        tokens?.signalRevocation(of: .configuration, request, from: .eventSource, to: signal)
        let events = merge(
            plans.changes().map { Optional($0.serverSentEvent) },
            AsyncTimerSequence(interval: heartbeat, clock: .continuous).map { _ in Optional(": alive\n\n") },
            end.map { String?.none })
        for try await event in events {
            // Nothing may be sent after the end.
            guard let event else { return }
            try await write(Array(event.utf8))
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
    package init(maximum: Int = .max) { self.maximum = maximum }

    func open() -> Stream? {
        guard count.add(1, ordering: .relaxed).newValue <= maximum else {
            count.subtract(1, ordering: .relaxed)
            return nil
        }
        return Stream(self)
    }
}
