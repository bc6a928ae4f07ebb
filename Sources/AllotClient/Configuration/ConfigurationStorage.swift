import AllotConfiguration

import struct Foundation.Date

struct SettingEntry: Sendable {
    let value: JSONValue
    let source: ValueSource
    /// The positions of the assignments whose experiments compare the setting.
    var assignments: [Int] = []
}

struct Provenance: Sendable {
    var origin: ConfigurationOrigin
    /// When the server last sent or confirmed it; `nil` if no server sent it.
    var fetchedAt: Date?
    /// Whether it is the configuration for no user, used until the user's own is fetched.
    var isGeneric = false
    /// The user's attributes when the server decided; `nil` for the user's current ones.
    var attributes: JSONObject?
}

/// The contents of a snapshot, which all its copies share.
final class ConfigurationStorage: Sendable {
    let document: ConfigurationDocument
    let original: ConfigurationDocument
    let user: ConfigurationUser
    let provenance: Provenance
    let overrides: LocalOverrides
    let assignments: ExperimentAssignments
    let table: SettingTable
    /// The members of `meta` in which two configurations can differ for an app.
    let comparedMeta: JSONObject
    let files: ConfigurationFiles?
    let hasFiles: Bool
    private let marks: [ExposureMark]
    private let recorder: (any ExposureRecording)?

    /// - Complexity: O(*n*) in the number of settings.
    init(
        _ original: ConfigurationDocument, user: ConfigurationUser, _ provenance: Provenance,
        overrides: LocalOverrides, recorder: (any ExposureRecording)?, files: ConfigurationFiles? = nil
    ) {
        let document = overrides.applied(to: original)
        let assignments = overrides.applied(to: ExperimentAssignments(meta: original.meta))
        let source = ValueSource(rawValue: provenance.origin.rawValue) ?? .default
        var table = SettingTable(
            document.sections.settings.map { section, setting, value in
                let isOverridden = overrides.override(section, setting)
                return (section, setting, SettingEntry(value: value, source: isOverridden ? .override : source))
            })
        for (index, assignment) in assignments.enumerated() {
            for path in assignment.comparedSettings {
                // A value that was overridden on this device is not the experiment's.
                guard let (section, setting) = ExperimentAssignment.names(ofSetting: path),
                    let source = table[section, setting]?.source, source != .override || assignment.isOverridden
                else { continue }
                table.addAssignment(index, to: section, setting)
            }
        }
        var comparedMeta = document.meta
        for name in [MetaKey.creationTime, MetaKey.revision, MetaKey.assignments] { comparedMeta[name] = nil }
        self.document = document
        self.original = original
        self.user = user
        self.provenance = provenance
        self.overrides = overrides
        self.assignments = assignments
        self.table = table
        self.comparedMeta = comparedMeta
        var named: Set<ConfigurationFile> = []
        JSONValue.object(document.sections).collectFiles(&named)
        self.files = files
        hasFiles = !named.isEmpty
        marks = assignments.map { _ in ExposureMark() }
        self.recorder = recorder
    }

    /// Reports an exposure, unless this snapshot has done so. One that is not recorded now is reported again next time.
    func expose(_ index: Int) {
        guard let recorder, marks[index].isFirst() else { return }
        let isFinal = recorder.record(assignments[index], in: Configuration(storage: self))
        if !isFinal { marks[index].clear() }
    }

    /// Reports an exposure because a setting was read, if that counts as one.
    func exposeOnReading(_ index: Int) {
        guard let recorder, recorder.recordsOnReading else { return }
        expose(index)
    }
}
