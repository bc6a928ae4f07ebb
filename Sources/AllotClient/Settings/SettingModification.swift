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

    init(_ declaration: SettingDeclaration, _ entry: SettingEntry, text: String) {
        section = declaration.section
        setting = declaration.setting
        value = entry.value
        defaultValue = declaration.defaultValue
        source = entry.source
        self.text = text
    }

    /// `Connection.Timeout=60.0`: the value as its type writes it, numbers of a floating point type with a fraction,
    /// everything else as JSON.
    public var description: String { "\(PrintableText("\(section).\(setting)=\(text)"))" }
}

extension Configuration {
    /// What differs from the app's defaults, in the order of the declarations; refused values do not, and neither does a
    /// default that is written in another way. Reports no exposure.
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
