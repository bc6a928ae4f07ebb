import AllotConfiguration

/// The differences between two configurations that an app can notice.
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

    /// The sections that were added or removed.
    public let sections: [String]
    /// The settings whose values were added, removed or changed.
    public let settings: [SettingName]
    /// The experiments whose assignments were added, removed or changed.
    public let experiments: [String]
    /// The members of `meta` that were added, removed or changed, other than assignments, the creation time and the
    /// revision.
    public let meta: [String]

    /// Whether nothing differs.
    public var isEmpty: Bool {
        sections.isEmpty && settings.isEmpty && experiments.isEmpty && meta.isEmpty
    }

    /// Compares two configurations. Complexity: O(*n*).
    init(from old: Configuration, to new: Configuration) {
        let (left, right) = (old.document.sections, new.document.sections)
        let changed = Self.changedNames(left.members, right.members)
        sections = changed.filter { (left[$0] == nil) != (right[$0] == nil) }
        settings = changed.flatMap { section in
            Self.changedNames(Self.settings(left, section), Self.settings(right, section)).map {
                SettingName(section: section, setting: $0)
            }
        }
        experiments = Self.changedNames(old.assignments, new.assignments)
        meta = Self.changedNames(old.storage.comparedMeta.members, new.storage.comparedMeta.members)
    }

    private static func settings(_ sections: JSONObject, _ name: String) -> [JSONObject.Member] {
        guard case .object(let settings)? = sections[name] else { return [] }
        return settings.members
    }

    /// The names of the elements that are in one list only, or differ. Both lists are sorted by name.
    private static func changedNames<List: RandomAccessCollection>(_ left: List, _ right: List) -> [String]
    where List.Element: NamedPart, List.Index == Int {
        var names: [String] = []
        var (old, new) = (left.startIndex, right.startIndex)
        while old < left.endIndex || new < right.endIndex {
            let isGone =
                new == right.endIndex || old < left.endIndex && UTF8Order.precedes(left[old].name, right[new].name)
            let isNew = old == left.endIndex || !isGone && UTF8Order.precedes(right[new].name, left[old].name)
            if isGone || isNew || left[old] != right[new] { names.append(isNew ? right[new].name : left[old].name) }
            if !isNew { old += 1 }
            if !isGone { new += 1 }
        }
        return names
    }
}

/// A named part of a configuration.
private protocol NamedPart: Equatable {
    var name: String { get }
}

extension JSONObject.Member: NamedPart {
    fileprivate var name: String { key }
}

extension ExperimentAssignment: NamedPart {
    fileprivate var name: String { experiment }
}
