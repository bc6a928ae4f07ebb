import AllotConfiguration

/// All faults in the declarations of an app's settings.
public struct SettingsCatalogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The faults in the order of the declarations, such as `Checkout.MaxItems: the default is 0, expected …`; never
    /// empty.
    let findings: [String]

    /// A line with the number of faults, and a line for each.
    public var description: String {
        let count = "\(findings.count) \(findings.count == 1 ? "fault" : "faults") in the declared settings:"
        return ([count] + findings.map { "  \($0)" }).joined(separator: "\n")
    }
}

struct SettingsCheck {
    private(set) var findings: [String] = []
    private var declared: [SettingName: SettingDeclaration] = [:]

    mutating func check(_ declared: DeclaredSection, ofSection section: String, type: String) {
        let declarations = declared.declarations
        if section.isEmpty || section.utf8.contains(UInt8(ascii: ".")) {
            find(section, "\(type) has an invalid section name; a name is not empty and contains no \".\"")
        }
        for property in declared.sections {
            find(
                section,
                "\(type) contains the section \(property), which is created while \(type) is being created and takes"
                    + " the values of its section; read each section from the configuration")
        }
        if !declared.foreign.isEmpty, declared.sections.isEmpty {
            let shown = declared.foreign.prefix(20).map { "\(QuotedText($0))" }.joined(separator: ", ")
            find(
                section,
                "the settings \(shown)\(declared.foreign.count > 20 ? ", …" : "") are created while \(type) is being"
                    + " created, but are not its properties, and take the values of its section; create them outside"
                    + " its initialiser and the defaults of its properties")
        }
        if declarations.isEmpty, declared.foreign.isEmpty, declared.sections.isEmpty {
            find(section, "\(type) declares no setting; put @Setting before its properties")
        }
        for declaration in declarations {
            checkName(declaration)
            checkConstraints(declaration)
            checkDefault(declaration)
            checkChoices(declaration)
        }
    }

    private mutating func find(_ path: String, _ message: String) {
        findings.append("\(PrintableText(path)): \(message)")
    }

    private mutating func find(_ declaration: SettingDeclaration, _ message: String) { find(declaration.path, message) }

    private mutating func checkName(_ declaration: SettingDeclaration) {
        if declaration.setting.isEmpty {
            find(declaration, "a setting of \(declaration.sectionType) has no name; name it")
        }
        let name = SettingName(declaration.section, declaration.setting)
        guard let earlier = declared.updateValue(declaration, forKey: name) else { return }
        declared[name] = earlier
        find(
            declaration,
            "\(earlier.sectionType) declares it as \(earlier.typeName), and \(declaration.sectionType) again as "
                + "\(declaration.typeName); keep one of the two")
    }

    private mutating func checkConstraints(_ declaration: SettingDeclaration) {
        let constraints = declaration.constraints
        if constraints.hasInvalidBound {
            find(
                declaration,
                "JSON cannot represent an end of its range, which is ignored; give a number, or leave it open")
        }
        if let minimum = constraints.minimum, let maximum = constraints.maximum, constraints.hasEmptyRange {
            find(
                declaration,
                "its minimum \(minimum.text) is above its maximum \(maximum.text), so no value fits; swap them")
        }
        guard let pattern = constraints.pattern else { return }
        if constraints.hasInvalidPattern {
            find(
                declaration,
                "the pattern \(QuotedText(pattern)) is not valid; patterns follow the syntax of NSRegularExpression")
        }
        if declaration.hasNoText {
            find(declaration, "values of type \(declaration.typeName) have no text for a pattern; omit the pattern")
        }
    }

    private mutating func checkDefault(_ declaration: SettingDeclaration) {
        for violation in declaration.defaultViolations where !declaration.isHopeless(violation.kind) {
            find(
                declaration,
                "the default is \(violation.found), expected \(violation.expected); choose another default, or change"
                    + " the constraints")
        }
    }

    private mutating func checkChoices(_ declaration: SettingDeclaration) {
        let constraints = declaration.constraints
        if constraints.choices?.isEmpty == true {
            find(declaration, "its choices are empty, so no value fits; add some, or omit the choices")
        }
        let offered = Set((constraints.choices ?? []).map { EquivalentValue($0.value) })
        for choices in [constraints.choices ?? [], constraints.suggestions] {
            var values: Set<EquivalentValue> = []
            var labels: Set<UTF8Key> = []
            for choice in choices {
                let name = choice.label.map { "\(QuotedText($0))" } ?? choice.value.shortened
                for violation in declaration.violations(
                    of: choice.value, isChoice: { offered.contains(EquivalentValue($0)) })
                where !declaration.isHopeless(violation.kind) {
                    find(
                        declaration,
                        "the choice \(name) is \(violation.found), expected \(violation.expected); fix it, or change"
                            + " the constraints")
                }
                let isNewValue = values.insert(EquivalentValue(choice.value)).inserted
                let isNewLabel = choice.label.map { labels.insert(UTF8Key($0)).inserted } ?? true
                if !isNewValue || !isNewLabel { find(declaration, "the choice \(name) occurs twice; keep one") }
            }
        }
    }
}

extension SettingConstraints {
    fileprivate var hasInvalidPattern: Bool { pattern.map { SettingPattern.compiled($0) == nil } ?? false }
}

extension SettingDeclaration {
    /// Whether its values cannot have text; if the default is `nil`, others may.
    fileprivate var hasNoText: Bool {
        switch defaultValue {
        case .boolean, .array, .object: true
        case .null, .number, .string: false
        }
    }

    /// Whether no value can meet a constraint: then the constraint is at fault, not each value.
    fileprivate func isHopeless(_ kind: SettingViolation.Kind) -> Bool {
        switch kind {
        case .minimum, .maximum: constraints.hasEmptyRange
        case .choices: constraints.choices?.isEmpty == true
        case .pattern: constraints.hasInvalidPattern || hasNoText
        case .type: false
        }
    }
}

/// A JSON value that equals all equivalent ones, as 1 equals 1.0.
private struct EquivalentValue: Hashable {
    let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    static func == (left: Self, right: Self) -> Bool { left.value.isEquivalent(to: right.value) }

    func hash(into hasher: inout Hasher) {
        switch value {
        case .number(let number): hasher.combine(number.decimal)
        case .array(let values): for value in values { hasher.combine(Self(value)) }
        case .object(let object):
            for member in object.members {
                hasher.combine(UTF8Key(member.key))
                hasher.combine(Self(member.value))
            }
        case .null, .boolean, .string: hasher.combine(value)
        }
    }
}
