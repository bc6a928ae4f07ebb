public import AllotConfiguration

/// The comparison of a configuration with an app's declarations; see ``SettingsCatalog/check(_:)``.
public struct SettingsReport: Sendable, Hashable, CustomStringConvertible {
    /// The values that are refused, for which the app uses its defaults.
    public let refusals: [SettingRefusal]
    /// The settings that the configuration has and the app does not declare, as `Section.Setting`.
    public let undeclared: [String]
    /// The settings that the app declares and the configuration does not have, as `Section.Setting`.
    public let missing: [String]

    /// Whether nothing is refused. Settings that only one side knows are to be expected while versions differ.
    public var isValid: Bool { refusals.isEmpty }

    /// A line for each entry.
    public var description: String {
        let lines =
            refusals.map { "refused: \($0)" } + undeclared.map { "not declared: \(PrintableText($0))" }
            + missing.map { "not in the configuration: \(PrintableText($0))" }
        return lines.joined(separator: "\n")
    }
}

extension SettingsCatalog {
    /// Compares a configuration with the declarations. Reports no exposure.
    public func check(_ configuration: Configuration) -> SettingsReport {
        var refusals: [SettingRefusal] = []
        var missing: [String] = []
        for declaration in declarations {
            guard let entry = configuration.entry(declaration.section, declaration.setting) else {
                missing.append(declaration.path)
                continue
            }
            if let refusal = declaration.refusal(of: entry.value, from: entry.source) { refusals.append(refusal) }
        }
        let undeclared = configuration.document.sections.settings.compactMap { section, setting, _ in
            declaration(section, setting) == nil ? "\(section).\(setting)" : nil
        }
        return SettingsReport(refusals: refusals, undeclared: undeclared, missing: missing)
    }
}

/// A setting whose value is not the app's default; see ``Configuration/modifications(of:)``.
public struct SettingModification: Sendable, Hashable, CustomStringConvertible {
    /// The setting's section.
    public let section: String
    /// The setting's name.
    public let setting: String
    /// The current value.
    public let value: JSONValue
    /// The app's default.
    public let defaultValue: JSONValue
    /// Where the value comes from.
    public let source: ValueSource
    private let text: String

    init(_ declaration: SettingDeclaration, _ entry: SettingEntry, text: String) {
        section = declaration.section
        setting = declaration.setting
        value = entry.value
        defaultValue = declaration.defaultValue
        source = entry.source
        self.text = text
    }

    /// `Connection.Timeout=60.0`: numbers of a floating point type have a fraction, everything else is JSON.
    public var description: String { "\(PrintableText("\(section).\(setting)=\(text)"))" }
}

extension Configuration {
    /// The settings that differ from the app's defaults, in the order of the declarations, without refused values.
    /// Reports no exposure.
    public func modifications(of catalog: SettingsCatalog) -> [SettingModification] {
        catalog.declarations.compactMap { declaration in
            guard let entry = entry(declaration.section, declaration.setting),
                let (json, text) = declaration.written(entry.value),
                !json.isEquivalent(to: declaration.defaultValue), declaration.violations(of: entry.value).isEmpty
            else { return nil }
            return SettingModification(declaration, entry, text: text)
        }
    }
}
