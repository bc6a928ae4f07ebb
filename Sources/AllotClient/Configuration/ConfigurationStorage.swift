import AllotConfiguration

import struct Foundation.Date

/// A setting of a snapshot.
struct SettingEntry: Sendable {
    let value: JSONValue
    let source: ValueSource
    /// The positions of the assignments whose experiments compare the setting.
    var assignments: [Int] = []
}

/// The contents of a snapshot, which all its copies share.
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
    /// The same settings, for looking them up in one step.
    let table: SettingTable
    /// The members of `meta` in which two configurations can differ for an app.
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
        let source = origin.source
        var sections: [UTF8Key: [UTF8Key: SettingEntry]] = [:]
        sections.reserveCapacity(document.sections.members.count)
        for section in document.sections.members {
            guard case .object(let settings) = section.value else { continue }
            var entries: [UTF8Key: SettingEntry] = [:]
            entries.reserveCapacity(settings.members.count)
            for setting in settings.members {
                entries[UTF8Key(setting.key)] = SettingEntry(
                    value: setting.value,
                    source: overrides.override(section.key, setting.key) ? .override : source)
            }
            sections[UTF8Key(section.key)] = entries
        }
        for (index, assignment) in assignments.enumerated() {
            for setting in assignment.comparedSettings {
                // A setting's name may contain ".", a section's does not.
                guard let dot = setting.utf8.firstIndex(of: UInt8(ascii: ".")) else { continue }
                let section = UTF8Key(String(setting[..<dot]))
                let name = UTF8Key(String(setting[setting.utf8.index(after: dot)...]))
                // A value that was overridden on this device is not the experiment's.
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

    /// Reports an exposure, unless this snapshot has done so.
    func expose(_ index: Int) {
        guard let recorder, marks[index].isFirst() else { return }
        recorder.record(assignments[index], in: Configuration(storage: self))
    }

    /// Reports an exposure because a setting was read, if that counts as one.
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
