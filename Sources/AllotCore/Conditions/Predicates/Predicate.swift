import AllotConfiguration

extension Condition {
    /// The question that a test asks, with a typed literal.
    package indirect enum Predicate: Sendable {
        case equals(JSONValue)
        /// The value, or an element of an array, is among the scalars.
        case isIn(LiteralList, ignoringCase: Bool)
        /// Each of the conditions holds for at least one element of an array.
        case hasAll([Condition])
        /// The condition holds for at least one element of an array.
        case hasElement(Condition)
        /// The condition holds for the number of elements of an array.
        case size(Condition)
        case exists
        case type(ValueType)
        case orderedNumber(Ordering, Double)
        case orderedText(Ordering, String)
        case version(Ordering, String)
        case instant(Ordering, Instant)
        /// The text has at least one of the literals in this place.
        case hasPart(TextPart, of: [String], ignoringCase: Bool)
        case matches([RegularExpression])
        /// The text is an address in at least one of the networks.
        case inNetwork([IPNetwork])
    }
}

extension Condition.Predicate {
    var parts: [Condition] {
        switch self {
        case .hasElement(let part), .size(let part): [part]
        case .hasAll(let parts): parts
        case .equals, .isIn, .exists, .type, .orderedNumber, .orderedText, .version, .instant, .hasPart, .matches,
            .inNetwork:
            []
        }
    }

    /// The operator that stands for it in canonical JSON, and its literal.
    var canonical: (name: String, literal: JSONValue) {
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
                Self.oneOrSet(ignoringCase ? texts.map(CaseFolding.text) : texts)
            )
        case .matches(let expressions):
            (
                expressions.contains(where: \.ignoresCase) ? "$regexi" : "$regex",
                Self.oneOrSet(expressions.map(\.pattern))
            )
        case .inNetwork(let networks): ("$inNetwork", Self.oneOrSet(networks.map(\.description)))
        }
    }

    /// The values that pass, for proofs.
    var values: PassingValues {
        switch self {
        case .equals(let literal): .equal(to: literal)
        case .isIn(let list, let ignoringCase):
            .equal(toAnyOf: list.literals, ignoringCase: ignoringCase, inLists: true)
        case .hasAll(let parts): .lists(parts)
        case .hasElement(let part): .lists([part])
        case .size(let part): .lists(ofSize: part)
        case .exists: PassingValues(form: .types(Set(Condition.ValueType.allCases).subtracting([.null])))
        case .type(let type): PassingValues(form: .types([type]))
        case .orderedNumber(let ordering, let literal): .ordered(ordering, number: literal)
        case .orderedText(let ordering, let literal): .ordered(ordering, text: literal)
        case .version(let ordering, let literal): .ordered(ordering, version: literal)
        case .instant(let ordering, let literal): .ordered(ordering, instant: literal)
        case .hasPart(let part, let texts, let ignoringCase): .having(part, texts, ignoringCase: ignoringCase)
        case .matches(let expressions): .matching(expressions)
        case .inNetwork(let networks): .addresses(in: networks)
        }
    }

    /// A text alone, or several, each once and in order.
    private static func oneOrSet(_ texts: [String]) -> JSONValue {
        let texts = Set(texts.map(UTF8Key.init)).sorted().map(\.text)
        return texts.count == 1 ? .string(texts[0]) : .array(texts.map(JSONValue.string))
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
            Self.hash(texts.lazy.map { UTF8Key(ignoringCase ? CaseFolding.text($0) : $0) }, into: &hasher)
        case .matches(let expressions): Self.hash(expressions.lazy.map { UTF8Key($0.pattern) }, into: &hasher)
        case .inNetwork(let networks): Self.hash(networks.lazy.map(\.address.bits), into: &hasher)
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

extension Condition {
    /// The ways in which tests compare values.
    package enum Comparison: CaseIterable, Sendable {
        case number, order, version, text, textOrder, flag, instant, list
    }
}

extension Condition.Test {
    /// The way in which the test compares; `nil` if it goes together with any other.
    package var comparison: Condition.Comparison? {
        switch predicate {
        case .equals(let literal): return literal.comparison
        case .isIn(let list, _):
            guard GroupOperator(rawValue: operatorName) == nil, let first = list.literals.first?.comparison else {
                return nil
            }
            return list.literals.allSatisfy { $0.comparison == first } ? first : nil
        // A number that counts seconds is an instant as well.
        case .orderedNumber: return OrderOperator(rawValue: operatorName) == nil ? nil : .order
        case .orderedText: return .textOrder
        case .version: return .version
        case .instant: return .instant
        case .hasAll, .hasElement, .size: return .list
        case .exists, .type, .hasPart, .matches, .inNetwork: return nil
        }
    }
}

extension JSONValue {
    fileprivate var comparison: Condition.Comparison? {
        switch self {
        case .number: .number
        case .string: .text
        case .boolean: .flag
        case .null, .array, .object: nil
        }
    }
}
