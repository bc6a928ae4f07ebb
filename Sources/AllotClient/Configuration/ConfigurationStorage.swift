import AllotConfiguration

import struct Foundation.Date

/// What a setting of a snapshot is.
struct SettingEntry: Sendable {
    let value: JSONValue
    let source: ValueSource
    /// Where the assignments stand whose variants set the value.
    var assignments: [Int] = []
}

/// What all copies of a snapshot share.
final class ConfigurationStorage: Sendable {
    let document: ConfigurationDocument
    let user: ConfigurationUser
    let origin: ConfigurationOrigin
    let fetchedAt: Date?
    let isGeneric: Bool
    let attributes: JSONObject
    let overrides: LocalOverrides
    let assignments: ExperimentAssignments
    let sections: [UTF8Key: [UTF8Key: SettingEntry]]
    /// The same, for looking up a setting in one step.
    let table: SettingTable
    /// The members of `meta` by which two configurations differ for an app.
    let comparedMeta: JSONObject
    private let marks: [ExposureMark]
    private let recorder: (any ExposureRecording)?

    /// - Complexity: O(*n*) in the number of settings.
    init(
        _ original: ConfigurationDocument, user: ConfigurationUser, origin: ConfigurationOrigin, fetchedAt: Date?,
        isGeneric: Bool, attributes: JSONObject, overrides: LocalOverrides, recorder: (any ExposureRecording)?
    ) {
        let document = overrides.applied(to: original)
        let assignments = overrides.applied(to: ExperimentAssignments(meta: original.meta))
        var sections: [UTF8Key: [UTF8Key: SettingEntry]] = [:]
        sections.reserveCapacity(document.sections.members.count)
        for section in document.sections.members {
            guard case .object(let settings) = section.value else { continue }
            var entries: [UTF8Key: SettingEntry] = [:]
            entries.reserveCapacity(settings.members.count)
            for setting in settings.members {
                entries[UTF8Key(setting.key)] = SettingEntry(
                    value: setting.value,
                    source: overrides.override(section.key, setting.key) ? .override : origin.source)
            }
            sections[UTF8Key(section.key)] = entries
        }
        for (index, assignment) in assignments.enumerated() {
            for setting in assignment.comparedSettings {
                // A section's name holds no ".", a setting's may.
                guard let dot = setting.utf8.firstIndex(of: UInt8(ascii: ".")) else { continue }
                let section = UTF8Key(String(setting[..<dot]))
                let name = UTF8Key(String(setting[setting.utf8.index(after: dot)...]))
                // A value that was overridden here is not what the experiment shows.
                guard let source = sections[section]?[name]?.source, source != .override || assignment.isOverridden
                else { continue }
                sections[section]?[name]?.assignments.append(index)
            }
        }
        var comparedMeta = document.meta
        for name in [MetaKey.creationTime, MetaKey.revision, MetaKey.assignments] { comparedMeta[name] = nil }
        self.document = document
        self.user = user
        self.origin = origin
        self.fetchedAt = fetchedAt
        self.isGeneric = isGeneric
        self.attributes = attributes
        self.overrides = overrides
        self.assignments = assignments
        self.sections = sections
        table = SettingTable(sections)
        self.comparedMeta = comparedMeta
        marks = assignments.map { _ in ExposureMark() }
        self.recorder = recorder
    }

    /// Reports an exposure, if this snapshot has not yet.
    func expose(_ index: Int) {
        guard let recorder, marks[index].isFirst() else { return }
        recorder.record(assignments[index], in: Configuration(storage: self))
    }

    /// The same because a setting was read, for a client that reports on reading.
    func exposeOnReading(_ index: Int) {
        guard let recorder, recorder.recordsOnReading else { return }
        expose(index)
    }
}

extension Configuration {
    init(storage: ConfigurationStorage) {
        self.storage = storage
    }
}
