public import AllotConfiguration

/// All settings that an app declares, checked. Create it when the app starts, so that faults are found there.
///
/// ```swift
/// struct CheckoutSettings: SettingsSection {
///     static let section = "Checkout"
///     @Setting("MaxItems", in: 1...100) var maxItems = 42
/// }
///
/// let catalog = try SettingsCatalog(CheckoutSettings.self)
/// for declaration in catalog.declarations { print(declaration.setting, declaration.typeName) }
/// ```
public struct SettingsCatalog: Sendable {
    /// The declarations in the order of the types and their properties.
    public let declarations: [SettingDeclaration]
    private let byPath: [UTF8Key: [UTF8Key: SettingDeclaration]]

    /// Collects and checks the settings of sections; a type that is given twice counts once. Several types may share a
    /// section, as long as each setting is declared once.
    ///
    /// - Throws: ``SettingsCatalogError`` with all faults.
    public init(_ sections: any SettingsSection.Type...) throws(SettingsCatalogError) {
        try self.init(sections)
    }

    /// Collects and checks the settings of sections; see the initialiser that takes the sections one by one.
    public init(_ sections: [any SettingsSection.Type]) throws(SettingsCatalogError) {
        var seen: Set<ObjectIdentifier> = []
        var check = SettingsCheck()
        var declarations: [SettingDeclaration] = []
        for section in sections where seen.insert(ObjectIdentifier(section)).inserted {
            let declared = DeclaredSection(section)
            check.check(declared, ofSection: section.section, type: String(describing: section))
            declarations += declared.declarations
        }
        guard check.findings.isEmpty else { throw SettingsCatalogError(findings: check.findings) }
        self.declarations = declarations
        byPath = Dictionary(grouping: declarations) { UTF8Key($0.section) }
            .mapValues { Dictionary($0.map { (UTF8Key($0.setting), $0) }) { first, _ in first } }
    }

    /// The declaration of a setting; `nil` if it is not declared. Complexity: O(1).
    public func declaration(_ section: String, _ setting: String) -> SettingDeclaration? {
        byPath[UTF8Key(section)]?[UTF8Key(setting)]
    }

    /// Checks a value, such as one that is about to override a setting on this device.
    ///
    /// - Throws: ``SettingRefusal``, also for a setting that is not declared.
    public func validate(_ section: String, _ setting: String, _ value: JSONValue) throws(SettingRefusal) {
        guard let declaration = declaration(section, setting) else {
            throw undeclared(section, setting, value)
        }
        if let refusal = declaration.refusal(of: value, from: nil) { throw refusal }
    }

    private func undeclared(_ section: String, _ setting: String, _ value: JSONValue) -> SettingRefusal {
        let known = byPath[UTF8Key(section)]
        let names = (known.map { Array($0.keys) } ?? Array(byPath.keys)).sorted().map(\.text)
        let what = known == nil ? "the declared sections" : "the section's declared settings"
        let expected = "one of \(what) \(names.joined(separator: ", "))"
        let found = "\(QuotedText(known == nil ? section : setting))"
        return SettingRefusal(
            section: section, setting: setting, value: value, source: nil,
            violations: [SettingViolation(.type, expected: expected, found: found)],
            remedy: "correct the name, or declare the setting")
    }
}
