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

    func begin() { flag.store(true, ordering: .relaxed) }

    /// Returns when the listener is to close: at SIGINT, after `time` from SIGTERM, or at the next signal.
    func waitForEnd(_ time: Duration, _ logger: Logger) async {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        guard await Self.next(signals) == .sigterm, time > .zero else { return }
        begin()
        logger.info("SIGTERM: draining for \(time); another signal ends it at once")
        await withDiscardingTaskGroup { group in
            let waiting = Task { _ = await Self.next(signals) }
            group.addTask {
                _ = try? await Task.sleep(for: time)
                waiting.cancel()
            }
            await waiting.value
            group.cancelAll()
        }
    }

    private static func next(_ signals: UnixSignalsSequence) async -> UnixSignal? {
        for await signal in signals { return signal }
        return nil
    }
}
