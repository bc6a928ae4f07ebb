import AllotConfiguration

/// A key that joins conditions, or stands for one.
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

    var ordering: Condition.Ordering {
        switch self {
        case .greater, .versionGreater, .after: .greater
        case .greaterOrEqual, .versionGreaterOrEqual, .onOrAfter: .greaterOrEqual
        case .less, .versionLess, .before: .less
        case .lessOrEqual, .versionLessOrEqual, .onOrBefore: .lessOrEqual
        default: .equal
        }
    }

    var isNegation: Bool {
        switch self {
        case .notEqual, .notIn, .notInIgnoringCase, .versionNotEqual, .notInGroup, .notInNetwork: true
        default: false
        }
    }

    /// Whether `DE`, `De` and `de` are the same: the names of these operators end with "i".
    var ignoresCase: Bool { rawValue.hasSuffix("i") }

    /// The test in words that follow the attribute's name. For an instant they lack the literal.
    func words(for literal: JSONValue) -> String {
        let text = literal.inWords
        let verb = isNegation ? "is not" : "is"
        let ending = ignoresCase ? " in any case" : ""
        return switch self {
        case .equal, .notEqual: "\(verb) \(text)"
        case .in, .notIn, .inIgnoringCase, .notInIgnoringCase: "\(verb) one of \(text)\(ending)"
        case .all, .allIgnoringCase: "has all of \(text)\(ending)"
        case .exists: literal == true ? "is given" : "is missing"
        case .type: "is of type \(literal.unquoted)"
        case .size: "has a number of elements that is \(text)"
        case .elementMatch: "has an element with \(text)"
        case .greater: "is above \(text)"
        case .greaterOrEqual: "is at least \(text)"
        case .less: "is below \(text)"
        case .lessOrEqual: "is at most \(text)"
        case .regex, .regexIgnoringCase: "matches \(literal.alternatives)\(ending)"
        case .versionEqual, .versionNotEqual: "\(verb) version \(literal.quoted)"
        case .versionGreater: "is a version after \(literal.quoted)"
        case .versionGreaterOrEqual: "is version \(literal.quoted) or later"
        case .versionLess: "is a version before \(literal.quoted)"
        case .versionLessOrEqual: "is version \(literal.quoted) or earlier"
        case .inGroup, .notInGroup: "\(verb) in the group \(literal.unquoted)"
        case .startsWith, .startsWithIgnoringCase: "starts with \(literal.alternatives)\(ending)"
        case .endsWith, .endsWithIgnoringCase: "ends with \(literal.alternatives)\(ending)"
        case .contains, .containsIgnoringCase: "contains \(literal.alternatives)\(ending)"
        case .before: "is before"
        case .onOrBefore: "is on or before"
        case .after: "is after"
        case .onOrAfter: "is on or after"
        case .inNetwork, .notInNetwork: "\(verb) an address in \(literal.alternatives)"
        case .not: "does not satisfy: \(text)"
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
