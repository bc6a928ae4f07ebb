import AllotConfiguration

/// Why a setting cannot be read as a type.
public struct SettingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// The configuration has no such section.
        case noSection
        /// The section has no such setting.
        case noSetting
        /// The setting's value does not have the requested type.
        case mismatch(SettingValueError)
    }

    /// What is wrong.
    public let kind: Kind
    /// The name of the section.
    public let section: String
    /// The name of the setting; `nil` for a whole section.
    public let setting: String?
    /// What was expected: `a whole number`.
    let expected: String

    init(_ kind: Kind, section: String, setting: String?, expected: String) {
        self.kind = kind
        self.section = section
        self.setting = setting
        self.expected = expected
    }

    /// Whether there is no value, as opposed to one of another type.
    var isAbsent: Bool {
        switch kind {
        case .noSection, .noSetting: true
        case .mismatch: false
        }
    }

    /// Which setting, what is wrong with it, and what to do.
    public var description: String {
        let place = PrintableText(setting.map { "\(section).\($0)" } ?? section)
        switch kind {
        case .noSection:
            return "\(place): the configuration has no section \(QuotedText(section)), expected \(expected);"
                + " correct the name, define the setting, or read it with a default"
        case .noSetting:
            return "\(place): the section has no such setting, expected \(expected);"
                + " correct the name, define the setting, or read it with a default"
        case .mismatch(let error):
            return "\(place)\(error.path.isEmpty ? ": " : "")\(error);"
                + " correct the value in the definitions, or read it as another type"
        }
    }
}
