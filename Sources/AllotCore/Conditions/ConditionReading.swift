import AllotConfiguration

struct ConditionReading<Node: ConditionNode> {
    let segments: SegmentTable
    lazy var segmentNames = segments.conditions.keys.map(\.text)
    lazy var groupNames = segments.groups.keys.map(\.text)
    private(set) var problems: [ConditionProblem<Node>] = []
    private(set) var hasErrors = false

    init(segments: SegmentTable) { self.segments = segments }

    mutating func report(
        _ node: Node, atKey isAboutKey: Bool = false, _ message: String, unknown: (name: String, known: [String])? = nil
    ) {
        hasErrors = true
        problems.append(
            ConditionProblem(
                node: node, isAboutKey: isAboutKey, isWarning: false, message: message, unknownName: unknown))
    }

    mutating func warn(_ node: Node, atKey isAboutKey: Bool = false, _ message: String) {
        problems.append(
            ConditionProblem(node: node, isAboutKey: isAboutKey, isWarning: true, message: message, unknownName: nil))
    }

    // MARK: Conditions on a whole subject, object or element

    /// - Parameter isElement: Whether the condition is about the element of a list, so that an operator tests the
    ///   element itself.
    mutating func condition(_ node: Node, ofElement isElement: Bool = false) -> Condition {
        guard let members = node.members else {
            report(node, "a condition is a map of attribute names to tests, not \(node.json.described)")
            return .everyone
        }
        if isElement, Self.mixesOperatorsAndNames(members) {
            report(
                node,
                "operators test the element itself and names test its members; use one or the other, or join "
                    + "them with $and")
            return .everyone
        }
        var parts: [Condition] = []
        for (key, value) in members {
            switch Connective(rawValue: key) {
            case .and: parts.append(.all(conditions(value, of: key, ofElement: isElement)))
            case .or: parts.append(.any(conditions(value, of: key, ofElement: isElement)))
            case .nor: parts.append(.not(.any(conditions(value, of: key, ofElement: isElement))))
            case .not: parts.append(.not(negated(value, ofElement: isElement)))
            case .segment: parts.append(segment(value))
            case nil:
                if key.isEmpty {
                    report(value, "an attribute has no name; write the attribute's name")
                } else if !key.hasPrefix("$") || Self.isAttributeTest(key, value) {
                    if !doubtName(key, value) { parts.append(test(of: key, value)) }
                } else if isElement {
                    parts.append(test(of: nil, key, value))
                } else {
                    reportOperator(key, value, known: Connective.allCases.map(\.rawValue))
                }
            }
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// Whether a key that begins with "$" is the name of an attribute: it is not an operator, and its value has only
    /// operators.
    private static func isAttributeTest(_ key: String, _ value: Node) -> Bool {
        guard !Operators.contains(key), let members = value.members, !members.isEmpty else { return false }
        return members.allSatisfy { Operators.contains($0.key) }
    }

    private static func mixesOperatorsAndNames(_ members: [(key: String, value: Node)]) -> Bool {
        let tests = members.filter { Connective(rawValue: $0.key) == nil }
        let operators = tests.filter { Operators.contains($0.key) }
        return !operators.isEmpty && operators.count < tests.count
            && tests.contains { !$0.key.hasPrefix("$") || Self.isAttributeTest($0.key, $0.value) }
    }

    private mutating func reportOperator(_ name: String, _ node: Node, known: [String]) {
        if Operators.contains(name) {
            report(
                node,
                "\(name) tests a value and belongs below an attribute's name, as in {\"country\": {\"\(name)\": …}}")
        } else if Connective(rawValue: name) != nil {
            report(
                node,
                "\(name) joins whole conditions and is not allowed below an attribute's name; write it around them")
        } else {
            report(node, atKey: true, "unknown operator \(QuotedText(name))", unknown: (name, known))
        }
    }

    /// The conditions that a connective joins, of which there should be some, each with a test.
    private mutating func conditions(_ node: Node, of name: String, ofElement isElement: Bool) -> [Condition] {
        guard let elements = node.elements else {
            report(node, "expected a list of conditions, not \(node.json.described)")
            return []
        }
        if elements.isEmpty {
            let result = name == Connective.nor.rawValue ? "no unit" : "everyone"
            warn(node, "an empty \(name) holds for \(result), as in GrowthBook; list conditions, or leave \(name) out")
        }
        for element in elements where element.members?.isEmpty == true {
            warn(element, "an empty condition holds for everyone; write a test, or remove it")
        }
        return elements.map { condition($0, ofElement: isElement) }
    }

    /// The condition below `$not`. That of an element may be a plain value.
    private mutating func negated(_ node: Node, ofElement isElement: Bool) -> Condition {
        let isValue = isElement && node.members?.isEmpty ?? true
        return isValue ? test(of: nil, node) : condition(node, ofElement: isElement)
    }

    private mutating func segment(_ node: Node) -> Condition {
        guard let name = text(node, of: "$segment") else { return .everyone }
        if let condition = segments.conditions[UTF8Key(name)] { return .segment(name, condition) }
        if segments.groups[UTF8Key(name)] != nil {
            report(
                node,
                "segment \(QuotedText(name)) is a list of values; use it as "
                    + "{\"attribute\": {\"$inGroup\": \(QuotedText(name))}}")
        } else {
            report(node, "unknown segment \(QuotedText(name))", unknown: (name, segmentNames))
        }
        return .everyone
    }

    // MARK: Tests of one value

    /// A test of an attribute, or (`nil`) of the current value: the element of a list, say.
    mutating func test(of attribute: String?, _ node: Node) -> Condition {
        let members = node.members ?? []
        let operators = members.filter { $0.key.hasPrefix("$") }
        if operators.isEmpty {
            return condition(EqualityOperator.equal, .init(node: node, attribute: attribute, isBare: true))
        }
        guard operators.count == members.count else {
            report(node, "operators and plain members are mixed; use one or the other")
            return .everyone
        }
        let parts = members.map { test(of: attribute, $0.key, $0.value) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    mutating func test(of attribute: String?, _ name: String, _ node: Node) -> Condition {
        if let test = Operators[name] { return condition(test, .init(node: node, attribute: attribute)) }
        if name == Connective.not.rawValue { return .not(self.test(of: attribute, node)) }
        reportOperator(name, node, known: Operators.names)
        return .everyone
    }

    private mutating func condition(_ test: some Operator, _ operand: Operand<Node>) -> Condition {
        guard let predicate = test.predicate(operand, &self) else { return .everyone }
        let literal = operand.node.json
        return .test(
            .init(
                attribute: operand.attribute, predicate: predicate, isNegated: test.isNegation(of: literal),
                operatorName: test.rawValue, words: test.words(for: literal)))
    }
}
