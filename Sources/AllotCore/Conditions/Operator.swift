import AllotConfiguration

/// What joins conditions, or stands for one.
enum Connective: String, CaseIterable {
    case and = "$and"
    case or = "$or"
    case nor = "$nor"
    case not = "$not"
    case segment = "$segment"
}

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
    case startsWithIgnoringCase = "$startsWithi"
    case endsWith = "$endsWith"
    case endsWithIgnoringCase = "$endsWithi"
    case contains = "$contains"
    case containsIgnoringCase = "$containsi"
    case before = "$before"
    case onOrBefore = "$onOrBefore"
    case after = "$after"
    case onOrAfter = "$onOrAfter"
    case inNetwork = "$inNetwork"
    case notInNetwork = "$notInNetwork"
    case not = "$not"

    /// How a comparison operator orders its value against the literal.
    var ordering: Condition.Ordering {
        switch self {
        case .greater, .versionGreater, .after: .greater
        case .greaterOrEqual, .versionGreaterOrEqual, .onOrAfter: .greaterOrEqual
        case .less, .versionLess, .before: .less
        case .lessOrEqual, .versionLessOrEqual, .onOrBefore: .lessOrEqual
        default: .equal
        }
    }

    /// Whether it is the exact opposite of another operator.
    var isNegation: Bool {
        switch self {
        case .notEqual, .notIn, .notInIgnoringCase, .versionNotEqual, .notInGroup, .notInNetwork: true
        default: false
        }
    }

    /// Whether `DE`, `De` and `de` are the same.
    var ignoresCase: Bool {
        switch self {
        case .inIgnoringCase, .notInIgnoringCase, .allIgnoringCase, .regexIgnoringCase, .startsWithIgnoringCase,
            .endsWithIgnoringCase, .containsIgnoringCase:
            true
        default: false
        }
    }

    /// The test in words that follow the attribute's name. Those of an instant lack the literal.
    func words(for literal: JSONValue) -> String {
        let text = literal.inWords
        switch self {
        case .equal: return "is \(text)"
        case .notEqual: return "is not \(text)"
        case .in: return "is one of \(text)"
        case .notIn: return "is not one of \(text)"
        case .all: return "has all of \(text)"
        case .exists: return literal == true ? "is given" : "is missing"
        case .type: return "is of type \(literal.unquoted)"
        case .size: return "has a number of elements that is \(text)"
        case .elementMatch: return "has an element with \(text)"
        case .greater: return "is above \(text)"
        case .greaterOrEqual: return "is at least \(text)"
        case .less: return "is below \(text)"
        case .lessOrEqual: return "is at most \(text)"
        case .inIgnoringCase: return "is one of \(text) in any case"
        case .notInIgnoringCase: return "is not one of \(text) in any case"
        case .allIgnoringCase: return "has all of \(text) in any case"
        case .regex: return "matches \(literal.alternatives)"
        case .regexIgnoringCase: return "matches \(literal.alternatives) in any case"
        case .versionEqual: return "is version \(literal.quoted)"
        case .versionNotEqual: return "is not version \(literal.quoted)"
        case .versionGreater: return "is a version after \(literal.quoted)"
        case .versionGreaterOrEqual: return "is version \(literal.quoted) or later"
        case .versionLess: return "is a version before \(literal.quoted)"
        case .versionLessOrEqual: return "is version \(literal.quoted) or earlier"
        case .inGroup: return "is in the group \(literal.unquoted)"
        case .notInGroup: return "is not in the group \(literal.unquoted)"
        case .startsWith: return "starts with \(literal.alternatives)"
        case .startsWithIgnoringCase: return "starts with \(literal.alternatives) in any case"
        case .endsWith: return "ends with \(literal.alternatives)"
        case .endsWithIgnoringCase: return "ends with \(literal.alternatives) in any case"
        case .contains: return "contains \(literal.alternatives)"
        case .containsIgnoringCase: return "contains \(literal.alternatives) in any case"
        case .before: return "is before"
        case .onOrBefore: return "is on or before"
        case .after: return "is after"
        case .onOrAfter: return "is on or after"
        case .inNetwork: return "is an address in \(literal.alternatives)"
        case .notInNetwork: return "is not an address in \(literal.alternatives)"
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
        case .number(let number): "the number \(PrintableText(number.text, atMost: QuotedText.limit))"
        case .string(let text): "the text \(QuotedText(text))"
        case .array: "a list"
        case .object: "a map"
        }
    }

    /// The value in running text: text in quotes, so that `"5"` and 5 differ, numbers as written, lists without
    /// brackets and cut where they are long.
    var inWords: String {
        switch self {
        case .string(let text): return QuotedText(text).description
        case .array(let elements):
            let shown = elements.prefix(8).map(\.inWordsWithin).joined(separator: ", ")
            return elements.count > 8 ? "\(shown), … (\(elements.count) in all)" : elements.isEmpty ? "nothing" : shown
        default: return printableText
        }
    }

    /// The value as an element of a list in running text.
    private var inWordsWithin: String {
        if case .array = self { printableText } else { inWords }
    }

    /// The value as JSON, escaped and bounded.
    private var printableText: String { PrintableText(canonicalText).description }

    /// One literal or several, of which any counts.
    fileprivate var alternatives: String {
        if case .array(let elements) = self, elements.count > 1 { "one of \(inWords)" } else { inWords }
    }

    /// The name of a group or type.
    fileprivate var unquoted: String {
        if case .string(let text) = self { PrintableText(text).description } else { printableText }
    }

    /// A literal that is read as text, even if it is written as a number.
    fileprivate var quoted: String {
        if case .number(let number) = self { QuotedText(number.text).description } else { inWords }
    }
}
