import AllotConfiguration
import AllotCore

extension DeclaredSetting {
    private static let keys =
        ["value", "type", "format", "minimum", "maximum", "pattern", "enum"] + SettingPresentation.keys
    package static let types = ["boolean", "integer", "number", "string", "array", "object"]

    init?(_ field: Field, section: String, name: String, reader: inout FileReader) {
        var form: String {
            switch field.node.content {
            case .boolean, .number, .text: "{ value: \(field.node.json.canonicalText) }"
            default: "{ value: … }"
            }
        }
        guard let fields = reader.fields(field, of: "a setting", form: form, known: Self.keys) else { return nil }
        let presentation = SettingPresentation(fields, &reader)
        let type = reader.oneOf(Self.types, fields, "type")
        let format = reader.oneOf(SettingFormat.allCases.map(\.rawValue), fields, "format")
            .flatMap(SettingFormat.init(rawValue:))
        if let type, let format, !format.types.contains(type), let field = fields["type"] {
            let types = format.types.joined(separator: " or ")
            reader.error(
                "type \(type) does not fit the format \(format.rawValue); write \(types), or leave type out", at: field)
        }
        if let format {
            let misfits = ["minimum", "maximum"] + (format.types.contains("string") ? [] : ["pattern"])
            for key in misfits {
                guard let field = fields[key] else { continue }
                reader.error("\(key) does not constrain the format \(format.rawValue); leave it out", at: field)
            }
        }
        let minimum = Self.number(fields, "minimum", &reader)
        let maximum = Self.number(fields, "maximum", &reader)
        if let minimum, let maximum, maximum.decimal < minimum.decimal, let field = fields["minimum"] {
            reader.error("minimum \(minimum.text) is above maximum \(maximum.text); no value fits", at: field)
        }
        let pattern = Self.pattern(fields, &reader)
        let allowed = Self.allowed(fields, &reader)
        guard let value = fields["value"] else {
            reader.error("\(section).\(name) has no value; write { value: … } (null is a value too)", at: field)
            return nil
        }
        self.init(
            section: section, name: name, value: value.node.json, type: type, format: format, minimum: minimum,
            maximum: maximum, pattern: pattern, allowed: allowed, presentation: presentation)
        for violation in violations(of: self.value) {
            reader.error("the base value of \(section).\(name) \(violation)", at: value)
        }
        if !namesTexts { reader.checkWords(in: value) }
        checkPresentation(fields, &reader)
    }

    /// Whether the declaration shows that a value may be any text, so that `on` is one.
    var namesTexts: Bool { type == "string" || format != nil || pattern != nil || allowed != nil }

    private static func pattern(_ fields: Fields, _ reader: inout FileReader) -> RegularExpression? {
        guard let field = fields["pattern"], let text = reader.text(field, "pattern") else { return nil }
        do {
            return try RegularExpression(text, ignoresCase: false)
        } catch {
            reader.error("the pattern is invalid: \(error.reason); patterns follow RE2's syntax", at: field)
            return nil
        }
    }

    private static func allowed(_ fields: Fields, _ reader: inout FileReader) -> [JSONValue]? {
        guard let field = fields["enum"], let elements = reader.elements(field, of: "enum", form: "[small, large]")
        else { return nil }
        if elements.isEmpty { reader.error("enum is empty; list the allowed values", at: field) }
        return elements.isEmpty ? nil : elements.map(\.node.json)
    }

    private static func number(_ fields: Fields, _ key: String, _ reader: inout FileReader) -> JSONNumber? {
        guard let field = fields[key] else { return nil }
        if case .number(let digits) = field.node.content { return JSONNumber(unchecked: digits) }
        reader.error("\(key) is \(field.node.described); a number is expected", at: field)
        return nil
    }

    /// The violations by a value, each written to follow the setting's name in a sentence.
    func violations(of value: JSONValue) -> [String] {
        var found: [String] = []
        let text = Self.shortened(value)
        if let type, !Self.isType(value, type) {
            found.append("is \(value.described), which is not of type \(type); \(Self.fix(value, type))")
        } else if let format, let fault = format.fault(of: value) {
            found.append(fault)
        }
        if case .number(let number) = value {
            if let minimum, number.decimal < minimum.decimal {
                found.append("is \(text), below the minimum \(minimum.text)")
            }
            if let maximum, maximum.decimal < number.decimal {
                found.append("is \(text), above the maximum \(maximum.text)")
            }
        }
        if case .string(let string) = value, let pattern, !pattern.matches(string) {
            found.append("is \(text), which does not match the pattern \(pattern.pattern)")
        }
        if let allowed, !allowed.contains(where: { $0.isEquivalent(to: value) }) {
            let values = allowed.prefix(20).map(Self.shortened).joined(separator: ", ")
            found.append("is \(text), which is not one of \(values)\(allowed.count > 20 ? ", …" : "")")
        }
        return found
    }

    /// The violations by a value in place of the base value: of its type, or else of the constraints.
    package func violations(byOverride value: JSONValue) -> [String] {
        typeViolation(of: value).map { [$0] } ?? violations(of: value)
    }

    /// The violation by an override that does not have the type of the base value, for settings that declare neither a
    /// type nor a format.
    func typeViolation(of override: JSONValue) -> String? {
        if type != nil || format != nil || value == .null { return nil }
        let wanted = value.typeName
        if Self.isType(override, wanted) { return nil }
        let widening =
            wanted == "integer" && override.typeName == "number" ? ", or add type: number to the setting" : ""
        return "is \(override.described), and its base value is of type \(wanted); "
            + "\(Self.fix(override, wanted))\(widening)"
    }

    /// Whether a value has a type. A whole number is also a `number`; 1.0 is an `integer`, as in JSON Schema.
    static func isType(_ value: JSONValue, _ type: String) -> Bool {
        value.typeName == type || (type == "number" && value.typeName == "integer")
    }

    private static func fix(_ value: JSONValue, _ type: String) -> String {
        switch (value, type) {
        case (.string(let text), "integer"), (.string(let text), "number"):
            if let number = JSONNumber(text), isType(.number(number), type) { return "write \(text) without quotes" }
        case (_, "boolean"): return "write true or false"
        case (.number, "string"), (.boolean, "string"): return "write \(QuotedText(value.canonicalText)) in quotes"
        case (.number, "integer"): return "write a whole number"
        default: break
        }
        return "write a value of this type"
    }

    private static func shortened(_ value: JSONValue) -> String {
        let text = value.canonicalText
        return text.count > 80 ? text.prefix(80) + "…" : text
    }
}
