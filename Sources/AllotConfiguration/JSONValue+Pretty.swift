extension JSONValue {
    /// The value as JSON for people: sorted keys, two spaces a level, short arrays and objects of scalars on one line.
    public var prettyText: String {
        Self.pretty(self, indent: "")
    }

    private static func pretty(_ value: JSONValue, indent: String) -> String {
        let inner = indent + "  "
        switch value {
        case .array(let elements) where !fitsLine(value):
            let lines = elements.map { inner + pretty($0, indent: inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
        case .object(let object) where !fitsLine(value):
            let lines = object.members.map { member in
                "\(inner)\(JSONValue.string(member.key).canonicalText): \(pretty(member.value, indent: inner))"
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .array(let elements): return "[\(elements.map(\.canonicalText).joined(separator: ", "))]"
        case .object(let object):
            let members = object.members.map { member in
                "\(JSONValue.string(member.key).canonicalText): \(member.value.canonicalText)"
            }
            return "{\(members.joined(separator: ", "))}"
        default: return value.canonicalText
        }
    }

    /// Whether a value is short, and flat below its own brackets.
    private static func fitsLine(_ value: JSONValue) -> Bool {
        switch value {
        case .array(let elements): elements.allSatisfy(isScalar) && value.canonicalText.count <= 80
        case .object(let object): object.members.allSatisfy { isScalar($0.value) } && value.canonicalText.count <= 80
        default: true
        }
    }

    private static func isScalar(_ value: JSONValue) -> Bool {
        switch value {
        case .array, .object: false
        default: true
        }
    }
}
