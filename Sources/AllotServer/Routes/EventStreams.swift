import AllotServing
import Metrics
import Synchronization

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
