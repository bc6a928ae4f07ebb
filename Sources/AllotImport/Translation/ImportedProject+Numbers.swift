import AllotConfiguration

extension ImportedProject {
    /// Notes, if conditions compare numbers, which texts Allot reads as numbers and which not.
    ///
    /// This is the one difference in the values of conditions that definitions cannot express.
    mutating func noteTextsOfNumbers(in system: String) {
        guard flags.contains(where: { $0.rules.contains { $0.condition.comparesNumbers } }) else { return }
        notes.append(
            "\(system) also reads text such as \"+5\", \".5\" and \"5.\" as numbers. In Allot only text in the form of "
                + "-2.5 or 1e3 counts as a number.")
    }
}

extension Guard {
    fileprivate var comparesNumbers: Bool {
        switch self {
        case .condition(let json): json.comparesNumbers
        case .all(let parts), .any(let parts): parts.contains(where: \.comparesNumbers)
        case .not(let part): part.comparesNumbers
        case .always, .never, .draw, .layer, .period, .serves: false
        }
    }
}

extension JSONValue {
    /// Whether an operator that orders values has a number.
    fileprivate var comparesNumbers: Bool {
        switch self {
        case .object(let object):
            object.members.contains { member in
                if case .number = member.value {
                    ["$gt", "$gte", "$lt", "$lte"].contains(member.key)
                } else {
                    member.value.comparesNumbers
                }
            }
        case .array(let elements): elements.contains(where: \.comparesNumbers)
        default: false
        }
    }
}
