import AllotConfiguration

/// A fault in the declarations of an app's settings.
struct SettingFinding: Sendable, Hashable, CustomStringConvertible {
    enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The default does not meet the constraints.
        case invalidDefault
        /// A choice or suggestion does not meet the constraints.
        case invalidChoice
        /// The choices are empty.
        case noChoices
        /// Two choices have the same value or label.
        case repeatedChoice
        /// The pattern cannot be compiled.
        case invalidPattern
        /// The range contains no number, or JSON cannot represent one of its ends.
        case emptyRange
        /// The constraint does not apply to values of the setting's type.
        case inapplicable
        /// The setting is declared twice.
        case repeatedSetting
        /// The name of a section or setting is not valid.
        case invalidName
        /// A section's type declares no settings.
        case noSettings
        /// Creating a section creates settings that are not its own, or it contains another section.
        case foreignSettings
    }

    let kind: Kind
    let section: String
    /// The setting's name; `nil` for the section itself.
    let setting: String?
    let message: String

    /// `Checkout.MaxItems: the default is 0, expected at least 1; take another …`
    var description: String {
        "\(PrintableText(setting.map { "\(section).\($0)" } ?? section)): \(message)"
    }
}

/// All faults in the declarations of an app's settings.
public struct SettingsCatalogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The faults in the order of the declarations; never empty.
    let findings: [SettingFinding]

    /// A line with the number of faults, and a line for each.
    public var description: String {
        let count = "\(findings.count) \(findings.count == 1 ? "fault" : "faults") in the declared settings:"
        return ([count] + findings.map { "  \($0)" }).joined(separator: "\n")
    }
}
