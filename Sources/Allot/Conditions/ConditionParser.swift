import AllotConfiguration

/// Reads GrowthBook's condition language (MongoDB's query style) as a strict profile: unknown operators are errors.
package enum ConditionParser {
    /// A condition with more tests than this, segments written out, is refused.
    private static let sizeLimit = 10_000

    fileprivate static let connectives = ["$and", "$or", "$nor", "$not", "$segment"]

    /// The condition that a JSON value describes, and everything that is wrong with it; `nil` if anything is.
    package static func parse(
        _ value: JSONValue, segments: SegmentTable
    ) -> (condition: Condition?, problems: [ConditionProblem<JSONValue>]) {
        parse(node: value, segments: segments)
    }

    /// The condition that a value with places describes, and everything that is wrong with it; `nil` if anything is.
    package static func parse<Node: ConditionNode>(
        node: Node, segments: SegmentTable
    ) -> (condition: Condition?, problems: [ConditionProblem<Node>]) {
        var reading = ConditionReading<Node>(segments: segments)
        let condition = reading.condition(node)
        if reading.problems.isEmpty, condition.size > sizeLimit {
            reading.report(
                node, "the condition comes to \(condition.size) tests with its segments; keep it below \(sizeLimit)")
        }
        return (reading.problems.isEmpty ? condition : nil, reading.problems)
    }
}

/// One reading of a condition, and the problems found so far.
private struct ConditionReading<Node: ConditionNode> {
    private let segments: SegmentTable
    private(set) var problems: [ConditionProblem<Node>] = []

    init(segments: SegmentTable) {
        self.segments = segments
    }

    mutating func report(
        _ node: Node, atKey isAboutKey: Bool = false, _ message: String, unknown: (name: String, known: [String])? = nil
    ) {
        problems.append(
            ConditionProblem(node: node, isAboutKey: isAboutKey, message: message, unknownName: unknown))
    }

    // MARK: Conditions on a whole subject or object

