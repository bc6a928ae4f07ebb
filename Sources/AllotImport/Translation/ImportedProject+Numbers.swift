import AllotConfiguration

extension ImportedProject {
    /// Notes, if conditions compare numbers, which texts Allot does not read as numbers.
    ///
    /// This is the one difference in the values of conditions that definitions cannot express.
    ///
    /// - Parameter forms: Examples of what the other system reads as a number in texts.
    mutating func noteTextsOfNumbers(in system: String, forms: String) {
        let operators: Set = ["$eq", "$in", "$gt", "$gte", "$lt", "$lte"]
        guard hasTest(where: { operators.contains($0) && $1.hasNumber && !$2 }) else { return }
        notes.append(
            "\(system) also reads text like \(forms) as numbers. In Allot only text in the form of -2.5 or 1e3 "
                + "counts as a number.")
    }

    /// Whether a condition tests an attribute with an operator and its literal; the last argument says whether the
    /// same test asks for a type.
    func hasTest(where matches: (_ name: String, _ literal: JSONValue, _ hasType: Bool) -> Bool) -> Bool {
        flags.contains { $0.rules.contains { $0.condition.hasTest(where: matches) } }
            || segments.contains { $0.definition.hasTest(where: matches) }
    }
}

extension Guard {
    fileprivate func hasTest(where matches: (String, JSONValue, Bool) -> Bool) -> Bool {
        switch self {
        case .condition(let json): json.hasTest(where: matches)
        case .all(let parts), .any(let parts): parts.contains { $0.hasTest(where: matches) }
        case .not(let part): part.hasTest(where: matches)
        case .always, .never, .draw, .layer, .period, .serves: false
        }
    }
}

extension JSONValue {
    fileprivate func hasTest(where matches: (String, JSONValue, Bool) -> Bool) -> Bool {
        switch self {
        case .object(let object):
            object.members.contains {
                matches($0.key, $0.value, object["$type"] != nil) || $0.value.hasTest(where: matches)
            }
        case .array(let elements): elements.contains { $0.hasTest(where: matches) }
        default: false
        }
    }

    fileprivate var hasNumber: Bool {
        switch self {
        case .number: true
        case .array(let elements): elements.contains(where: \.hasNumber)
        default: false
        }
    }
}
