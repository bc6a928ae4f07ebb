public import AllotConfiguration

/// A setting whose value is not the app's default.
public struct SettingModification: Sendable, Hashable, CustomStringConvertible {
    /// The setting's section.
    public let section: String
    /// The setting's name.
    public let setting: String
    /// The value in force.
    public let value: JSONValue
    /// The app's default.
    public let defaultValue: JSONValue
    /// Where the value comes from.
    public let source: ValueSource
    private let text: String

    init(_ declaration: SettingDeclaration, _ entry: SettingEntry) {
        section = declaration.section
        setting = declaration.setting
        value = entry.value
        defaultValue = declaration.defaultValue
        source = entry.source
        text = declaration.shown(entry.value)
    }

    /// `Connection.Timeout=60.0`: numbers of a floating point type have a fraction, everything else is JSON.
    public var description: String { "\(section).\(setting)=\(text)" }
}

extension Configuration {
    /// What differs from the app's defaults, in the order of the declarations; refused values do not. Reports no exposure.
    public func modifications(of catalog: SettingsCatalog) -> [SettingModification] {
        catalog.declarations.compactMap { declaration in
            guard let entry = entry(declaration.section, declaration.setting),
                !entry.value.isEquivalent(to: declaration.defaultValue),
                declaration.refusal(of: entry.value, from: entry.source) == nil
            else { return nil }
            return SettingModification(declaration, entry)
        }
    }
}
