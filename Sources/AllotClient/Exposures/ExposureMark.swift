import Synchronization

/// Whether a snapshot has reported an assignment's exposure.
final class ExposureMark: Sendable {
    private let isReported = Atomic(false)

    /// Whether this is the first time it is asked.
    func isFirst() -> Bool {
        // Loading first keeps the many later readers from writing to one cache line.
        !isReported.load(ordering: .relaxed) && !isReported.exchange(true, ordering: .relaxed)
    }
}
