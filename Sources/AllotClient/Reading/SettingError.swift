import AllotConfiguration

/// Why a setting cannot be read as what was asked for.
public struct SettingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// The configuration has no such section.
        case noSection
        /// The section has no such setting.
        case noSetting
        /// The setting's value is another than what was asked for.
        case mismatch(SettingValueError)
    }

    /// What is wrong.
    public let kind: Kind
    /// The section that was named.
    public let section: String
    /// The setting that was named; `nil` when a whole section was.
    public let setting: String?
    /// What was expected: `a whole number`.
    public let expected: String

    /// Describes a failure.
    public init(_ kind: Kind, section: String, setting: String?, expected: String) {
        self.kind = kind
        self.section = section
        self.setting = setting
        self.expected = expected
    }

    /// Whether there is no value, rather than one that does not fit.
    public var isAbsent: Bool {
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
