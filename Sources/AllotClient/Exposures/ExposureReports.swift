import Synchronization

/// Tells what happens; what happened before anyone listened is told to the first who does.
final class ExposureReports: Sendable {
    private let broadcast = Broadcast<ExposureReport>()
    private let early = Mutex<[ExposureReport]?>([])

    /// The most that is kept for the first listener.
    private static let limit = 100

    func send(_ report: ExposureReport) {
        let isKept = early.withLock { early in
            guard let count = early?.count else { return false }
            if count < Self.limit { early?.append(report) }
            return true
        }
        if !isKept { broadcast.send(report) }
    }

    func listen() -> AsyncStream<ExposureReport> {
        let stream = broadcast.listen()
        let missed = early.withLock { early in
            defer { early = nil }
            return early
        }
        for report in missed ?? [] { broadcast.send(report) }
        return stream
    }

    func finish() {
        broadcast.finish()
    }
}
