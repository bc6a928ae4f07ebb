public import AllotConfiguration

/// A setting of a snapshot, by name, whether there is one or not.
public struct ConfigurationSetting: Sendable, Hashable {
    /// The section's name.
    public let section: String
    /// The setting's name.
    public let name: String
    private let configuration: Configuration
    private let entry: SettingEntry?

    init(_ configuration: Configuration, _ section: String, _ name: String) {
        self.section = section
        self.name = name
        self.configuration = configuration
        entry = configuration.entry(section, name)
    }

    /// The value; `nil` when there is no such setting. Reading it reports the exposure to the experiments that set it.
    public var value: JSONValue? {
        entry.map(configuration.read)
    }

    /// Where the value comes from.
    public var source: ValueSource {
        entry?.source ?? .default
    }

    /// The assignments whose variants set it.
    public var assignments: [Assignment] {
        entry?.assignments.map { configuration.assignments[$0] } ?? []
    }

    /// Whether two have the same value, set by the same variants.
    public static func == (left: Self, right: Self) -> Bool {
        UTF8Order.areEqual(left.section, right.section) && UTF8Order.areEqual(left.name, right.name)
            && left.entry?.value == right.entry?.value && left.assignments == right.assignments
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(UTF8Key(section))
        hasher.combine(UTF8Key(name))
        hasher.combine(entry?.value)
    }
}
