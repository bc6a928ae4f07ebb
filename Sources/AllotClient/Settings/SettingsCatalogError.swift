import AllotConfiguration

/// Something wrong with how an app declares its settings.
public struct SettingFinding: Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The default is not what values must be.
        case invalidDefault
        /// A choice or suggestion is not what values must be.
        case invalidChoice
        /// There is nothing to choose from.
        case noChoices
        /// Two choices have one value or one label.
        case repeatedChoice
        /// The pattern cannot be compiled.
        case invalidPattern
        /// No number is in the range, or an end of it is no number that JSON has.
        case emptyRange
        /// The setting's values have nothing that the constraint could look at.
        case inapplicable
        /// The setting is declared twice.
        case repeatedSetting
        /// The name of a section or setting cannot be one.
        case invalidName
        /// A section's type declares nothing.
        case noSettings
        /// Making a section makes settings that are not its own, or holds another section.
        case foreignSettings
    }

    /// What is wrong.
    public let kind: Kind
    /// The section's name.
    public let section: String
    /// The setting's name; `nil` for the section itself.
    public let setting: String?
    /// What is wrong and how to mend it.
    public let message: String

    /// `Checkout.MaxItems: the default is 0, expected at least 1; take another …`
    public var description: String {
        "\(PrintableText(setting.map { "\(section).\($0)" } ?? section)): \(message)"
    }
}

/// Everything that is wrong with how an app declares its settings.
public struct SettingsCatalogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was found, in the order of the declarations; never empty.
    public let findings: [SettingFinding]

    /// One line for each finding, below one that counts them.
    public var description: String {
        let count = "\(findings.count) \(findings.count == 1 ? "fault" : "faults") in the declared settings:"
        return ([count] + findings.map { "  \($0)" }).joined(separator: "\n")
    }
}
