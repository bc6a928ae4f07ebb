import AllotFiles

#if !canImport(Darwin)
    import Synchronization
#endif

protocol ExposureRecording: Sendable {
    var recordsOnReading: Bool { get }

    /// Records an exposure; called once for each assignment of a snapshot, and again if it returns `false`. Must be
    /// quick, since a reader waits.
    ///
    /// - Returns: whether the result is final: `false` if the exposure may be recorded later.
    func record(_ assignment: ExperimentAssignment, in configuration: Configuration) -> Bool
}

/// Whether a snapshot has reported the exposure to one of its assignments.
///
/// It makes repeated readings cheap. What makes an exposure count once is described at ``ExposureJournal``.
final class ExposureMark: Sendable {
    #if canImport(Darwin)
        // `Atomic` needs iOS 18 and macOS 15.
        private let isReported = Lock(false)
    #else
        private let isReported = Atomic(false)
    #endif

    /// Returns `true` the first time, and `false` afterwards.
    func isFirst() -> Bool {
        #if canImport(Darwin)
            isReported.withLock { isReported in
                defer { isReported = true }
                return !isReported
            }
        #else
            // Loading first keeps later readers from all writing to one cache line.
            !isReported.load(ordering: .relaxed) && !isReported.exchange(true, ordering: .relaxed)
        #endif
    }

    /// Makes the next call of ``isFirst()`` return `true` again.
    func clear() {
        #if canImport(Darwin)
            isReported.withLock { $0 = false }
        #else
            isReported.store(false, ordering: .relaxed)
        #endif
    }
}
