import AllotConfiguration

/// A value that is offered for a setting, with its name for people.
package struct SettingChoice: Sendable {
    package let label: String
    package let value: JSONValue

    package init(label: String, value: JSONValue) { (self.label, self.value) = (label, value) }
}

/// How a setting is shown to people who edit it: no decision, no revision and no configuration depends on it.
package struct SettingPresentation: Sendable {
    package var title: String?
    package var description: String?
    /// The control that was chosen; `nil` for the one that fits the type.
    package var control: SettingControl?
    package var choices: [SettingChoice]?
    package var unit: String?
    package var icons: SettingIcons?

    package init() {}
}

extension DeclaredSetting {
    package var title: String? { presentation.title }
    package var description: String? { presentation.description }
    package var choices: [SettingChoice]? { presentation.choices }
    package var unit: String? { presentation.unit }
    package var icons: SettingIcons? { presentation.icons }
    /// The name of the type of every value, in JSON Schema; "null" if any type will do.
    package var valueType: String { type ?? value.typeName }

    /// The control that edits it: the chosen one, or one that fits the type.
    package var control: SettingControl {
        if let control = presentation.control { return control }
        if valueType == "boolean" { return .switch }
        return choices != nil || allowed != nil ? .list : .field
    }

    /// The offers of a list: the choices, and the allowed values that are not among them. Empty for other controls.
    package var offers: [SettingChoice] {
        guard control == .list else { return [] }
        let choices = choices ?? []
        let others = (allowed ?? []).filter { value in !choices.contains { $0.value.isEquivalent(to: value) } }
        return choices + others.map { SettingChoice(label: $0.plainText, value: $0) }
    }

    /// The label of a value among the choices; `nil` if it is not one.
    package func label(of value: JSONValue) -> String? { choices?.first { $0.value.isEquivalent(to: value) }?.label }
}

extension JSONValue {
    /// A text without its quotes, anything else as JSON.
    package var plainText: String { if case .string(let text) = self { text } else { canonicalText } }
}
