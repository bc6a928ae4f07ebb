public import AllotConfiguration

/// All settings that an app declares, checked. Create it when the app starts, so that faults are found there.
public struct SettingsCatalog: Sendable {
    /// The declarations in the order of the types and their properties.
    public let declarations: [SettingDeclaration]
    private let byName: [SettingName: SettingDeclaration]

    /// Collects and checks the settings of sections; a type that is given twice counts once. Several types may share a
    /// section, as long as each setting is declared once. The error has all faults.
    public init(_ sections: any SettingsSection.Type...) throws(SettingsCatalogError) { try self.init(sections) }

    /// Collects and checks the settings of sections; see the initialiser that takes the sections one by one.
    public init(_ sections: [any SettingsSection.Type]) throws(SettingsCatalogError) {
        var seen: Set<ObjectIdentifier> = []
        var declarations: [SettingDeclaration] = []
        var byName: [SettingName: SettingDeclaration] = [:]
        var findings: [String] = []
        func note(_ faults: [String], _ path: String) { findings += faults.map { "\(PrintableText(path)): \($0)" } }
        for section in sections where seen.insert(ObjectIdentifier(section)).inserted {
            let declared = DeclaredSection(section)
            note(declared.faults(of: section), section.section)
            for declaration in declared.declarations {
                let name = SettingName(declaration.section, declaration.setting)
                note(declaration.faults(after: byName[name]), declaration.path)
                byName[name] = byName[name] ?? declaration
            }
            declarations += declared.declarations
        }
        guard findings.isEmpty else { throw SettingsCatalogError(findings: findings) }
        (self.declarations, self.byName) = (declarations, byName)
    }

    /// The declaration of a setting; `nil` if it is not declared. Complexity: O(1).
    public func declaration(_ section: String, _ setting: String) -> SettingDeclaration? {
        byName[SettingName(section, setting)]
    }
}

/// The comparison of a configuration with an app's declarations; see ``SettingsCatalog/check(_:)``.
public struct SettingsReport: Sendable, Hashable, CustomStringConvertible {
    /// The values that are refused, for which the app uses its defaults.
    public let refusals: [SettingRefusal]
    /// The settings that the configuration has and the app does not declare, as `Section.Setting`.
    public let undeclared: [String]
    /// The settings that the app declares and the configuration does not have, as `Section.Setting`.
    public let missing: [String]

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
        let entries = declarations.map { ($0, configuration.entry($0.section, $0.setting)) }
        let refusals = entries.compactMap { declaration, entry in entry.flatMap { declaration.refusal(of: $0) } }
        let missing = entries.filter { $0.1 == nil }.map(\.0.path)
        let undeclared = configuration.document.sections.settings.compactMap { section, setting, _ in
            declaration(section, setting) == nil ? "\(section).\(setting)" : nil
        }
        return SettingsReport(refusals: refusals, undeclared: undeclared, missing: missing)
    }
}

/// A setting whose value is not the app's default; see ``Configuration/modifications(of:)``.
public struct SettingModification: Sendable, CustomStringConvertible {
    /// The setting, with the app's default.
    public let declaration: SettingDeclaration
    /// The current value.
    public let value: JSONValue
    /// The source of the value.
    public let source: ValueSource
    let text: String

    /// `Connection.Timeout=60.0`: numbers of a floating point type have a fraction, everything else is JSON.
    public var description: String { "\(PrintableText(line: "\(declaration.path)=\(text)"))" }
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
            return SettingModification(declaration: declaration, value: entry.value, source: entry.source, text: text)
        }
    }
}

/// A value that a setting refuses, and the reasons.
public struct SettingRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The setting's section.
    public let section: String
    /// The setting's name.
    public let setting: String
    let value: JSONValue
    let source: ValueSource
    let violations: [SettingViolation]

    private var remedy: String {
        switch source {
        case .bootstrap: "correct it in the configuration that the app bundles"
        case .override: "correct the override on this device"
        case .stored, .remote: "correct it in the definitions"
        case .default: "choose another value"
        }
    }

    /// `Checkout.MaxItems: expected at most 100, found 101; correct it in the definitions`
    public var description: String {
        let found = violations.first?.found ?? value.shortened
        // Several violations usually show the same value.
        let wrong =
            violations.allSatisfy { UTF8Order.areEqual($0.found, found) }
            ? "expected \(violations.map(\.expected).joined(separator: " and ")), found \(found)"
            : violations.map(\.description).joined(separator: ", and ")
        return "\(PrintableText("\(section).\(setting)")): \(wrong); \(remedy)"
    }
}
