import AllotConfiguration

/// The control that edits a setting in the sheet, with the present value, or with the text that was refused.
struct SheetControl {
    private enum Kind {
        case toggle
        case slider(minimum: String, maximum: String)
        case list([SettingChoice])
        case field
    }

    private let declaration: SettingDeclaration
    private let value: JSONValue
    private let kind: Kind
    /// Whether the form carries JSON, not a text itself.
    private let isJSON: Bool
    private let text: String
    private let id: String

    /// - Parameters:
    ///   - value: the present value.
    ///   - typed: the text that was refused; `nil` if none was.
    ///   - id: the ID of the element in the page.
    init(_ declaration: SettingDeclaration, _ value: JSONValue, typed: String?, id: String) {
        self.declaration = declaration
        self.value = value
        self.id = id
        kind = Self.kind(declaration, value)
        let written = declaration.written(value)?.text ?? value.canonicalText
        // Forms carry neither U+0000 nor carriage returns; JSON escapes them.
        if case .string(let content) = value, case .field = kind, !declaration.takesAnything,
            !content.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") })
        {
            (isJSON, text) = (false, typed ?? content)
        } else {
            (isJSON, text) = (true, typed ?? written)
        }
    }

    private static func kind(_ declaration: SettingDeclaration, _ value: JSONValue) -> Kind {
        let constraints = declaration.constraints
        let choices = constraints.choices ?? []
        switch (declaration.control, value) {
        case (.switch?, .boolean): return .toggle
        case (nil, .boolean) where choices.isEmpty: return .toggle
        case (.slider?, .number):
            guard let minimum = constraints.minimum, let maximum = constraints.maximum else { return .field }
            return .slider(minimum: minimum.text, maximum: maximum.text)
        case (.field?, _): return .field
        default: return choices.isEmpty ? .field : .list(choices)
        }
    }

    private var isNumber: Bool { value.asNumber != nil && declaration.written(.string("")) == nil }

    /// The sentences about the values that are permitted.
    var hints: [String] {
        let constraints = declaration.constraints
        let unit = declaration.unit.map { " \($0)" } ?? ""
        var hints: [String] = []
        switch (constraints.minimum?.text, constraints.maximum?.text) {
        case (let minimum?, let maximum?): hints.append("From \(minimum) to \(maximum)\(unit).")
        case (let minimum?, nil): hints.append("At least \(minimum)\(unit).")
        case (nil, let maximum?): hints.append("At most \(maximum)\(unit).")
        case (nil, nil): if let unit = declaration.unit { hints.append("Unit: \(unit).") }
        }
        if let pattern = constraints.pattern { hints.append("Pattern: \(pattern)") }
        if case .field = kind, isJSON, !isNumber { hints.append("Written as JSON, texts in quotes.") }
        return hints
    }

    /// The element, without its label.
    func html(describedBy descriptions: [String], isInvalid: Bool) -> String {
        var attributes = #"id="\#(id)" name="\#(SheetForm.Item.value)""#
        if !descriptions.isEmpty { attributes += #" aria-describedby="\#(descriptions.joined(separator: " "))""# }
        if isInvalid { attributes += #" aria-invalid="true" autofocus"# }
        return (isJSON ? hidden(SheetForm.Item.notation, SheetForm.json) : "") + element(attributes)
    }

    private func element(_ attributes: String) -> String {
        let data = HTMLText.data(text)
        switch kind {
        case .toggle:
            // A checkbox that is off sends nothing, and the last item counts.
            let state = text == "true" ? " checked" : ""
            return hidden(SheetForm.Item.value, "false")
                + #"<input type="checkbox" role="switch" \#(attributes) value="true"\#(state)>"#
        case .slider(let minimum, let maximum):
            let icons = declaration.icons.map(SliderIcons.init)
            let range = #"min="\#(minimum)" max="\#(maximum)" step="\#(step)" value="\#(data)""#
            let input = #"<input type="range" \#(attributes) \#(range)>"#
            return #"<span class="range">\#(icons?.low ?? "")\#(input)\#(icons?.high ?? "")</span> "#
                + #"<output id="\#(id)-now" for="\#(id)">\#(data)</output>"#
        case .list(let choices):
            var options = choices.map { option($0, isSelected: $0.value.isEquivalent(to: value)) }
            if !choices.contains(where: { $0.value.isEquivalent(to: value) }) {
                options.insert(option(SettingChoice(label: nil, value: value), isSelected: true), at: 0)
            }
            return "<select \(attributes)>\(options.joined())</select>"
        case .field:
            let suggestions = declaration.constraints.suggestions
            let isLong = value.asArray != nil || value.asObject != nil || text.utf8.contains(UInt8(ascii: "\n"))
            // Browsers drop the first line feed.
            if isLong { return #"<textarea \#(attributes) rows="4" dir="auto">"# + "\n\(data)</textarea>" }
            var input = #"<input type="\#(isNumber ? "number" : "text")" \#(attributes) value="\#(data)""#
            if isNumber {
                let constraints = declaration.constraints
                for (name, bound) in [("min", constraints.minimum), ("max", constraints.maximum)] {
                    if let bound { input += #" \#(name)="\#(bound.text)""# }
                }
                input += #" step="\#(step)" required"#
            } else {
                input += #" dir="auto""#
            }
            if suggestions.isEmpty { return input + #" autocomplete="off">"# }
            let options = suggestions.map { choice in
                let text = isJSON ? choice.value.canonicalText : choice.value.text ?? choice.value.canonicalText
                let label = choice.label.map(HTMLText.escaped) ?? ""
                return #"<option value="\#(HTMLText.data(text))">\#(label)</option>"#
            }
            return #"\#(input) list="\#(id)-offers" autocomplete="off"><datalist id="\#(id)-offers">"#
                + options.joined() + "</datalist>"
        }
    }

    private func hidden(_ name: String, _ value: String) -> String {
        #"<input type="hidden" name="\#(name)" value="\#(value)">"#
    }

    private var step: String { declaration.written(0.5) == nil ? "1" : "any" }

    private func option(_ choice: SettingChoice, isSelected: Bool) -> String {
        let label = choice.label ?? choice.value.text ?? choice.value.canonicalText
        return #"<option value="\#(HTMLText.data(choice.value.canonicalText))"\#(isSelected ? " selected" : "")>"#
            + "\(HTMLText.escaped(label))</option>"
    }
}
