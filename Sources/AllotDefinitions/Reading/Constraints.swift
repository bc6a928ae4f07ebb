import Allot
import AllotConfiguration

/// The constraints on a setting's values, under JSON Schema's own names and meanings.
struct Constraints: Sendable {
    static let keys = ["type", "minimum", "maximum", "pattern", "enum", "description"]
    static let types = ["boolean", "integer", "number", "string", "array", "object"]

    private(set) var type: String?
    private(set) var minimum: JSONNumber?
    private(set) var maximum: JSONNumber?
    private(set) var pattern: RegularExpression?
    private(set) var allowed: [JSONValue]?
    private(set) var description: String?

    init(_ fields: Fields, reader: inout FileReader) {
        description = reader.text(fields, "description")
        if let field = fields["type"],
            let name = reader.text(field, "type", form: "the types are \(Self.types.joined(separator: ", "))")
        {
            if Self.types.contains(name) {
                type = name
            } else {
                reader.error(
                    "unknown type \(QuotedText(name)); \(FileReader.hint(name, Self.types, what: "the types are"))",
                    at: field)
            }
        }
        minimum = Self.number(fields, "minimum", &reader)
        maximum = Self.number(fields, "maximum", &reader)
        if let minimum, let maximum, maximum.decimal < minimum.decimal, let field = fields["minimum"] {
            reader.error("minimum \(minimum.text) is above maximum \(maximum.text); no value fits", at: field)
        }
        if let field = fields["pattern"], let text = reader.text(field, "pattern") {
            do {
                pattern = try RegularExpression(text, ignoresCase: false)
            } catch {
                reader.error("the pattern is invalid: \(error.reason); patterns follow RE2's syntax", at: field)
            }
        }
        if let field = fields["enum"], let elements = reader.elements(field, of: "enum", form: "[small, large]") {
            allowed = elements.isEmpty ? nil : elements.map(\.node.json)
            if elements.isEmpty { reader.error("enum is empty; list the allowed values", at: field) }
        }
    }

    private static func number(_ fields: Fields, _ key: String, _ reader: inout FileReader) -> JSONNumber? {
        guard let field = fields[key] else { return nil }
        guard case .number(let digits) = field.node.content else {
            reader.error("\(key) is \(field.node.described); a number is expected", at: field)
            return nil
        }
        return JSONNumber(unchecked: digits)
    }

    /// The violations by a value, each written to follow the setting's name in a sentence.
    func violations(of value: JSONValue) -> [String] {
        var found: [String] = []
        let text = Self.shortened(value)
        if let type, !Self.isType(value, type) {
            found.append("is \(value.described), which is not of type \(type); \(Self.fix(value, type))")
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

    /// The violation by an override that does not have the type of the base value, for settings that declare no type.
    func typeViolation(of override: JSONValue, base: JSONValue) -> String? {
        if type != nil || base == .null { return nil }
        let wanted = base.typeName
        if Self.isType(override, wanted) { return nil }
        let widening =
            wanted == "integer" && override.typeName == "number" ? ", or add type: number to the setting" : ""
        return
            "is \(override.described), and its base value is of type \(wanted); "
            + "\(Self.fix(override, wanted))\(widening)"
    }

    /// Whether a value has a type. A whole number is also a `number`; 1.0 is an `integer`, as in JSON Schema.
    static func isType(_ value: JSONValue, _ type: String) -> Bool {
        value.typeName == type || (type == "number" && value.typeName == "integer")
    }

    /// The fix for a value of another type.
    private static func fix(_ value: JSONValue, _ type: String) -> String {
        switch (value, type) {
        case (.string(let text), "integer"), (.string(let text), "number"):
            if let number = JSONNumber(text), isType(.number(number), type) { return "write \(text) without quotes" }
        case (_, "boolean"): return "write true or false"
        case (.number, "string"), (.boolean, "string"): return "write \"\(value.canonicalText)\" in quotes"
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
