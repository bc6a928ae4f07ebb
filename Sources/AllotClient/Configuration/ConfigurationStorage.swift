import AllotConfiguration
import AllotFiles

import struct Foundation.Date

struct SettingName: Sendable, Hashable {
    private let section: UTF8Key
    private let setting: UTF8Key

    init(_ section: String, _ setting: String) { (self.section, self.setting) = (UTF8Key(section), UTF8Key(setting)) }

    /// Reads `Section.Setting`, where only the setting's name may contain ".".
    init?(path: String) {
        guard let dot = path.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        self.init(String(path[..<dot]), String(path[path.utf8.index(after: dot)...]))
    }
}

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
    let entries: [SettingName: SettingEntry]
    /// The members of `meta` in which two configurations can differ for an app.
    let comparedMeta: JSONObject
    let files: ConfigurationFiles?
    let hasFiles: Bool
    private let recorder: (any ExposureRecording)?
    /// By assignment, whether this snapshot has reported its exposure; see ``ExposureJournal``.
    private let isReported: Lock<[Bool]>

    init(
        _ original: ConfigurationDocument, user: ConfigurationUser, _ provenance: Provenance,
        overrides: LocalOverrides, recorder: (any ExposureRecording)?, files: ConfigurationFiles? = nil
    ) {
        (self.original, self.user, self.provenance, self.overrides) = (original, user, provenance, overrides)
        (self.recorder, self.files) = (recorder, files)
        document = overrides.applied(to: original)
        assignments = overrides.applied(to: ExperimentAssignments(meta: original.meta))
        isReported = Lock(Array(repeating: false, count: assignments.count))
        let source = ValueSource(rawValue: provenance.origin.rawValue) ?? .default
        var entries: [SettingName: SettingEntry] = [:]
        for (section, setting, value) in document.sections.settings {
            let isOverridden = overrides.override(section, setting)
            entries[SettingName(section, setting)] = SettingEntry(
                value: value, source: isOverridden ? .override : source)
        }
        for (index, assignment) in assignments.enumerated() {
            for name in assignment.comparedSettings.compactMap(SettingName.init(path:)) {
                // A value that was overridden on this device is not the experiment's.
                guard let source = entries[name]?.source, source != .override || assignment.isOverridden else {
                    continue
                }
                entries[name]?.assignments.append(index)
            }
        }
        self.entries = entries
        var comparedMeta = document.meta
        for name in [MetaKey.creationTime, MetaKey.revision, MetaKey.assignments] { comparedMeta[name] = nil }
        self.comparedMeta = comparedMeta
        var named: Set<ConfigurationFile> = []
        JSONValue.object(document.sections).collectFiles(&named)
        hasFiles = !named.isEmpty
    }

    /// Reports an exposure, unless this snapshot has done so. One that is not recorded now is reported again next time.
    func expose(_ index: Int) {
        guard let recorder else { return }
        let isFirst = isReported.withLock { isReported in
            defer { isReported[index] = true }
            return !isReported[index]
        }
        guard isFirst else { return }
        let isFinal = recorder.record(assignments[index], in: Configuration(storage: self))
        if !isFinal { isReported.withLock { $0[index] = false } }
    }

    /// Reports the exposures that reading a setting causes, if that counts as one.
    func noteReading(of entry: SettingEntry) {
        guard let recorder, recorder.recordsOnReading else { return }
        for index in entry.assignments { expose(index) }
    }
}

/// The origin of a configuration.
public enum ConfigurationOrigin: String, Sendable, Hashable {
    /// No configuration is available: all values are the app's defaults.
    case none
    /// The configuration was bundled with the app.
    case bootstrap
    /// An earlier run of the app fetched and stored it.
    case stored
    /// The server sent or confirmed it in this run of the app.
    case remote
}

/// The source of a value.
public enum ValueSource: String, Sendable, Hashable {
    /// The app's own default: the configuration has no such setting, or its value was refused.
    case `default`
    /// The configuration that was bundled with the app.
    case bootstrap
    /// A configuration that an earlier run of the app fetched.
    case stored
    /// A configuration that this run of the app fetched.
    case remote
    /// A local override on this device.
    case override
}
