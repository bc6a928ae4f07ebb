import AllotConfiguration
import Synchronization

/// What a setting has beside its value; shared by all copies.
final class SettingState<Value: SettingValue>: Sendable {
    /// The snapshot's entry that a setting took its value from.
    struct Binding: Sendable {
        let storage: ConfigurationStorage
        let entry: SettingEntry
    }

    let section: String?
    let key: String
    let defaultValue: Value
    let constraints: SettingConstraints
    let description: String?
    let requiresRestart: Bool
    let binding: Binding?
    let violations: [SettingViolation]

    init(
        section: String?, key: String, defaultValue: Value, constraints: SettingConstraints, description: String?,
        requiresRestart: Bool, binding: Binding?, violations: [SettingViolation]
    ) {
        self.section = section
        self.key = key
        self.defaultValue = defaultValue
        self.constraints = constraints
        self.description = description
        self.requiresRestart = requiresRestart
        self.binding = binding
        self.violations = violations
    }
}

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
