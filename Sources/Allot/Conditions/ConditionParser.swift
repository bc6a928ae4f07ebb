import AllotConfiguration

/// Reads GrowthBook's condition language (MongoDB's query style) as a strict profile: what it does not know is an error.
package struct ConditionParser {
    typealias Step = ConditionProblem.Step

    private let segments: SegmentTable
    private var problems: [ConditionProblem] = []

    /// A condition with more tests than this, segments written out, is refused.
    private static let sizeLimit = 10_000

    private init(segments: SegmentTable) {
        self.segments = segments
    }

    /// The condition that `value` describes, and everything that is wrong with it; `nil` if anything is.
    package static func parse(
        _ value: JSONValue, segments: SegmentTable
    ) -> (condition: Condition?, problems: [ConditionProblem]) {
        var parser = ConditionParser(segments: segments)
        let condition = parser.condition(value, [])
        if parser.problems.isEmpty, condition.size > sizeLimit {
            parser.report(
                [], "the condition comes to \(condition.size) tests with its segments; keep it below \(sizeLimit)")
        }
        return (parser.problems.isEmpty ? condition : nil, parser.problems)
    }

    private mutating func report(_ path: [Step], _ message: String, unknown: (name: String, known: [String])? = nil) {
        problems.append(ConditionProblem(path, message, unknownName: unknown))
    }

    // MARK: Conditions on a whole subject or object

    private static let connectives = ["$and", "$or", "$nor", "$not", "$segment"]

    private mutating func condition(_ value: JSONValue, _ path: [Step]) -> Condition {
        guard case .object(let object) = value else {
            report(path, "a condition is a map of attribute names to tests, not \(value.described)")
            return .everyone
        }
        var parts: [Condition] = []
        for member in object.members {
            let here = path + [.key(member.key)]
            switch member.key {
            case "$and": parts.append(.all(conditions(member.value, here)))
            case "$or": parts.append(.any(conditions(member.value, here)))
            case "$nor": parts.append(.not(.any(conditions(member.value, here))))
            case "$not": parts.append(.not(condition(member.value, here)))
            case "$segment": parts.append(segment(member.value, here))
            default:
                if member.key.isEmpty {
                    report(here, "an attribute has no name; write the attribute's name")
                } else if member.key.hasPrefix("$"), !isAttributeTest(member.key, member.value) {
                    reportOperator(member.key, here, known: Self.connectives)
                } else {
                    parts.append(test(of: member.key, member.value, here))
                }
            }
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// An attribute's name may begin with "$" as long as it is no operator's and its test is an operator object.
    private func isAttributeTest(_ key: String, _ value: JSONValue) -> Bool {
        guard Operator(rawValue: key) == nil, case .object(let object) = value, !object.isEmpty else { return false }
        return object.members.allSatisfy { Operator(rawValue: $0.key) != nil }
    }

    private mutating func reportOperator(_ name: String, _ path: [Step], known: [String]) {
        if Operator(rawValue: name) != nil {
            report(
                path,
                "\(name) tests a value and stands below an attribute's name, as in {\"country\": {\"\(name)\": …}}")
        } else if Self.connectives.contains(name) {
            report(
                path, "\(name) joins whole conditions and cannot stand below an attribute's name; write it around them")
        } else {
            report(path, "unknown operator \"\(name)\"", unknown: (name, known))
        }
    }

    private mutating func conditions(_ value: JSONValue, _ path: [Step]) -> [Condition] {
        guard case .array(let elements) = value else {
            report(path, "a list of conditions is wanted here, not \(value.described)")
            return []
        }
        return elements.enumerated().map { condition($1, path + [.index($0)]) }
    }

    private mutating func segment(_ value: JSONValue, _ path: [Step]) -> Condition {
        guard let name = text(value, path, of: "$segment") else { return .everyone }
        if let condition = segments.conditions[name] { return .segment(name, condition) }
        if segments.groups[name] != nil {
            report(
                path, "segment \"\(name)\" is a list of values; use it as {\"attribute\": {\"$inGroup\": \"\(name)\"}}")
        } else {
            report(path, "unknown segment \"\(name)\"", unknown: (name, Array(segments.conditions.keys)))
        }
        return .everyone
    }

    // MARK: Tests of one value

    /// A test of an attribute, or (`nil`) of the value at hand.
    private mutating func test(of attribute: String?, _ value: JSONValue, _ path: [Step]) -> Condition {
        guard case .object(let object) = value, !object.isEmpty else { return equality(attribute, value, path) }
        let operators = object.members.filter { $0.key.hasPrefix("$") }
        if operators.isEmpty { return equality(attribute, value, path) }
        guard operators.count == object.members.count else {
            report(path, "operators and plain members are mixed; use one or the other")
            return .everyone
        }
        let parts = object.members.map { test(of: attribute, $0.key, $0.value, path + [.key($0.key)]) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func equality(
        _ attribute: String?, _ literal: JSONValue, _ path: [Step], isNegated: Bool = false
    ) -> Condition {
        checkNumbers(literal, path)
        let words = (isNegated ? "is not " : "is ") + literal.described(inWords: true)
        return .test(.init(attribute: attribute, predicate: .equals(literal), isNegated: isNegated, words: words))
    }

    private mutating func checkNumbers(_ literal: JSONValue, _ path: [Step]) {
        switch literal {
        case .number(let number) where !number.double.isFinite:
            report(path, "\(number.text) is beyond the range of numbers; write a smaller one")
        case .array(let elements):
            for (index, element) in elements.enumerated() { checkNumbers(element, path + [.index(index)]) }
        case .object(let object):
            for member in object.members { checkNumbers(member.value, path + [.key(member.key)]) }
        default: break
        }
    }

    private mutating func test(of attribute: String?, _ name: String, _ literal: JSONValue, _ path: [Step]) -> Condition
    {
        guard let test = Operator(rawValue: name) else {
            reportOperator(name, path, known: Operator.allCases.map(\.rawValue))
            return .everyone
        }
        func made(_ predicate: Condition.Predicate?, negated: Bool = false) -> Condition {
            guard let predicate else { return .everyone }
            let words = test.words(for: literal)
            return .test(.init(attribute: attribute, predicate: predicate, isNegated: negated, words: words))
        }
        switch test {
        case .equal: return equality(attribute, literal, path)
        case .notEqual: return equality(attribute, literal, path, isNegated: true)
        case .in, .notIn, .inIgnoringCase, .notInIgnoringCase:
            let ignoresCase = test == .inIgnoringCase || test == .notInIgnoringCase
            let set = scalars(literal, path, of: name)
            return made(
                set.map { .isIn($0, ignoringCase: ignoresCase) }, negated: test == .notIn || test == .notInIgnoringCase)
        case .all, .allIgnoringCase:
            return made(elements(literal, path, of: name, ignoringCase: test == .allIgnoringCase))
        case .inGroup, .notInGroup:
            return made(
                group(literal, path, of: name).map { .isIn($0, ignoringCase: false) }, negated: test == .notInGroup)
        case .elementMatch: return made(.hasElement(element(literal, path)))
        case .size: return made(size(literal, path))
        case .exists:
            guard case .boolean(let isWanted) = literal else {
                report(path, "$exists takes true or false, not \(literal.described)")
                return .everyone
            }
            return made(.exists, negated: !isWanted)
        case .type: return made(type(literal, path))
        case .greater, .greaterOrEqual, .less, .lessOrEqual:
            return made(ordered(test.ordering, literal, path, of: name))
        case .versionEqual, .versionNotEqual, .versionGreater, .versionGreaterOrEqual, .versionLess,
            .versionLessOrEqual:
            return made(version(test.ordering, literal, path, of: name), negated: test == .versionNotEqual)
        case .before, .after: return made(instant(test.ordering, literal, path, of: name))
        case .startsWith: return made(text(literal, path, of: name).map { .hasPrefix($0) })
        case .endsWith: return made(text(literal, path, of: name).map { .hasSuffix($0) })
        case .contains: return made(text(literal, path, of: name).map { .contains($0) })
        case .regex, .regexIgnoringCase:
            return made(expression(literal, path, of: name, ignoringCase: test == .regexIgnoringCase))
        case .not: return .not(self.test(of: attribute, literal, path))
        }
    }

    // MARK: Literals

    private mutating func text(_ literal: JSONValue, _ path: [Step], of name: String) -> String? {
        guard case .string(let text) = literal else {
            let fix =
                switch literal {
                case .number, .boolean: "; put it in quotes"
                default: ""
                }
            report(path, "\(name) takes text, not \(literal.described)\(fix)")
            return nil
        }
        return text
    }

    private mutating func scalars(_ literal: JSONValue, _ path: [Step], of name: String) -> [JSONValue]? {
        guard case .array(let elements) = literal else {
            reportNoList(literal, path, of: name)
            return nil
        }
        for (index, element) in elements.enumerated() {
            checkNumbers(element, path + [.index(index)])
            switch element {
            case .array, .object:
                report(
                    path + [.index(index)], "\(name) takes text, numbers, booleans and null, not \(element.described)")
            default: break
            }
        }
        return elements
    }

    private mutating func reportNoList(_ literal: JSONValue, _ path: [Step], of name: String) {
        let fix = if case .object = literal { "" } else { "; write [\(literal.canonicalText)]" }
        report(path, "\(name) takes a list of values, not \(literal.described)\(fix)")
    }

    private mutating func elements(
        _ literal: JSONValue, _ path: [Step], of name: String, ignoringCase: Bool
    ) -> Condition.Predicate? {
        if ignoringCase {
            return scalars(literal, path, of: name).map { elements in
                .hasAll(
                    elements.map {
                        let words = "is \($0.described(inWords: true)) in any case"
                        return .test(
                            .init(
                                attribute: nil, predicate: .isIn([$0], ignoringCase: true), isNegated: false,
                                words: words))
                    })
            }
        }
        guard case .array(let elements) = literal else {
            reportNoList(literal, path, of: name)
            return nil
        }
        return .hasAll(elements.enumerated().map { test(of: nil, $1, path + [.index($0)]) })
    }

    private mutating func group(_ literal: JSONValue, _ path: [Step], of name: String) -> [JSONValue]? {
        guard let group = text(literal, path, of: name) else { return nil }
        if let values = segments.groups[group] { return values }
        if segments.conditions[group] != nil {
            report(path, "segment \"\(group)\" is a condition; use it as {\"$segment\": \"\(group)\"}")
        } else {
            report(path, "unknown group \"\(group)\"", unknown: (group, Array(segments.groups.keys)))
        }
        return nil
    }

    /// Below `$elemMatch`: operators test the element itself, names its members.
    private mutating func element(_ literal: JSONValue, _ path: [Step]) -> Condition {
        guard case .object(let object) = literal, !object.isEmpty else {
            report(path, "$elemMatch takes operators or a condition, not \(literal.described)")
            return .everyone
        }
        let isOperators = object.members.allSatisfy {
            $0.key.hasPrefix("$") && !Self.isConditionLevel($0.key, $0.value)
        }
        return isOperators ? test(of: nil, literal, path) : condition(literal, path)
    }

    /// `$not` stands at both levels: over a condition when it names an attribute, over operators otherwise.
    private static func isConditionLevel(_ key: String, _ value: JSONValue) -> Bool {
        if key == "$not", case .object(let object) = value {
            return object.members.contains { !$0.key.hasPrefix("$") || isConditionLevel($0.key, $0.value) }
        }
        return connectives.contains(key) && key != "$not"
    }

    private mutating func size(_ literal: JSONValue, _ path: [Step]) -> Condition.Predicate? {
        switch literal {
        case .number(let number) where number.decimal.isWhole && !number.decimal.isNegative:
            return .size(test(of: nil, literal, path))
        case .object(let object) where object.members.contains(where: { $0.key.hasPrefix("$") }):
            return .size(test(of: nil, literal, path))
        default:
            report(path, "$size takes a whole number or operators such as {\"$gt\": 2}, not \(literal.described)")
            return nil
        }
    }

    private mutating func type(_ literal: JSONValue, _ path: [Step]) -> Condition.Predicate? {
        let known = Condition.ValueType.allCases.map(\.rawValue)
        guard let name = text(literal, path, of: "$type") else { return nil }
        guard let type = Condition.ValueType(rawValue: name) else {
            report(
                path, "unknown type \"\(name)\"; the types are \(known.joined(separator: ", "))", unknown: (name, known)
            )
            return nil
        }
        return .type(type)
    }

    private mutating func ordered(
        _ ordering: Condition.Ordering, _ literal: JSONValue, _ path: [Step], of name: String
    ) -> Condition.Predicate? {
        switch literal {
        case .number(let number):
            checkNumbers(literal, path)
            return .orderedNumber(ordering, number.double)
        case .string(let text):
            return .orderedText(ordering, text)
        default:
            report(path, "\(name) takes a number or text, not \(literal.described)")
            return nil
        }
    }

    private mutating func version(
        _ ordering: Condition.Ordering, _ literal: JSONValue, _ path: [Step], of name: String
    ) -> Condition.Predicate? {
        let text: String
        switch literal {
        case .string(let literal): text = literal
        case .number(let number): text = number.text
        default:
            report(path, "\(name) takes a version such as \"2.3.0\", not \(literal.described)")
            return nil
        }
        guard Version(Array(text.utf8).span) != nil else {
            report(
                path, "\"\(text)\" is not a version; write it as major.minor.patch without leading zeros, such as 2.3.0"
            )
            return nil
        }
        return .version(ordering, text)
    }

    private mutating func instant(
        _ ordering: Condition.Ordering, _ literal: JSONValue, _ path: [Step], of name: String
    ) -> Condition.Predicate? {
        guard let text = text(literal, path, of: name) else { return nil }
        guard let instant = Instant(text) else {
            report(path, "\"\(text)\" is not an instant; \(Instant.form)")
            return nil
        }
        return .instant(ordering, instant)
    }

    private mutating func expression(
        _ literal: JSONValue, _ path: [Step], of name: String, ignoringCase: Bool
    ) -> Condition.Predicate? {
        guard let pattern = text(literal, path, of: name) else { return nil }
        do {
            return .matches(try RegularExpression(pattern, ignoresCase: ignoringCase))
        } catch {
            report(path, "the pattern is invalid: \(error.reason); patterns follow RE2's syntax")
            return nil
        }
    }
}
