import AllotConfiguration
import AllotCore

/// A predicate with what proofs need of it, which is made once however many audiences use it.
final class PreparedPredicate: Sendable {
    /// The question of a predicate about a single value.
    enum Question: Sendable {
        /// The value equals one of the literals.
        case isAmong(LiteralMembers)
        case exists
        case type(Condition.ValueType)
        case orderedNumber(Condition.Ordering, Double)
        case orderedText(Condition.Ordering, UTF8Key)
        case version(Condition.Ordering, VersionBound)
        case instant(Condition.Ordering, Instant)
        /// The text has one of the parts; the edges are those of beginnings and endings.
        case hasPart(TextPartSet, TextEdges?)
        case matches([RegularExpression])
        case inNetwork(IPNetworkSet)
        /// The value is a list of a certain kind.
        case isOfLists
        /// A predicate that proofs do not use.
        case other
    }

    let question: Question
    /// Whether it is an `$in`, which a list satisfies with any of its elements.
    let isSet: Bool
    /// The literals of ``Question/isAmong(_:)``.
    let literals: LiteralChoice?

    fileprivate init(_ predicate: Condition.Predicate, _ numbers: inout Interner) {
        var choice: LiteralChoice?
        func members(_ literals: [JSONValue]) -> Question {
            let values = literals.map(LiteralValue.init)
            choice = LiteralChoice(values, &numbers)
            return .isAmong(LiteralMembers(values))
        }
        if case .isIn = predicate { isSet = true } else { isSet = false }
        question =
            switch predicate {
            case .equals(.array), .equals(.object), .isIn(_, true): .other
            case .equals(let literal): members([literal])
            case .isIn(let list, false): members(list.literals)
            case .hasAll, .hasElement, .size: .isOfLists
            case .exists: .exists
            case .type(let type): .type(type)
            case .orderedNumber(let ordering, let literal): .orderedNumber(ordering, literal)
            case .orderedText(let ordering, let literal): .orderedText(ordering, UTF8Key(literal))
            case .version(let ordering, let literal): VersionBound(literal).map { .version(ordering, $0) } ?? .other
            case .instant(let ordering, let literal): .instant(ordering, literal)
            case .hasPart(let part, let texts, let ignoringCase):
                .hasPart(
                    TextPartSet(part, texts, ignoringCase: ignoringCase),
                    TextEdges(part, texts, ignoringCase: ignoringCase))
            case .matches(let expressions): .matches(expressions)
            case .inNetwork(let networks): .inNetwork(IPNetworkSet(networks))
            }
        literals = choice
    }

    /// Whether the values that equal a literal satisfy the predicate.
    func passes(_ value: LiteralValue) -> Bool? {
        switch (question, value) {
        case (_, .other), (.other, _): return nil
        case (.isAmong(let members), _): return members.contains(value)
        case (.exists, .missing): return false
        case (.exists, _): return true
        case (.type(let type), .missing): return type == .null
        case (.type(let type), _): return Self.isType(type, value)
        case (_, .missing), (.isOfLists, _): return false
        case (.orderedNumber(let ordering, let literal), .number(let number)):
            return Self.answer(ordering, number, literal)
        case (.orderedNumber(let ordering, let literal), .text(let text)):
            return LiteralValue.number(text).map { Self.answer(ordering, $0, literal) } ?? false
        case (.orderedNumber, .boolean): return false
        case (.orderedText(let ordering, let literal), .text(let text)):
            return Self.answer(ordering, UTF8Key(text), literal)
        case (.version(let ordering, let literal), .text(let text)):
            return VersionBound(text).map { Self.answer(ordering, $0, literal) } ?? false
        case (.instant(let ordering, let literal), .text(let text)):
            return Instant(utf8: Array(text.utf8).span).map { Self.answer(ordering, $0, literal) } ?? false
        case (.hasPart(let parts, _), .text(let text)): return parts.matches(Array(text.utf8).span)
        case (.matches(let expressions), .text(let text)): return expressions.contains { $0.matches(text) }
        case (.inNetwork(let networks), .text(let text)): return networks.contains(Array(text.utf8).span)
        case (.inNetwork, .number), (.inNetwork, .boolean): return false
        default: return nil
        }
    }

    /// Whether the values that equal a literal other than `null` have a type. Text without a type has every type that
    /// it reads as.
    private static func isType(_ type: Condition.ValueType, _ value: LiteralValue) -> Bool? {
        switch (value, type) {
        case (.boolean, .boolean), (.text, .string): true
        case (.boolean, .string), (.number, .string), (.number, .number): nil
        case (.text(let text), .number): LiteralValue.number(text) == nil ? false : nil
        case (.text(let text), .boolean): LiteralValue.flag(text) == nil ? false : nil
        case (.boolean, _), (.number, _), (.text, _): false
        case (.missing, _), (.other, _): nil
        }
    }

    private static func answer<Value: Comparable>(
        _ ordering: Condition.Ordering, _ value: Value, _ literal: Value
    ) -> Bool {
        ordering.accepts(value < literal ? -1 : value == literal ? 0 : 1)
    }
}

extension PreparedPredicate: Hashable {
    static func == (left: PreparedPredicate, right: PreparedPredicate) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// Numbers texts and prepares predicates, so that equal ones are found without comparing their bytes again.
struct Interner: Sendable {
    private var numbers: [UTF8Key: Int] = [:]
    private var texts: [String] = []
    private var predicates: [Condition.Predicate: PreparedPredicate] = [:]

    /// The number of a text; a new one on first use.
    mutating func number(of text: String) -> Int {
        if let number = numbers[UTF8Key(text)] { return number }
        numbers[UTF8Key(text)] = texts.count
        texts.append(text)
        return texts.count - 1
    }

    /// The text with a number.
    func text(of number: Int) -> String { texts[number] }

    /// The one instance for all equal predicates.
    mutating func prepared(_ predicate: Condition.Predicate) -> PreparedPredicate {
        if let known = predicates[predicate] { return known }
        let prepared = PreparedPredicate(predicate, &self)
        predicates[predicate] = prepared
        return prepared
    }
}
