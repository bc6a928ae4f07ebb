import AllotConfiguration

struct UsedAttribute: Sendable, Equatable {
    let name: String
    /// The kinds of its values, such as "text", in the order of the alphabet; empty where any value will do.
    var types: [String] = []
    var isUnit = false

    var described: String {
        let kinds = types.isEmpty && !isUnit ? "any value" : types.joined(separator: " or ")
        return isUnit ? "unit ID" + (kinds.isEmpty ? "" : ", \(kinds)") : kinds
    }

    static func notes(onUnitsOf attributes: [UsedAttribute]) -> [String] {
        let units = attributes.filter(\.isUnit).map(\.name)
        guard !units.isEmpty, !units.contains("user_id") else { return [] }
        return [
            "Unit IDs are read from \(units.joined(separator: ", ")). An ID that a call gives without a name is "
                + "user_id, which no flag reads: name the attribute in calls, or give it the name user_id at the "
                + "import."
        ]
    }
}

extension ImportedProject {
    var usedAttributes: [UsedAttribute] {
        let segments = usedSegments
        var uses = AttributeUses(
            lists: Dictionary(segments.map { ($0.name, $0.definition) }, uniquingKeysWith: { first, _ in first }))
        for segment in segments { uses.add(segment.definition) }
        for rule in flags.flatMap(\.rules) {
            for condition in rule.condition.conditions { uses.add(condition) }
            uses.units.formUnion(rule.draws.map { UTF8Key($0.unit) })
            if needsUnit, case .value = rule.outcome { uses.units.insert(UTF8Key(rule.unit ?? mainUnit)) }
        }
        return uses.attributes
    }
}

private struct AttributeUses {
    /// The segments by name; lists among them give the type of the values that are compared with them.
    let lists: [String: JSONValue]
    var units: Set<UTF8Key> = []
    var types: [UTF8Key: Set<String>] = [:]

    var attributes: [UsedAttribute] {
        let names = units.sorted() + types.keys.filter { !units.contains($0) }.sorted()
        return names.map { name in
            var kinds = types[name] ?? []
            // Texts of such forms have tests of the form as well.
            if !kinds.isDisjoint(with: ["instant", "IP address", "version"]) { kinds.remove("text") }
            return UsedAttribute(name: name.text, types: kinds.sorted(), isUnit: units.contains(name))
        }
    }

    mutating func add(_ condition: JSONValue) {
        guard case .object(let object) = condition else { return }
        for member in object.members {
            switch member.key {
            case "$and", "$or", "$nor": for part in member.value.asArray ?? [] { add(part) }
            case "$not": add(member.value)
            case _ where member.key.hasPrefix("$"): continue
            default: types[UTF8Key(member.key), default: []].formUnion(kinds(ofTest: member.value))
            }
        }
    }

    private func kinds(ofTest test: JSONValue) -> Set<String> {
        guard case .object(let operators) = test else { return kinds(ofLiteral: test) }
        return operators.members.reduce(into: []) { $0.formUnion(kinds(of: $1.key, $1.value)) }
    }

    private func kinds(of name: String, _ literal: JSONValue) -> Set<String> {
        switch name {
        case "$exists", "$type": []
        case "$not": kinds(ofTest: literal)
        case "$veq", "$vne", "$vgt", "$vgte", "$vlt", "$vlte": ["version"]
        case "$before", "$after": ["instant"]
        case "$inNetwork", "$notInNetwork": ["IP address"]
        case "$size", "$elemMatch", "$all", "$alli": ["list"]
        case "$inGroup", "$notInGroup": literal.text.flatMap { lists[$0] }.map(kinds(ofLiteral:)) ?? []
        default: kinds(ofLiteral: literal)
        }
    }

    private func kinds(ofLiteral literal: JSONValue) -> Set<String> {
        switch literal {
        case .null: []
        case .boolean: ["true or false"]
        case .number: ["number"]
        case .string: ["text"]
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(kinds(ofLiteral: $1)) }
        case .object: ["object"]
        }
    }
}
