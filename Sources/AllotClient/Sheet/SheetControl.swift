import AllotConfiguration

struct SheetControl {
    private enum Kind {
        case toggle
        case slider(minimum: String, maximum: String)
        case list([SettingChoice])
        /// An input for days, or for instants in UTC.
        case picker(type: String, value: String)
        /// An input for each member of an object.
        case members([SettingFormat.Member])
        case field
    }

    private let declaration: SettingDeclaration
    private let value: JSONValue
    private let kind: Kind
    private let isJSON: Bool
    private let text: String
    private let id: String

    init(_ declaration: SettingDeclaration, _ value: JSONValue, typed: String?, id: String) {
        (self.declaration, self.value, self.id) = (declaration, value, id)
        let kind = Self.kind(declaration, value)
        guard case .field = kind, let content = Self.text(of: value, declaration) else {
            self.kind = kind
            (isJSON, text) = (true, typed ?? declaration.written(value)?.text ?? value.canonicalText)
            return
        }
        (isJSON, text) = (false, typed ?? content)
        guard declaration.format == .dateTime, declaration.constraints.suggestions.isEmpty else {
            self.kind = kind
            return
        }
        let format: SettingFormat = SettingFormat.date.fault(of: value) == nil ? .date : .dateTime
        self.kind = format.input(text).map { Kind.picker(type: $0.type, value: $0.value) } ?? kind
    }

    /// The text of a value that a form carries as it is. Returns `nil` for one that it carries as JSON.
    private static func text(of value: JSONValue, _ declaration: SettingDeclaration) -> String? {
        if let format = declaration.format {
            return format == .dateTime && value == .null ? "" : format.text(of: value)
        }
        // Forms carry neither U+0000 nor carriage returns; JSON escapes them.
        guard case .string(let text) = value, !declaration.takesAnything,
            !text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") })
        else { return nil }
        return text
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
        case (.field?, _): break
        default: if !choices.isEmpty { return .list(choices) }
        }
        let members = declaration.format?.formMembers ?? []
        return members.isEmpty ? .field : .members(members)
    }

    private var isNumber: Bool { value.asNumber != nil && declaration.written(.string("")) == nil }

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

    func html(describedBy descriptions: [String], isInvalid: Bool) -> String {
        let element = element { name, isFirst in
            var attributes = (isFirst ? #"id="\#(id)" "# : "") + #"name="\#(name)""#
            if !descriptions.isEmpty { attributes += #" aria-describedby="\#(descriptions.joined(separator: " "))""# }
            if isInvalid { attributes += #" aria-invalid="true""# + (isFirst ? " autofocus" : "") }
            return attributes
        }
        return (isJSON ? hidden(SheetForm.Item.notation, SheetForm.json) : "") + element
    }

    /// - Parameter attributesOf: returns those of an input by its name, and by whether the label is for it.
    private func element(_ attributesOf: (_ name: String, _ isFirst: Bool) -> String) -> String {
        let data = HTMLText.data(text)
        let attributes = attributesOf(SheetForm.Item.value, true)
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
        case .picker(let type, let value):
            let rest = type == "date" ? ">" : #" step="any"> UTC"#
            return #"<input type="\#(type)" \#(attributes) value="\#(HTMLText.data(value))"\#(rest)"#
        case .members(let members):
            let object = (try? JSONValue(parsing: Array(text.utf8)))?.asObject
            let inputs = members.enumerated().map { index, member in
                input(member, object?[member.rawValue], attributesOf(member.rawValue, index == 0))
            }
            let name = HTMLText.escaped(declaration.title ?? declaration.path)
            return #"<span role="group" aria-label="\#(name)">\#(inputs.joined(separator: " "))</span>"#
        case .field:
            let suggestions = declaration.constraints.suggestions
            let isLong =
                declaration.format == .bytes || value.asArray != nil || value.asObject != nil
                || text.utf8.contains(UInt8(ascii: "\n"))
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

    private func input(_ member: SettingFormat.Member, _ value: JSONValue?, _ attributes: String) -> String {
        var attributes = attributes
        if member.isNumber {
            for (name, bound) in [("min", member.bounds.minimum), ("max", member.bounds.maximum)] {
                if let bound { attributes += #" \#(name)="\#(bound)""# }
            }
            attributes += #" step="\#(member.inputStep)""#
        }
        let text = HTMLText.data(value.map { $0.text ?? $0.canonicalText } ?? "")
        return #"<label>\#(member.rawValue) <input type="\#(member.inputType)" \#(attributes) value="\#(text)" "#
            + #"autocomplete="off" dir="auto"></label>"#
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

/// The pictures at the ends of a slider, as SVG. They only decorate: the ends are given in words, too.
struct SliderIcons {
    let low: String
    let high: String

    init(_ icons: SettingIcons) {
        let (low, high) = Self.shapes(icons)
        (self.low, self.high) = (Self.picture(low), Self.picture(high))
    }

    private static func picture(_ shapes: String) -> String {
        "<svg class=\"icon\" aria-hidden=\"true\" viewBox=\"0 0 24 24\" width=\"24\" height=\"24\">\(shapes)</svg>"
    }

    private static func shapes(_ icons: SettingIcons) -> (low: String, high: String) {
        let battery = #"<rect x="2" y="7" width="17" height="10" rx="2"/><path d="M22 10v4"/>"#
        let speaker = #"<path d="M3 9h4l5-4v14l-5-4H3z"/>"#
        switch icons {
        case .speed:
            return (
                // A tortoise and a hare.
                #"<path d="M3 16a7 7 0 0 1 14 0zM17 15c0-4 5-4 5-1 0 2-3 2-5 2M6 16v3M14 16v3"/>"#,
                #"<path d="M3 18c-1-5 3-8 9-7-2-3-3-6-2-8 3 1 4 4 5 8 4 0 6 2 6 4s-2 3-5 3zM8 18l-2 3M15 18l3 3"/>"#
            )
        case .capacity: return (battery, battery + #"<path class="full" d="M5 10h11v4H5z"/>"#)
        case .numeric: return (#"<ellipse cx="12" cy="12" rx="5" ry="8"/>"#, #"<path d="M8 7l5-3v16M8 20h10"/>"#)
        case .brightness:
            return (
                #"<ellipse cx="12" cy="12" rx="3" ry="3"/>"#
                    + #"<path d="M12 6v0M12 18v0M6 12h0M18 12h0M8 8h0M16 16h0M16 8h0M8 16h0"/>"#,
                #"<ellipse cx="12" cy="12" rx="5" ry="5"/>"#
                    + #"<path d="M12 1v3M12 20v3M1 12h3M20 12h3M4 4l2 2M18 18l2 2M20 4l-2 2M6 18l-2 2"/>"#
            )
        case .volume: return (speaker, speaker + #"<path d="M16 9c2 2 2 4 0 6M19 6c4 4 4 8 0 12"/>"#)
        }
    }
}
