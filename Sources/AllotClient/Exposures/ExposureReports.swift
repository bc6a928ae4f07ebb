import Synchronization

/// Tells what happens; what happened before anyone listened is told to the first who does.
final class ExposureReports: Sendable {
    private let broadcast = Broadcast<ExposureReport>()
    private let early = Mutex<[ExposureReport]?>([])

    /// The most that is kept for the first listener.
    private static let limit = 100

    func send(_ report: ExposureReport) {
        early.withLock { early in
            guard let count = early?.count else { return broadcast.send(report) }
            if count < Self.limit { early?.append(report) }
        }
    }

    func listen() -> AsyncStream<ExposureReport> {
        // Under the lock, so that what is sent meanwhile comes after what was missed, and to all in one order.
        early.withLock { early in
            let stream = broadcast.listen()
            for report in early ?? [] { broadcast.send(report) }
            early = nil
            return stream
        }
    }

    func finish() {
        broadcast.finish()
    }
}
