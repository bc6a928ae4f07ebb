import AllotConfiguration

extension Condition {
    /// The condition as JSON that changes only if its results can: segments are expanded, each operator has one
    /// spelling, and numbers are compared by value.
    package var canonical: JSONValue {
        switch self {
        case .all(let parts): parts.count == 1 ? parts[0].canonical : ["$and": .array(parts.map(\.canonical))]
        case .any(let parts): ["$or": .array(parts.map(\.canonical))]
        case .not(let part): ["$not": part.canonical]
        case .segment(_, let part): part.canonical
        case .test(let test): test.canonical
        }
    }
}

extension Condition.Test {
    fileprivate var canonical: JSONValue {
        let (name, literal) = predicate.canonical
        let test: JSONValue = .object(JSONObject([(key: name, value: literal)]))
        let positive: JSONValue = isNegated ? ["$not": test] : test
        guard let attribute else { return positive }
        return .object(JSONObject([(key: attribute, value: positive)]))
    }
}

extension JSONValue {
    /// The value with each number as the shortest text of its double.
    var withNumbersByValue: JSONValue {
        switch self {
        case .number(let number): JSONNumber(number.double).map(JSONValue.number) ?? self
        case .array(let elements): .array(elements.map(\.withNumbersByValue))
        case .object(let object):
            .object(JSONObject(object.members.map { (key: $0.key, value: $0.value.withNumbersByValue) }))
        default: self
        }
    }
}
