import AllotConfiguration

/// All faults in the declarations of an app's settings.
public struct SettingsCatalogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The faults in the order of the declarations, such as `Checkout.MaxItems: the default is 0, …`; never empty.
    let findings: [String]

    /// A line with the number of faults, and a line for each.
    public var description: String {
        let count = "\(counted(findings.count, "fault")) in the declared settings:"
        return ([count] + findings.map { "  \($0)" }).joined(separator: "\n")
    }
}

extension DeclaredSection {
    /// The faults of a section other than those of its own settings.
    func faults(of section: any SettingsSection.Type) -> [String] {
        let (type, name) = (String(describing: section), section.section)
        var faults: [String] = []
        if name.isEmpty || name.utf8.contains(UInt8(ascii: ".")) {
            faults.append("\(type) has an invalid section name; a name is not empty and contains no \".\"")
        }
        if !sections.isEmpty {
            faults += sections.map { property in
                "\(type) contains the section \(property), which is created while \(type) is being created and takes"
                    + " the values of its section; read each section from the configuration"
            }
        } else if !foreign.isEmpty {
            let shown = foreign.prefix(20).map { "\(QuotedText($0))" }.joined(separator: ", ")
            faults.append(
                "the settings \(shown)\(foreign.count > 20 ? ", …" : "") are created while \(type) is being created,"
                    + " but are not its properties, and take the values of its section; create them outside its"
                    + " initialiser and the defaults of its properties")
        } else if declarations.isEmpty {
            faults.append("\(type) declares no setting; put @Setting before its properties")
        }
        return faults
    }
}

extension SettingDeclaration {
    /// The faults of its name, which an earlier declaration may have, its constraints, its default and its choices.
    func faults(after earlier: SettingDeclaration?) -> [String] {
        var faults = setting.isEmpty ? ["a setting of \(sectionType) has no name; name it"] : []
        if let earlier {
            let again = "\(earlier.sectionType) declares it as \(earlier.typeName), and \(sectionType) again as "
            faults.append(again + "\(typeName); keep one of the two")
        }
        if constraints.hasInvalidBound {
            faults.append(
                "JSON cannot represent an end of its range, which is ignored; give a number, or leave it open")
        }
        if let minimum = constraints.minimum, let maximum = constraints.maximum, constraints.hasEmptyRange {
            faults.append(
                "its minimum \(minimum.text) is above its maximum \(maximum.text), so no value fits; swap them")
        }
        if let pattern = constraints.pattern, hasInvalidPattern {
            faults.append(
                "the pattern \(QuotedText(pattern)) is not valid; patterns follow the syntax of NSRegularExpression")
        }
        if constraints.pattern != nil, hasNoText {
            faults.append("values of type \(typeName) have no text for a pattern; omit the pattern")
        }
        faults += possible(defaultViolations).map {
            "the default is \($0.found), expected \($0.expected); choose another default, or change the constraints"
        }
        if constraints.choices?.isEmpty == true {
            faults.append("its choices are empty, so no value fits; add some, or omit the choices")
        }
        return faults + choiceFaults(constraints.choices ?? []) + choiceFaults(constraints.suggestions)
    }

    private func choiceFaults(_ choices: [SettingChoice]) -> [String] {
        choices.enumerated().flatMap { index, choice -> [String] in
            let name = choice.label.map { "\(QuotedText($0))" } ?? choice.value.shortened
            let faults = possible(violations(of: choice.value)).map {
                "the choice \(name) is \($0.found), expected \($0.expected); fix it, or change the constraints"
            }
            let label = choice.label.map(UTF8Key.init)
            let isRepeated = choices[..<index].contains { earlier in
                earlier.value.isEquivalent(to: choice.value) || label != nil && earlier.label.map(UTF8Key.init) == label
            }
            return isRepeated ? faults + ["the choice \(name) occurs twice; keep one"] : faults
        }
    }

    private var hasInvalidPattern: Bool { constraints.pattern.map { SettingPattern.compiled($0) == nil } ?? false }

    /// Whether its values cannot have text; if the default is `nil`, others may.
    private var hasNoText: Bool {
        switch defaultValue {
        case .boolean, .array, .object: true
        case .null, .number, .string: false
        }
    }

    /// The violations of constraints that a value can meet: otherwise the constraint is at fault, not each value.
    private func possible(_ violations: [SettingViolation]) -> [SettingViolation] {
        violations.filter { violation in
            switch violation.kind {
            case .minimum, .maximum: !constraints.hasEmptyRange
            case .choices: constraints.choices?.isEmpty != true
            case .pattern: !hasInvalidPattern && !hasNoText
            case .type: true
            }
        }
    }
}
