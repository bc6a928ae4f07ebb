import AllotConfiguration

/// The operators that look for a value, or an element of a list, among literals.
enum MembershipOperator: String, Operator {
    case `in` = "$in"
    case notIn = "$nin"
    case inIgnoringCase = "$ini"
    case notInIgnoringCase = "$nini"

    var isNegation: Bool { self == .notIn || self == .notInIgnoringCase }
    func words(for literal: JSONValue) -> String { "\(verb) one of \(literal.inWords)\(ending)" }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        if let elements = operand.node.elements {
            let meaning = isNegation ? "holds for everyone" : "holds for no unit"
            reading.doubtValues(elements, operand, of: rawValue, meaningOfNothing: meaning)
        }
        return reading.scalars(operand.node, of: rawValue).map { .isIn(LiteralList($0), ignoringCase: ignoresCase) }
    }
}

/// The operators that look for a value, or an element of a list, in a list of the segments file.
enum GroupOperator: String, Operator {
    case inGroup = "$inGroup"
    case notInGroup = "$notInGroup"

    var isNegation: Bool { self == .notInGroup }
    func words(for literal: JSONValue) -> String { "\(verb) in the group \(literal.unquoted)" }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        reading.group(operand.node, of: rawValue).map { .isIn($0, ignoringCase: false) }
    }
}

extension ConditionReading {
    mutating func doubtValues(_ elements: [Node], _ operand: Operand<Node>, of name: String, meaningOfNothing: String) {
        if elements.isEmpty { warn(operand.node, "\(name) of nothing \(meaningOfNothing); list values") }
        for doubt in DoubtfulText.doubts(among: elements, of: operand.attribute) {
            warn(elements[doubt.index], doubt.message)
        }
        if elements.count == 1 { doubtGroup(elements[0], of: operand.attribute) }
        for element in elements { doubtNumber(element, of: operand.attribute, fix: "the versions in quotes") }
    }

    mutating func list(_ node: Node, of name: String) -> [Node]? {
        if let elements = node.elements { return elements }
        var fix = node.members == nil ? "; write [\(node.json.canonicalText)]" : ""
        if case .string(let text) = node.json {
            fix =
                segments.groups[UTF8Key(text)] == nil
                ? "; \(DoubtfulText.listFix(for: text))" : "; for the list \(text) write $inGroup or $notInGroup"
        }
        report(node, "\(name) takes a list of values, not \(node.json.described)\(fix)")
        return nil
    }

    mutating func scalars(_ node: Node, of name: String) -> [JSONValue]? {
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

    fileprivate mutating func group(_ node: Node, of name: String) -> LiteralList? {
        guard let group = text(node, of: name) else { return nil }
        if let values = segments.groups[UTF8Key(group)] { return values }
        if segments.conditions[UTF8Key(group)] != nil {
            report(node, "segment \(QuotedText(group)) is a condition; use it as {\"$segment\": \(QuotedText(group))}")
        } else {
            report(node, "unknown group \(QuotedText(group))", unknown: (group, groupNames))
        }
        return nil
    }
}

extension ConditionCompiler {
    /// The test of a set of literals; a group that many conditions use is compiled once.
    mutating func node(in list: LiteralList, ignoringCase: Bool) -> ConditionProgram.Node {
        let membership = Membership(list: list, ignoresCase: ignoringCase)
        if let index = sets[membership] { return Node(kind: .isIn, operand: index) }
        let index = Self.enter(LiteralSet(list.literals, ignoringCase: ignoringCase), in: &pools.sets)
        sets[membership] = index
        return Node(kind: .isIn, operand: index)
    }
}
