import Logging
import Synchronization
import UnixSignals

/// The time between SIGTERM and the end of the listener, in which load balancers learn from `/health/ready` that they
/// have to send requests elsewhere. `Sendable`.
package final class Draining: Sendable {
    private let flag = Atomic(false)

    package init() {}

    /// Whether the server still serves, and should get no more requests.
    package var isActive: Bool { flag.load(ordering: .relaxed) }

    /// Returns when the listener is to close: at SIGINT, after `time` from SIGTERM, or at the next signal.
    ///
    /// - Parameter signals: SIGTERM and SIGINT.
    func waitForEnd(
        _ signals: UnixSignalsSequence, _ time: Duration, _ logger: Logger, _ manager: ServiceManager?
    ) async {
        // `nil` when the time is over.
        let (events, source) = AsyncStream.makeStream(of: UnixSignal?.self)
        let forwarding = Task {
            for await signal in signals { source.yield(signal) }
            source.finish()
        }
        defer { forwarding.cancel() }
        for await event in events {
            guard event == .sigterm, !isActive, time > .zero else { return }
            flag.store(true, ordering: .relaxed)
            logger.info("SIGTERM: draining for \(time); another signal ends it at once")
            manager?.report(.stopping, "Draining for \(time)")
            Task {
                try? await Task.sleep(for: time)
                source.yield(nil)
            }
        }
    }
}