    mutating func condition(_ node: Node) -> Condition {
        guard let members = node.members else {
            report(node, "a condition is a map of attribute names to tests, not \(node.json.described)")
            return .everyone
        }
        var parts: [Condition] = []
        for (key, value) in members {
            switch key {
            case "$and": parts.append(.all(conditions(value)))
            case "$or": parts.append(.any(conditions(value)))
            case "$nor": parts.append(.not(.any(conditions(value))))
            case "$not": parts.append(.not(condition(value)))
            case "$segment": parts.append(segment(value))
            default:
                if key.isEmpty {
                    report(value, "an attribute has no name; write the attribute's name")
                } else if key.hasPrefix("$"), !isAttributeTest(key, value) {
                    reportOperator(key, value, known: ConditionParser.connectives)
                } else {
                    parts.append(test(of: key, value))
                }
            }
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// Whether a key that begins with "$" is the name of an attribute: it is not an operator, and its value has only
    /// operators.
    private func isAttributeTest(_ key: String, _ value: Node) -> Bool {
        guard Operator(rawValue: key) == nil, let members = value.members, !members.isEmpty else { return false }
        return members.allSatisfy { Operator(rawValue: $0.key) != nil }
    }

    private mutating func reportOperator(_ name: String, _ node: Node, known: [String]) {
        if Operator(rawValue: name) != nil {
            report(
                node,
                "\(name) tests a value and stands below an attribute's name, as in {\"country\": {\"\(name)\": …}}")
        } else if ConditionParser.connectives.contains(name) {
            report(
                node, "\(name) joins whole conditions and cannot stand below an attribute's name; write it around them")
        } else {
            report(node, atKey: true, "unknown operator \"\(name)\"", unknown: (name, known))
        }
    }

    private mutating func conditions(_ node: Node) -> [Condition] {
        guard let elements = node.elements else {
            report(node, "expected a list of conditions, not \(node.json.described)")
            return []
        }
        return elements.map { condition($0) }
    }

    private mutating func segment(_ node: Node) -> Condition {
        guard let name = text(node, of: "$segment") else { return .everyone }
        if let condition = segments.conditions[name] { return .segment(name, condition) }
        if segments.groups[name] != nil {
            report(
                node, "segment \"\(name)\" is a list of values; use it as {\"attribute\": {\"$inGroup\": \"\(name)\"}}")
        } else {
            report(node, "unknown segment \"\(name)\"", unknown: (name, Array(segments.conditions.keys)))
        }
        return .everyone
    }

    // MARK: Tests of one value

    /// A test of an attribute, or (`nil`) of the current value: the element of a list, say.
    private mutating func test(of attribute: String?, _ node: Node) -> Condition {
        guard let members = node.members, !members.isEmpty else { return equality(attribute, node) }
        let operators = members.filter { $0.key.hasPrefix("$") }
        if operators.isEmpty { return equality(attribute, node) }
        guard operators.count == members.count else {
            report(node, "operators and plain members are mixed; use one or the other")
            return .everyone
        }
        let parts = members.map { test(of: attribute, $0.key, $0.value) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func equality(_ attribute: String?, _ node: Node, isNegated: Bool = false) -> Condition {
        checkNumbers(node)
        let literal = node.json
        let words = (isNegated ? "is not " : "is ") + literal.described(inWords: true)
        return .test(
            .init(
                attribute: attribute, predicate: .equals(literal), isNegated: isNegated,
                operatorName: isNegated ? "$ne" : "$eq", words: words))
    }

    private mutating func checkNumbers(_ node: Node) {
        if let elements = node.elements {
            for element in elements { checkNumbers(element) }
        } else if let members = node.members {
            for member in members { checkNumbers(member.value) }
        } else if case .number(let number) = node.json, !number.double.isFinite {
            report(node, "\(number.text) is beyond the range of numbers; write a smaller one")
        }
    }

    private mutating func test(of attribute: String?, _ name: String, _ node: Node) -> Condition {
        guard let test = Operator(rawValue: name) else {
            reportOperator(name, node, known: Operator.allCases.map(\.rawValue))
            return .everyone
        }
        func made(_ predicate: Condition.Predicate?, negated: Bool = false) -> Condition {
            guard let predicate else { return .everyone }
            let words = test.words(for: node.json)
            return .test(
                .init(
                    attribute: attribute, predicate: predicate, isNegated: negated, operatorName: name, words: words))
        }
        switch test {
        case .equal: return equality(attribute, node)
        case .notEqual: return equality(attribute, node, isNegated: true)
        case .in, .notIn, .inIgnoringCase, .notInIgnoringCase:
            let ignoresCase = test == .inIgnoringCase || test == .notInIgnoringCase
            let set = scalars(node, of: name)
            return made(
                set.map { .isIn(LiteralList($0), ignoringCase: ignoresCase) },
                negated: test == .notIn || test == .notInIgnoringCase)
        case .all, .allIgnoringCase:
            return made(elements(node, of: name, ignoringCase: test == .allIgnoringCase))
        case .inGroup, .notInGroup:
            return made(
                group(node, of: name).map { .isIn($0, ignoringCase: false) }, negated: test == .notInGroup)
        case .elementMatch: return made(.hasElement(element(node)))
        case .size: return made(size(node))
        case .exists:
            guard case .boolean(let isWanted) = node.json else {
                report(node, "$exists takes true or false, not \(node.json.described)")
                return .everyone
            }
            return made(.exists, negated: !isWanted)
        case .type: return made(type(node))
        case .greater, .greaterOrEqual, .less, .lessOrEqual:
            return made(ordered(test.ordering, node, of: name))
        case .versionEqual, .versionNotEqual, .versionGreater, .versionGreaterOrEqual, .versionLess,
            .versionLessOrEqual:
            return made(version(test.ordering, node, of: name), negated: test == .versionNotEqual)
        case .before, .after: return made(instant(test.ordering, node, of: name))
        case .startsWith: return made(text(node, of: name).map { .hasPrefix($0) })
        case .endsWith: return made(text(node, of: name).map { .hasSuffix($0) })
        case .contains: return made(text(node, of: name).map { .contains($0) })
        case .regex, .regexIgnoringCase:
            return made(expression(node, of: name, ignoringCase: test == .regexIgnoringCase))
        case .not: return .not(self.test(of: attribute, node))
        }
    }

    // MARK: Literals

    private mutating func text(_ node: Node, of name: String) -> String? {
        let literal = node.json
        if case .string(let text) = literal { return text }
        let fix =
            switch literal {
            case .number, .boolean: "; put it in quotes"
            default: ""
            }
        report(node, "\(name) takes text, not \(literal.described)\(fix)")
        return nil
    }

    /// The elements of a list; `nil` (and a problem) for anything else.
    private mutating func list(_ node: Node, of name: String) -> [Node]? {
        if let elements = node.elements { return elements }
        let fix = node.members == nil ? "; write [\(node.json.canonicalText)]" : ""
        report(node, "\(name) takes a list of values, not \(node.json.described)\(fix)")
        return nil
    }

    private mutating func scalars(_ node: Node, of name: String) -> [JSONValue]? {
        list(node, of: name)?.map { element in
            checkNumbers(element)
            let literal = element.json
            switch literal {
            case .array, .object:
                report(element, "\(name) takes text, numbers, booleans and null, not \(literal.described)")
            default: break
            }
            return literal
        }
    }

    private mutating func elements(
        _ node: Node, of name: String, ignoringCase: Bool
    ) -> Condition.Predicate? {
        guard ignoringCase else { return list(node, of: name).map { .hasAll($0.map { test(of: nil, $0) }) } }
        return scalars(node, of: name).map { elements in
            .hasAll(
                elements.map {
                    let words = "is \($0.described(inWords: true)) in any case"
                    return .test(
                        .init(
                            attribute: nil, predicate: .isIn([$0], ignoringCase: true), isNegated: false, words: words))
                })
        }
    }

    private mutating func group(_ node: Node, of name: String) -> LiteralList? {
        guard let group = text(node, of: name) else { return nil }
        if let values = segments.groups[group] { return values }
        if segments.conditions[group] != nil {
            report(node, "segment \"\(group)\" is a condition; use it as {\"$segment\": \"\(group)\"}")
        } else {
            report(node, "unknown group \"\(group)\"", unknown: (group, Array(segments.groups.keys)))
        }
        return nil
    }

    /// The condition of `$elemMatch`: operators test the element itself, names test its members.
    private mutating func element(_ node: Node) -> Condition {
        guard let members = node.members, !members.isEmpty else {
            report(node, "$elemMatch takes operators or a condition, not \(node.json.described)")
            return .everyone
        }
        let isOperators = members.allSatisfy { $0.key.hasPrefix("$") && !Self.isConditionLevel($0.key, $0.value) }
        return isOperators ? test(of: nil, node) : condition(node)
    }

    /// Whether a key joins conditions. `$not` does if it contains an attribute's name; else it negates operators.
    private static func isConditionLevel(_ key: String, _ value: Node) -> Bool {
        if key == "$not", let members = value.members {
            return members.contains { !$0.key.hasPrefix("$") || isConditionLevel($0.key, $0.value) }
        }
        return ConditionParser.connectives.contains(key) && key != "$not"
    }

    private mutating func size(_ node: Node) -> Condition.Predicate? {
        let literal = node.json
        switch literal {
        case .number(let number) where number.decimal.isWhole && !number.decimal.isNegative:
            return .size(test(of: nil, node))
        case .object(let object) where object.members.contains(where: { $0.key.hasPrefix("$") }):
            return .size(test(of: nil, node))
        default:
            report(node, "$size takes a whole number or operators such as {\"$gt\": 2}, not \(literal.described)")
            return nil
        }
    }

    private mutating func type(_ node: Node) -> Condition.Predicate? {
        let known = Condition.ValueType.allCases.map(\.rawValue)
        guard let name = text(node, of: "$type") else { return nil }
        guard let type = Condition.ValueType(rawValue: name) else {
            report(
                node, "unknown type \"\(name)\"; the types are \(known.joined(separator: ", "))", unknown: (name, known)
            )
            return nil
        }
        return .type(type)
    }

    private mutating func ordered(
        _ ordering: Condition.Ordering, _ node: Node, of name: String
    ) -> Condition.Predicate? {
        switch node.json {
        case .number(let number):
            checkNumbers(node)
            return .orderedNumber(ordering, number.double)
        case .string(let text):
            return .orderedText(ordering, text)
        default:
            report(node, "\(name) takes a number or text, not \(node.json.described)")
            return nil
        }
    }

    private mutating func version(
        _ ordering: Condition.Ordering, _ node: Node, of name: String
    ) -> Condition.Predicate? {
        let text: String
        switch node.json {
        case .string(let literal): text = literal
        case .number(let number): text = number.text
        default:
            report(node, "\(name) takes a version such as \"2.3.0\", not \(node.json.described)")
            return nil
        }
        guard Version(Array(text.utf8).span) != nil else {
            report(
                node, "\"\(text)\" is not a version; write it as major.minor.patch without leading zeros, such as 2.3.0"
            )
            return nil
        }
        return .version(ordering, text)
    }

    private mutating func instant(
        _ ordering: Condition.Ordering, _ node: Node, of name: String
    ) -> Condition.Predicate? {
        guard let text = text(node, of: name) else { return nil }
        guard let instant = Instant(text) else {
            report(node, "\"\(text)\" \(Instant.fault(of: text))")
            return nil
        }
        return .instant(ordering, instant)
    }

    private mutating func expression(
        _ node: Node, of name: String, ignoringCase: Bool
    ) -> Condition.Predicate? {
        guard let pattern = text(node, of: name) else { return nil }
        do {
            return .matches(try RegularExpression(pattern, ignoresCase: ignoringCase))
        } catch {
            report(node, "the pattern is invalid: \(error.reason); patterns follow RE2's syntax")
            return nil
        }
    }
}
