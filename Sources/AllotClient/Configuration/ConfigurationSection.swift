public import AllotConfiguration

/// A section of a snapshot: settings by name, and the assignments that set them.
///
/// Reading a value reports the exposure to the experiments that compare it.
public struct ConfigurationSection: Sendable {
    /// The section's name.
    public let name: String
    let configuration: Configuration
    let settings: JSONObject

    package var settingNames: [String] { settings.members.map(\.key) }
    /// The value of a setting; `nil` if it does not exist. JSON's null is a value. Complexity: O(1).
    public subscript(setting: String) -> JSONValue? { configuration.value(name, setting) }

    /// The section as a type whose members are its settings; a `DecodingError` has the path to the faulty value.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try configuration.decode(type, from: name)
    }

    /// The source of a setting's value; ``ValueSource/default`` if it does not exist.
    public func source(_ setting: String) -> ValueSource { configuration.source(name, setting) }

    /// The assignments whose experiments compare settings of this section.
    public var assignments: [ExperimentAssignment] {
        let positions = settings.members.flatMap { configuration.entry(name, $0.key)?.assignments ?? [] }
        return Set(positions).sorted().map { configuration.assignments[$0] }
    }
}

extension Configuration {
    func sectionOrEmpty(_ name: String) -> ConfigurationSection {
        self[name] ?? ConfigurationSection(name: name, configuration: self, settings: [:])
    }
}

extension ConfigurationSection: Equatable {
    /// Whether two sections have the same values, set by the same variants. Numbers are the same if their values are.
    public static func == (left: Self, right: Self) -> Bool {
        UTF8Order.areEqual(left.name, right.name) && left.settings.isEquivalent(to: right.settings)
            && left.assignments == right.assignments
    }
}

/// A setting of a snapshot by name, whether it exists or not.
public struct ConfigurationSetting: Sendable, Equatable {
    let section: String
    let name: String
    private let configuration: Configuration
    private let entry: SettingEntry?

    init(_ configuration: Configuration, _ section: String, _ name: String) {
        (self.section, self.name, self.configuration) = (section, name, configuration)
        entry = configuration.entry(section, name)
    }

    /// The value; `nil` if the setting does not exist. Reading it reports the exposure to the experiments that compare
    /// it.
    public var value: JSONValue? { entry.map(configuration.read) }
    /// The source of the value.
    public var source: ValueSource { entry?.source ?? .default }
    /// The assignments whose experiments compare it.
    public var assignments: [ExperimentAssignment] { entry?.assignments.map { configuration.assignments[$0] } ?? [] }

    /// Whether two settings have the same value, set by the same variants. Numbers are the same if their values are.
    public static func == (left: Self, right: Self) -> Bool {
        UTF8Order.areEqual(left.section, right.section) && UTF8Order.areEqual(left.name, right.name)
            && (left.entry?.value).isEquivalent(to: right.entry?.value) && left.assignments == right.assignments
    }
}
