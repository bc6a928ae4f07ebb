import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotReports

extension DeclaredSetting {
    /// Writes the control of the setting with a value, without its label. An optional one may be left empty.
    func writeControl(_ text: String, isOptional: Bool = false, name: String, id: String, in markup: inout Markup) {
        let current = isOptional && text.isEmpty ? nil : text
        var offers = offers.map { (label: $0.label, text: self.text(of: $0.value)) }
        if control == .switch {
            offers = [true, false].map { flag in
                (label(of: .boolean(flag)) ?? (flag ? "on" : "off"), flag ? "true" : "false")
            }
        }
        // A list that takes other values too is a field with suggestions.
        let takesOthers = control == .list && allowed == nil && valueType != "boolean"
        if let current, !takesOthers, !offers.isEmpty, !offers.contains(where: { UTF8Order.areEqual($0.text, current) })
        {
            offers.append((current, current))
        }
        let isJSON = format == nil && ["object", "array"].contains(valueType)
        let picker = control == .field ? format?.input(current ?? "") : nil
        let isInUTC = picker?.type == "datetime-local"
        let value = picker?.value ?? current ?? ""
        if !offers.isEmpty && !takesOthers {
            let options = offers.map { offer in
                let isSelected = current.map { UTF8Order.areEqual($0, offer.text) } ?? false
                return Markup.Option(offer.text, offer.label, isSelected: isSelected)
            }
            let unchanged = isOptional ? [Markup.Option("", "unchanged")] : []
            markup.select(id: id, name: name, unchanged + options, ["dir": "auto"])
        } else if !formMembers.isEmpty {
            writeMembers(current, name: name, id: id, in: &markup)
        } else if isJSON || format == .bytes || current?.contains(where: \.isNewline) == true {
            markup.textarea(value, ["id": id, "name": name, "rows": "3", "cols": "40", "dir": "auto"])
        } else {
            let isNumber = ["integer", "number"].contains(valueType)
            let list = takesOthers ? "\(id)-choices" : nil
            let bounds: Markup.Attributes = [
                "min": minimum?.text, "max": maximum?.text, "step": valueType == "integer" ? "1" : "any",
            ]
            markup.input(
                // A slider would have no exact values and could not be left empty.
                ["type": isNumber ? "number" : picker?.type ?? "text", "id": id, "name": name, "value": value],
                (isNumber || isInUTC ? bounds : [:]) + ["list": list, "autocomplete": "off", "dir": "auto"])
            if let list {
                markup.element("datalist", ["id": list]) { $0.options(offers.map { Markup.Option($0.text, $0.label) }) }
            }
        }
        if let unit = isInUTC ? "UTC" : unit { markup.write(" \(unit)") }
    }

    /// Writes a field for each member of a value. The first has the ID.
    private func writeMembers(_ current: String?, name: String, id: String, in markup: inout Markup) {
        let object = current.flatMap { try? JSONValue(parsing: Array($0.utf8)) }?.asObject
        markup.element("span", ["role": "group", "aria-label": title ?? path]) { group in
            for (index, member) in formMembers.enumerated() {
                let bounds: Markup.Attributes = [
                    "min": member.bounds.minimum.map { "\($0)" }, "max": member.bounds.maximum.map { "\($0)" },
                    "step": member.inputStep,
                ]
                group.element("label") { label in
                    label.write("\(member.rawValue) ")
                    label.input(
                        [
                            "type": member.inputType, "id": index == 0 ? id : nil,
                            "name": DeclaredSetting.itemName(member, of: name),
                            "value": object?[member.rawValue]?.plainText ?? "",
                        ], (member.isNumber ? bounds : [:]) + ["autocomplete": "off", "dir": "auto"])
                }
                group.write(" ")
            }
        }
    }
}
