import Allot
import AllotConfiguration

/// The set of attribute values that satisfy `$eq` of one literal. A further test is true for all of them, for none, or
/// for some; the answer for some is `nil`.
///
/// The number 5 and every text that reads as 5 satisfy the literal `5`. Only that text, typed or not, satisfies `"5"`.
/// A missing attribute satisfies `null`.
enum LiteralValue: Sendable {
    case missing
    case boolean(Bool)
    case number(Double)
    case text(String)
    case other

    init(_ literal: JSONValue) {
        switch literal {
        case .null: self = .missing
        case .boolean(let flag): self = .boolean(flag)
        case .number(let number): self = .number(number.double)
        case .string(let text): self = .text(text)
        case .array, .object: self = .other
        }
    }

    /// Whether these values equal another literal.
    fileprivate func equals(_ literal: JSONValue) -> Bool? {
        switch (self, LiteralValue(literal)) {
        case (.other, _), (_, .other): nil
        case (.missing, .missing): true
        case (.missing, _), (_, .missing): false
        case (.boolean(let left), .boolean(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.text(let left), .text(let right)): UTF8Order.areEqual(left, right)
        case (.text(let text), .number(let number)): Self.number(text) == number
        case (.number(let number), .text(let text)): Self.number(text) == number ? nil : false
        case (.text(let text), .boolean(let flag)), (.boolean(let flag), .text(let text)):
            text.lowercased() == String(flag) ? nil : false
        case (.boolean, .number), (.number, .boolean): false
        }
    }

    fileprivate static func number(_ text: String) -> Double? {
        Double(attributeText: Array(text.utf8).span)
    }
}

extension Condition.Test {
    /// Whether the values that equal a literal pass the test.
    func passes(_ value: LiteralValue) -> Bool? {
        let answer = predicate.passes(value)
        return isNegated ? answer.map(!) : answer
    }
}

extension Condition.Predicate {
    fileprivate func passes(_ value: LiteralValue) -> Bool? {
        switch (self, value) {
        case (_, .other): return nil
        case (.equals(let literal), _): return value.equals(literal)
        case (.isIn(let list, false), _):
            let answers = list.literals.map(value.equals)
            return answers.contains(true) ? true : answers.contains(nil) ? nil : false
        case (.exists, .missing): return false
        case (.exists, _): return true
        case (.type(let type), .missing): return type == .null
        case (.type, _), (.isIn, _): return nil
        case (_, .missing): return false
        case (.orderedNumber(let ordering, let literal), .number(let number)):
            return Self.answer(ordering, number, literal)
        case (.orderedNumber(let ordering, let literal), .text(let text)):
            return LiteralValue.number(text).map { Self.answer(ordering, $0, literal) } ?? false
        case (.orderedNumber, .boolean): return false
        case (.orderedText(let ordering, let literal), .text(let text)):
            return Self.answer(ordering, UTF8Key(text), UTF8Key(literal))
        case (.version(let ordering, let literal), .text(let text)):
            guard let literal = VersionBound(literal) else { return nil }
            return VersionBound(text).map { Self.answer(ordering, $0, literal) } ?? false
        case (.instant(let ordering, let literal), .text(let text)):
            return Instant(utf8: Array(text.utf8).span).map { Self.answer(ordering, $0, literal) } ?? false
        case (.hasPart(let part, let literals, let ignoringCase), .text(let text)):
            return TextPartSet(part, literals, ignoringCase: ignoringCase).matches(Array(text.utf8).span)
        case (.matches(let expressions), .text(let text)): return expressions.contains { $0.matches(text) }
        case (.inNetwork(let networks), .text(let text)):
            return IPNetworkSet(networks).contains(Array(text.utf8).span)
        case (.inNetwork, .number), (.inNetwork, .boolean): return false
        case (.hasAll, _), (.hasElement, _), (.size, _): return false
        default: return nil
        }
    }

    private static func answer<Value: Comparable>(
        _ ordering: Condition.Ordering, _ value: Value, _ literal: Value
    ) -> Bool {
        ordering.accepts(value < literal ? -1 : value == literal ? 0 : 1)
    }
}
