import Synchronization

/// Records the exposures that reading a configuration causes.
protocol ExposureRecording: Sendable {
    /// Whether reading a setting exposes the user to the experiments that compare it.
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
    private let isReported = Atomic(false)

    /// Returns `true` the first time, and `false` from then on.
    func isFirst() -> Bool {
        // Loading first keeps later readers from all writing to one cache line.
        !isReported.load(ordering: .relaxed) && !isReported.exchange(true, ordering: .relaxed)
    }

    /// Makes the next call of ``isFirst()`` return `true` again.
    func clear() {
        isReported.store(false, ordering: .relaxed)
    }
}

/// Reports the exposures that reading a typed setting causes.
@usableFromInline final class SettingExposure: Sendable {
    private let storage: ConfigurationStorage
    private let assignments: [Int]

    /// Returns `nil` for a value that no experiment compares.
    init?(_ storage: ConfigurationStorage, _ entry: SettingEntry) {
        guard !entry.assignments.isEmpty else { return nil }
        self.storage = storage
        assignments = entry.assignments
    }

    @usableFromInline func noteReading() {
        for index in assignments { storage.exposeOnReading(index) }
    }
}
