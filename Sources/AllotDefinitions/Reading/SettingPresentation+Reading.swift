import AllotConfiguration
import AllotCore

extension SettingPresentation {
    static let keys = ["title", "description", "control", "choices", "unit", "icons"]

    init(_ fields: Fields, _ reader: inout FileReader) {
        self.init()
        title = Self.words(fields, "title", &reader)
        description = reader.text(fields, "description")
        unit = Self.words(fields, "unit", &reader)
        control = reader.oneOf(SettingControl.allCases.map(\.rawValue), fields, "control")
            .flatMap(SettingControl.init(rawValue:))
        icons = reader.oneOf(SettingIcons.allCases.map(\.rawValue), fields, "icons")
            .flatMap(SettingIcons.init(rawValue:))
        choices = Self.choices(fields, &reader)
    }

    private static func words(_ fields: Fields, _ key: String, _ reader: inout FileReader) -> String? {
        guard let field = fields[key], let text = reader.text(field, key) else { return nil }
        if text.allSatisfy(\.isWhitespace) {
            reader.error("\(key) is empty; write one, or leave the key out", at: field)
            return nil
        }
        return text
    }

    private static func choices(_ fields: Fields, _ reader: inout FileReader) -> [SettingChoice]? {
        let form = "{ value: 1, label: One }"
        guard let field = fields["choices"], let elements = reader.elements(field, of: "choices", form: "[\(form)]")
        else { return nil }
        if elements.isEmpty { reader.error("choices is empty; list the values to offer", at: field) }
        let choices = elements.compactMap { element -> SettingChoice? in
            guard let fields = reader.fields(element, of: "a choice", form: form, known: ["value", "label"])
            else { return nil }
            guard let value = fields["value"] else {
                reader.error("the choice has no value; write \(form)", at: element)
                return nil
            }
            guard fields["label"] != nil else {
                reader.error("the choice has no label; write \(form)", at: element)
                return nil
            }
            return words(fields, "label", &reader).map { SettingChoice(label: $0, value: value.node.json) }
        }
        return choices.isEmpty || choices.count != elements.count ? nil : choices
    }
}

extension DeclaredSetting {
    /// Reports what does not fit the setting: a control for another type, a choice that overrides could not have, two
    /// choices that one could not tell apart.
    func checkPresentation(_ fields: Fields, _ reader: inout FileReader) {
        if let field = fields["control"], let control = presentation.control, let reason = misfit(control) {
            reader.error("\(path) cannot be edited with a \(control.rawValue): \(reason)", at: field)
        }
        if unit != nil, let field = fields["unit"], !["integer", "number", "null"].contains(valueType) {
            reader.error("\(path) is of type \(valueType), and a unit is for numbers; leave it out", at: field)
        }
        if icons != nil, control != .slider, let field = fields["icons"] {
            reader.error(
                "\(path) has icons, which are for sliders; write control: slider, or leave them out", at: field)
        }
        if let control = presentation.control, choices != nil, [.slider, .field].contains(control),
            let field = fields["choices"]
        {
            reader.error(
                "a \(control.rawValue) offers no choices; write control: list, or leave the control out", at: field)
        }
        guard let choices, let elements = fields["choices"]?.elements else { return }
        var labels: Set<UTF8Key> = []
        for (index, (choice, element)) in zip(choices, elements).enumerated() {
            let value = element.member("value") ?? element
            for violation in violations(byOverride: choice.value) {
                reader.error("the choice \(QuotedText(choice.label)) of \(path) \(violation)", at: value)
            }
            if !labels.insert(UTF8Key(choice.label)).inserted {
                reader.error(
                    "two choices have the label \(QuotedText(choice.label)); give them different labels",
                    at: element.member("label") ?? element)
            }
            if let other = choices.prefix(index).first(where: { $0.value.isEquivalent(to: choice.value) }) {
                reader.error("the choice \(QuotedText(other.label)) has the same value; keep one of the two", at: value)
            }
        }
    }

    /// The reason why a control does not fit; `nil` if it does.
    private func misfit(_ control: SettingControl) -> String? {
        switch control {
        case .switch:
            return valueType == "boolean"
                ? nil : "the setting is of type \(valueType), and a switch is on or off; use a field"
        case .slider:
            guard ["integer", "number"].contains(valueType) else {
                return "the setting is of type \(valueType), and a slider is for numbers; use a field"
            }
            return minimum == nil || maximum == nil ? "a slider needs a minimum and a maximum; add them" : nil
        case .list: return choices == nil && allowed == nil ? "a list needs choices or an enum; add one" : nil
        case .field: return nil
        }
    }
}
