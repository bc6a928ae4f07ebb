import AllotConfiguration

/// In what two configurations differ for an app.
public struct ConfigurationChange: Sendable, Hashable {
    /// A setting's section and name.
    public struct SettingName: Sendable, Hashable, CustomStringConvertible {
        /// The section's name.
        public let section: String
        /// The setting's name.
        public let setting: String

        /// `Section.Setting`
        public var description: String { "\(section).\(setting)" }
    }

    /// The settings whose values were added, removed or changed.
    public let settings: [SettingName]
    /// The experiments whose assignments were added, removed or changed.
    public let experiments: [String]
    /// The other members of `meta` that were added, removed or changed; neither when the configuration was made, nor the
    /// revision of the definitions.
    public let meta: [String]

    /// Whether nothing differs.
    public var isEmpty: Bool {
        settings.isEmpty && experiments.isEmpty && meta.isEmpty
    }

    /// Compares two configurations. Complexity: O(*n* log *n*).
    init(from old: Configuration, to new: Configuration) {
        let (left, right) = (old.document.sections, new.document.sections)
        settings =
            left == right
            ? []
            : Self.changedNames(left, right).flatMap { section in
                Self.changedNames(Self.settings(left, section), Self.settings(right, section)).map {
                    SettingName(section: section, setting: $0)
                }
            }
        experiments = Self.changedNames(old.assignments.byExperiment, new.assignments.byExperiment)
        meta = Self.changedNames(old.storage.comparedMeta, new.storage.comparedMeta)
    }

    private static func settings(_ sections: JSONObject, _ name: String) -> JSONObject {
        guard case .object(let settings)? = sections[name] else { return [:] }
        return settings
    }

    private static func changedNames(_ left: JSONObject, _ right: JSONObject) -> [String] {
        changedNames(
            left.members.map { (UTF8Key($0.key), $0.value) }, right.members.map { (UTF8Key($0.key), $0.value) })
    }

    private static func changedNames<Value: Equatable>(_ left: [(UTF8Key, Value)], _ right: [(UTF8Key, Value)])
        -> [String]
    {
        let old = Dictionary(left) { $1 }
        let new = Dictionary(right) { $1 }
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted().map(\.text)
    }
}

extension Assignments {
    fileprivate var byExperiment: [(UTF8Key, Assignment)] {
        map { (UTF8Key($0.experiment), $0) }
    }
}
