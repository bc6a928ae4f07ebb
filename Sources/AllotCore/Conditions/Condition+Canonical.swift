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

extension Condition.Predicate {
    fileprivate var canonical: (name: String, literal: JSONValue) {
        switch self {
        case .equals(let literal): ("$eq", literal.withNumbersByValue)
        case .isIn(let literals, false): ("$in", literals.canonical)
        case .isIn(let literals, true): ("$ini", literals.canonical)
        case .hasAll(let parts): ("$all", .array(parts.map(\.canonical)))
        case .hasElement(let part): ("$elemMatch", part.canonical)
        case .size(let part): ("$size", part.canonical)
        case .exists: ("$exists", true)
        case .type(let type): ("$type", .string(type.rawValue))
        case .orderedNumber(let ordering, let literal): ("$\(ordering)", JSONValue(floatLiteral: literal))
        case .orderedText(let ordering, let literal): ("$\(ordering)", .string(literal))
        case .version(let ordering, let literal): ("$version-\(ordering)", .string(literal))
        case .instant(let ordering, let instant): ("$instant-\(ordering)", .string(instant.description))
        case .hasPart(let part, let texts, let ignoringCase):
            (
                part.operatorName + (ignoringCase ? "i" : ""),
                Self.oneOrSet(ignoringCase ? texts.map(Self.folded) : texts)
            )
        case .matches(let expressions):
            (
                expressions.contains(where: \.ignoresCase) ? "$regexi" : "$regex",
                Self.oneOrSet(expressions.map(\.pattern))
            )
        case .inNetwork(let networks): ("$inNetwork", Self.oneOrSet(networks.map(\.description)))
        }
    }

    /// A text alone, or several, each once and in order.
    private static func oneOrSet(_ texts: [String]) -> JSONValue {
        let texts = Set(texts.map(UTF8Key.init)).sorted().map(\.text)
        return texts.count == 1 ? .string(texts[0]) : .array(texts.map(JSONValue.string))
    }

    private static func folded(_ text: String) -> String {
        String(decoding: CaseFolding.folded(Array(text.utf8).span), as: UTF8.self)
    }
}

extension Condition.Predicate: Hashable {
    /// Predicates are equal if they have one canonical form, so that no value satisfies only one of them.
    package static func == (left: Self, right: Self) -> Bool {
        // The canonical forms of long lists take long, and those of one segment are equal as they are written.
        if case .inNetwork(let networks) = left, case .inNetwork(networks) = right { return true }
        if case .hasPart(let part, let texts, let ignoringCase) = left,
            case .hasPart(part, let others, ignoringCase) = right, texts.elementsEqual(others, by: UTF8Order.areEqual)
        {
            return true
        }
        let (left, right) = (left.canonical, right.canonical)
        return left.name == right.name && left.literal == right.literal
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .isIn(let list, let ignoringCase):
            hasher.combine(list)
            hasher.combine(ignoringCase)
        case .hasPart(let part, let texts, let ignoringCase):
            hasher.combine(part)
            hasher.combine(ignoringCase)
            Self.hash(texts.lazy.map { UTF8Key(ignoringCase ? Self.folded($0) : $0) }, into: &hasher)
        case .matches(let expressions):
            Self.hash(expressions.lazy.map { UTF8Key($0.pattern) }, into: &hasher)
        case .inNetwork(let networks):
            Self.hash(networks.lazy.map(\.address.bits), into: &hasher)
        default:
            let (name, literal) = canonical
            hasher.combine(name)
            hasher.combine(literal)
        }
    }

    /// Hashes what neither the order of items nor their repetition changes. That tells lists apart without sorting
    /// thousands of items for each use of a segment.
    private static func hash(_ items: some Sequence<some Hashable & Comparable>, into hasher: inout Hasher) {
        hasher.combine(items.min())
        hasher.combine(items.max())
    }
}

extension Condition.TextPart {
    fileprivate var operatorName: String {
        switch self {
        case .prefix: "$startsWith"
        case .suffix: "$endsWith"
        case .anywhere: "$contains"
        }
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
