import AllotConfiguration

/// The operators that stand below an attribute's name.
enum Operator: String, CaseIterable {
    case equal = "$eq"
    case notEqual = "$ne"
    case `in` = "$in"
    case notIn = "$nin"
    case all = "$all"
    case exists = "$exists"
    case type = "$type"
    case size = "$size"
    case elementMatch = "$elemMatch"
    case greater = "$gt"
    case greaterOrEqual = "$gte"
    case less = "$lt"
    case lessOrEqual = "$lte"
    case inIgnoringCase = "$ini"
    case notInIgnoringCase = "$nini"
    case allIgnoringCase = "$alli"
    case regex = "$regex"
    case regexIgnoringCase = "$regexi"
    case versionEqual = "$veq"
    case versionNotEqual = "$vne"
    case versionGreater = "$vgt"
    case versionGreaterOrEqual = "$vgte"
    case versionLess = "$vlt"
    case versionLessOrEqual = "$vlte"
    case inGroup = "$inGroup"
    case notInGroup = "$notInGroup"
    case startsWith = "$startsWith"
    case endsWith = "$endsWith"
    case contains = "$contains"
    case before = "$before"
    case after = "$after"
    case not = "$not"

    /// How a comparison operator orders its value against the literal.
    var ordering: Condition.Ordering {
        switch self {
        case .greater, .versionGreater, .after: .greater
        case .greaterOrEqual, .versionGreaterOrEqual: .greaterOrEqual
        case .less, .versionLess, .before: .less
        case .lessOrEqual, .versionLessOrEqual: .lessOrEqual
        default: .equal
        }
    }

    /// The test in words that follow the attribute's name.
    func words(for literal: JSONValue) -> String {
        let text = literal.described(inWords: true)
        switch self {
        case .equal: return "is \(text)"
        case .notEqual: return "is not \(text)"
        case .in: return "is one of \(text)"
        case .notIn: return "is not one of \(text)"
        case .all: return "has all of \(text)"
        case .exists: return literal == true ? "is given" : "is missing"
        case .type: return "is of type \(text)"
        case .size: return "has a number of elements that is \(text)"
        case .elementMatch: return "has an element with \(text)"
        case .greater: return "is above \(text)"
        case .greaterOrEqual: return "is at least \(text)"
        case .less: return "is below \(text)"
        case .lessOrEqual: return "is at most \(text)"
        case .inIgnoringCase: return "is one of \(text) in any case"
        case .notInIgnoringCase: return "is not one of \(text) in any case"
        case .allIgnoringCase: return "has all of \(text) in any case"
        case .regex: return "matches \(text)"
        case .regexIgnoringCase: return "matches \(text) in any case"
        case .versionEqual: return "is version \(text)"
        case .versionNotEqual: return "is not version \(text)"
        case .versionGreater: return "is a version after \(text)"
        case .versionGreaterOrEqual: return "is version \(text) or later"
        case .versionLess: return "is a version before \(text)"
        case .versionLessOrEqual: return "is version \(text) or earlier"
        case .inGroup: return "is in the group \(text)"
        case .notInGroup: return "is not in the group \(text)"
        case .startsWith: return "starts with \(text)"
        case .endsWith: return "ends with \(text)"
        case .contains: return "contains \(text)"
        case .before: return "is before \(text)"
        case .after: return "is after \(text)"
        case .not: return "does not satisfy: \(text)"
        }
    }
}

extension JSONValue {
    /// The value for a message about its type: `text "abc"`, `the number 5`, `a list`.
    package var described: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .number(let number): "the number \(number.text)"
        case .string(let text): "the text \"\(text.count > 40 ? text.prefix(40) + "…" : text)\""
        case .array: "a list"
        case .object: "a map"
        }
    }

    /// The value in running text: lists without brackets, cut where they are long.
    func described(inWords: Bool) -> String {
        switch self {
        case .string(let text): return text.isEmpty || text.contains(" ") || text.contains(",") ? "\"\(text)\"" : text
        case .array(let elements) where inWords:
            let shown = elements.prefix(8).map { $0.described(inWords: false) }.joined(separator: ", ")
            return elements.count > 8 ? "\(shown), … (\(elements.count) in all)" : elements.isEmpty ? "nothing" : shown
        default: return canonicalText
        }
    }
}
