import AllotConfiguration

/// The differences between two configurations that an app can notice. Numbers differ if their values do: 1.50 and 1.5
/// are one.
public struct ConfigurationChange: Sendable, Hashable {
    /// The sections that were added or removed.
    public let sections: [String]
    /// The settings whose values were added, removed or changed, as `Section.Setting`.
    public let settings: [String]
    /// The experiments whose assignments were added, removed or changed.
    public let experiments: [String]
    /// The members of `meta` that were added, removed or changed, other than assignments, the creation time and the
    /// revision.
    public let meta: [String]

    /// Whether nothing differs.
    public var isEmpty: Bool { sections.isEmpty && settings.isEmpty && experiments.isEmpty && meta.isEmpty }

    init(from old: Configuration, to new: Configuration) {
        let (left, right) = (old.document.sections, new.document.sections)
        let changed = Self.changedNames(left, right)
        sections = changed.filter { (left[$0] == nil) != (right[$0] == nil) }
        settings = changed.flatMap { section in
            Self.changedNames(left.object(section) ?? [:], right.object(section) ?? [:]).map { "\(section).\($0)" }
        }
        let keys = old.assignments.map(\.experiment) + new.assignments.map(\.experiment)
        experiments = Self.names(keys) { old.assignments[$0] != new.assignments[$0] }
        meta = Self.changedNames(old.storage.comparedMeta, new.storage.comparedMeta)
    }

    private static func changedNames(_ old: JSONObject, _ new: JSONObject) -> [String] {
        names(old.members.map(\.key) + new.members.map(\.key)) { !old[$0].isEquivalent(to: new[$0]) }
    }

    private static func names(_ all: [String], where isChanged: (String) -> Bool) -> [String] {
        Set(all.filter(isChanged).map(UTF8Key.init)).sorted().map(\.text)
    }
}

extension ConfigurationChange: CustomStringConvertible {
    /// The names of what differs, such as `settings Checkout.Steps; experiments short-checkout`: the first ten of each
    /// kind. `nothing` if nothing differs.
    public var description: String {
        let kinds = [("sections", sections), ("settings", settings), ("experiments", experiments), ("meta", meta)]
        let parts = kinds.filter { !$0.1.isEmpty }.map { kind, names in
            "\(kind) \(names.map { PrintableText($0).description }.listed(atMost: 10))"
        }
        return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
    }
}
