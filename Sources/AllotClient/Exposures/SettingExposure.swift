import AllotConfiguration
import Synchronization

/// Reports the exposures that reading a setting is.
@usableFromInline final class SettingExposure: Sendable {
    private let storage: ConfigurationStorage
    private let assignments: [Int]
    private let isReported = Atomic(false)

    /// - Returns: `nil` for a value that no experiment set.
    init?(_ storage: ConfigurationStorage, _ entry: SettingEntry) {
        guard !entry.assignments.isEmpty else { return nil }
        self.storage = storage
        assignments = entry.assignments
    }

    /// Reports the first time; what comes later only loads a flag.
    @usableFromInline func noteReading() {
        guard !isReported.load(ordering: .relaxed) else { return }
        for index in assignments { storage.exposeOnReading(index) }
        isReported.store(true, ordering: .relaxed)
    }
}

/// Whether a snapshot has reported an assignment's exposure.
final class ExposureMark: Sendable {
    private let isReported = Atomic(false)

    /// Whether this is the first time it is asked.
    func isFirst() -> Bool {
        // Loading first keeps the many later readers from writing to one cache line.
        !isReported.load(ordering: .relaxed) && !isReported.exchange(true, ordering: .relaxed)
    }
}

/// Takes the exposures that reading a configuration brings about.
protocol ExposureRecording: Sendable {
    /// Whether reading a setting is an exposure to the experiments that set it.
    var recordsOnReading: Bool { get }

    /// Keeps an exposure; called at most once for each assignment of a snapshot. It must be quick, since a reader waits.
    func record(_ assignment: ExperimentAssignment, in configuration: Configuration)
}
