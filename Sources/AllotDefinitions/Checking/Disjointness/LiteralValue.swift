import Allot
import AllotConfiguration

/// A truth value of three-valued logic.
enum Ternary: Sendable {
    case yes, no, unknown

    init(_ isTrue: Bool) {
        self = isTrue ? .yes : .no
    }

    var negated: Ternary {
        switch self {
        case .yes: .no
        case .no: .yes
        case .unknown: .unknown
        }
    }
}

/// The set of attribute values that satisfy `$eq` of one literal. A further test is true for all of them, for none, or
/// for some (`unknown`).
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
    fileprivate func equals(_ literal: JSONValue) -> Ternary {
        switch (self, LiteralValue(literal)) {
        case (.other, _), (_, .other): .unknown
        case (.missing, .missing): .yes
        case (.missing, _), (_, .missing): .no
        case (.boolean(let left), .boolean(let right)): Ternary(left == right)
        case (.number(let left), .number(let right)): Ternary(left == right)
        case (.text(let left), .text(let right)): Ternary(UTF8Order.areEqual(left, right))
        case (.text(let text), .number(let number)): Ternary(Self.number(text) == number)
        case (.number(let number), .text(let text)): Self.number(text) == number ? .unknown : .no
        case (.text(let text), .boolean(let flag)), (.boolean(let flag), .text(let text)):
            text.lowercased() == String(flag) ? .unknown : .no
        case (.boolean, .number), (.number, .boolean): .no
        }
    }

    fileprivate static func number(_ text: String) -> Double? {
        Double(attributeText: Array(text.utf8).span)
    }
}

extension Condition.Test {
    /// Whether the values that equal a literal pass the test.
    func passes(_ value: LiteralValue) -> Ternary {
        let answer = predicate.passes(value)
        return isNegated ? answer.negated : answer
    }
}

extension Condition.Predicate {
    fileprivate func passes(_ value: LiteralValue) -> Ternary {
        switch (self, value) {
        case (_, .other): return .unknown
        case (.equals(let literal), _): return value.equals(literal)
        case (.isIn(let literals, false), _):
            var result = Ternary.no
            for literal in literals {
                switch value.equals(literal) {
                case .yes: return .yes
                case .unknown: result = .unknown
                case .no: break
                }
            }
            return result
        case (.exists, .missing): return .no
        case (.exists, _): return .yes
        case (.type(let type), .missing): return Ternary(type == .null)
        case (.type, _), (.isIn, _): return .unknown
        case (_, .missing): return .no
        case (.orderedNumber(let ordering, let literal), .number(let number)):
            return Self.answer(ordering, number, literal)
        case (.orderedNumber(let ordering, let literal), .text(let text)):
            return LiteralValue.number(text).map { Self.answer(ordering, $0, literal) } ?? .no
        case (.orderedNumber, .boolean): return .no
        case (.orderedText(let ordering, let literal), .text(let text)):
            return Self.answer(ordering, UTF8Key(text), UTF8Key(literal))
        case (.version(let ordering, let literal), .text(let text)):
            guard let literal = VersionBound(literal) else { return .unknown }
            return VersionBound(text).map { Self.answer(ordering, $0, literal) } ?? .no
        case (.instant(let ordering, let literal), .text(let text)):
            return Instant(text).map { Self.answer(ordering, $0, literal) } ?? .no
        case (.hasPrefix(let literal), .text(let text)): return Ternary(text.utf8.starts(with: literal.utf8))
        case (.hasSuffix(let literal), .text(let text)):
            return Ternary(text.utf8.reversed().starts(with: literal.utf8.reversed()))
        case (.contains(let literal), .text(let text)): return Ternary(text.utf8.contains(literal.utf8))
        case (.matches(let expression), .text(let text)): return Ternary(expression.matches(text))
        case (.hasAll, _), (.hasElement, _), (.size, _): return .no
        default: return .unknown
        }
    }

    private static func answer<Value: Comparable>(
        _ ordering: Condition.Ordering, _ value: Value, _ literal: Value
    ) -> Ternary {
        Ternary(ordering.accepts(value < literal ? -1 : value == literal ? 0 : 1))
    }
}
