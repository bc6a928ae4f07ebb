import AllotConfiguration

/// Checks what an app declares.
struct SettingsCheck {
    private(set) var findings: [SettingFinding] = []
    private var declared: [[UTF8Key]: SettingDeclaration] = [:]

    mutating func check(_ declarations: [SettingDeclaration], ofSection section: String, type: String) {
        if section.isEmpty || section.utf8.contains(UInt8(ascii: ".")) {
            find(
                .invalidName, section, nil,
                "the section of \(type) cannot be called so; a name is not empty and holds no \".\"")
        }
        if declarations.isEmpty {
            find(.noSettings, section, nil, "\(type) declares no setting; put @Setting before its properties")
        }
        for declaration in declarations {
            checkName(declaration)
            checkConstraints(declaration)
            checkDefault(declaration)
            checkChoices(declaration)
        }
    }

    private mutating func find(_ kind: SettingFinding.Kind, _ section: String, _ setting: String?, _ message: String) {
        findings.append(SettingFinding(kind: kind, section: section, setting: setting, message: message))
    }

    private mutating func find(_ kind: SettingFinding.Kind, _ declaration: SettingDeclaration, _ message: String) {
        find(kind, declaration.section, declaration.setting, message)
    }

    private mutating func checkName(_ declaration: SettingDeclaration) {
        if declaration.setting.isEmpty {
            find(.invalidName, declaration, "a setting of \(declaration.sectionType) has no name; name it")
        }
        let path = [UTF8Key(declaration.section), UTF8Key(declaration.setting)]
        guard let earlier = declared.updateValue(declaration, forKey: path) else { return }
        declared[path] = earlier
        find(
            .repeatedSetting, declaration,
            "\(earlier.sectionType) declares it as \(earlier.typeName), and \(declaration.sectionType) again as "
                + "\(declaration.typeName); keep one of the two")
    }

    private mutating func checkConstraints(_ declaration: SettingDeclaration) {
        let constraints = declaration.constraints
        if constraints.hasInvalidBound {
            find(.emptyRange, declaration, "an end of its range is not a number; name one, or leave it open")
        }
        if let minimum = constraints.minimum, let maximum = constraints.maximum, constraints.hasEmptyRange {
            find(
                .emptyRange, declaration,
                "its minimum \(minimum.text) is above its maximum \(maximum.text), so no value fits; exchange them")
        }
        guard let pattern = constraints.pattern else { return }
        if constraints.hasInvalidPattern {
            find(
                .invalidPattern, declaration,
                "the pattern \(QuotedText(pattern)) is not valid; patterns follow the syntax of NSRegularExpression")
        }
        if declaration.hasNoText {
            find(
                .inapplicable, declaration,
                "values of type \(declaration.typeName) have no text for a pattern; leave it out")
        }
    }

    private mutating func checkDefault(_ declaration: SettingDeclaration) {
        for violation in declaration.defaultViolations where !declaration.isHopeless(violation.kind) {
            find(
                .invalidDefault, declaration,
                "the default \(violation); take another default, or change what values must be")
        }
    }

    private mutating func checkChoices(_ declaration: SettingDeclaration) {
        let constraints = declaration.constraints
        if constraints.choices?.isEmpty == true {
            find(.noChoices, declaration, "its choices are none, so no value fits; name them, or leave them out")
        }
        for choices in [constraints.choices ?? [], constraints.suggestions] {
            for (index, choice) in choices.enumerated() {
                let name = choice.label.map { "\(QuotedText($0))" } ?? choice.value.shortened
                for violation in declaration.violations(of: choice.value)
                where !declaration.isHopeless(violation.kind) {
                    find(
                        .invalidChoice, declaration,
                        "the choice \(name) \(violation); mend it, or change what values must be")
                }
                if choices[..<index].contains(where: { $0.repeats(choice) }) {
                    find(.repeatedChoice, declaration, "the choice \(name) is there twice; keep one")
                }
            }
        }
    }
}

extension SettingConstraints {
    fileprivate var hasInvalidPattern: Bool {
        pattern.map { SettingPattern.compiled($0) == nil } ?? false
    }
}

extension SettingDeclaration {
    /// Whether its values can have no text; what is `nil` may have.
    fileprivate var hasNoText: Bool {
        switch defaultValue {
        case .boolean, .array, .object: true
        case .null, .number, .string: false
        }
    }

    /// Whether no value can meet a constraint: then it is at fault, and not each value.
    fileprivate func isHopeless(_ kind: SettingViolation.Kind) -> Bool {
        switch kind {
        case .minimum, .maximum: constraints.hasEmptyRange
        case .choices: constraints.choices?.isEmpty == true
        case .pattern: constraints.hasInvalidPattern || hasNoText
        case .type: false
        }
    }
}

extension SettingChoice {
    fileprivate func repeats(_ other: SettingChoice) -> Bool {
        if value.isEquivalent(to: other.value) { return true }
        guard let label, let otherLabel = other.label else { return false }
        return UTF8Order.areEqual(label, otherLabel)
    }
}
