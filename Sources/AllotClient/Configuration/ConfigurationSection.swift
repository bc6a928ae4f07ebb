import AllotConfiguration

/// A section of a snapshot: settings by name, and the assignments that set them.
///
/// Reading a value reports the exposure to the experiments that set it.
public struct ConfigurationSection: Sendable {
    /// The section's name.
    public let name: String
    let configuration: Configuration
    let settings: [UTF8Key: SettingEntry]

    /// The names of its settings, sorted.
    public var settingNames: [String] {
        settings.keys.sorted().map(\.text)
    }

    /// The value of a setting, `nil` when there is no such setting; JSON's null is a value. Complexity: O(1).
    public subscript(setting: String) -> JSONValue? {
        settings[UTF8Key(setting)].map(configuration.read)
    }

    /// Where a setting's value comes from; ``ValueSource/default`` when there is no such setting.
    public func source(_ setting: String) -> ValueSource {
        settings[UTF8Key(setting)]?.source ?? .default
    }

    /// The assignments whose variants set something in this section.
    public var assignments: [Assignment] {
        Set(settings.values.flatMap(\.assignments)).sorted().map { configuration.assignments[$0] }
    }
}

extension ConfigurationSection: Hashable {
    /// Whether two have the same values, set by the same variants.
    public static func == (left: Self, right: Self) -> Bool {
        UTF8Order.areEqual(left.name, right.name) && left.settings.count == right.settings.count
            && left.settings.allSatisfy { $0.value.value == right.settings[$0.key]?.value }
            && left.assignments == right.assignments
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(UTF8Key(name))
        hasher.combine(settings.count)
    }
}
