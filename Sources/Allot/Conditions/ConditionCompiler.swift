import AllotConfiguration

/// Compiles conditions into the nodes and pools of a ``ConditionProgram``.
struct ConditionCompiler {
    typealias Node = ConditionProgram.Node

    private(set) var nodes: [Node] = []
    private(set) var bytes: [UInt8] = []
    private(set) var texts: [ConditionProgram.TextRange] = []
    private(set) var sets: [ConditionProgram.LiteralSet] = []
    private(set) var versions: [Version] = []
    private(set) var instants: [Instant] = []
    private(set) var expressions: [RegularExpression] = []
    private(set) var values: [JSONValue] = []
    private(set) var types: [Condition.ValueType] = []
    private(set) var relativePaths: [[[UInt8]]] = []
    private(set) var words: [ConditionWords] = []

    /// Adds a condition.
    ///
    /// - Returns: the index of its root node.
    mutating func append(_ condition: Condition, attributes: inout AttributeTable) -> Int {
        append(condition, isRelative: false, attributes: &attributes)
    }

    /// - Parameter isRelative: whether names are members of the element at hand, not attributes of the subject.
    private mutating func append(_ condition: Condition, isRelative: Bool, attributes: inout AttributeTable) -> Int {
        let index = nodes.count
        switch condition {
        case .all(let parts):
            push(Node(kind: .all), ConditionWords("all of"))
            for part in parts { _ = append(part, isRelative: isRelative, attributes: &attributes) }
        case .any(let parts):
            push(Node(kind: .any), ConditionWords("any of"))
            for part in parts { _ = append(part, isRelative: isRelative, attributes: &attributes) }
        case .not(let part):
            push(Node(kind: .not), ConditionWords("not"))
            _ = append(part, isRelative: isRelative, attributes: &attributes)
        case .segment(let name, let part):
            push(Node(kind: .segment), ConditionWords("in the segment \(name)"))
            _ = append(part, isRelative: isRelative, attributes: &attributes)
        case .test(let test):
            append(test, isRelative: isRelative, attributes: &attributes)
        }
        nodes[index].end = Int32(nodes.count)
        return index
    }

    private mutating func push(_ node: Node, _ words: ConditionWords) {
        nodes.append(node)
        self.words.append(words)
    }

    private mutating func append(_ test: Condition.Test, isRelative: Bool, attributes: inout AttributeTable) {
        var node = node(for: test.predicate)
        node.isNegated = test.isNegated
        if let name = test.attribute {
            if isRelative {
                relativePaths.append(
                    name.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) })
                node.attribute = Int32(-1 - relativePaths.count)
            } else {
                node.attribute = Int32(attributes.enter(name))
            }
        }
        push(node, ConditionWords(test.words, attribute: test.attribute ?? "the element"))
        switch test.predicate {
        case .hasElement(let part), .size(let part):
            _ = append(part, isRelative: true, attributes: &attributes)
        case .hasAll(let parts):
            for part in parts { _ = append(part, isRelative: true, attributes: &attributes) }
        default: break
        }
    }

    private mutating func node(for predicate: Condition.Predicate) -> Node {
        switch predicate {
        case .equals(.null): Node(kind: .equalsNull)
        case .equals(.boolean(let flag)): Node(kind: .equalsBoolean, operand: flag ? 1 : 0)
        case .equals(.number(let number)): Node(kind: .equalsNumber, number: number.double)
        case .equals(.string(let text)): Node(kind: .equalsText, operand: enter(text))
        case .equals(let value): Node(kind: .equalsValue, operand: Self.enter(value, in: &values))
        case .isIn(let literals, let ignoringCase):
            Node(
                kind: ignoringCase ? .isInFoldedSet : .isInSet,
                operand: Self.enter(ConditionProgram.LiteralSet(literals, ignoringCase: ignoringCase), in: &sets))
        case .hasAll: Node(kind: .hasAll)
        case .hasElement: Node(kind: .hasElement)
        case .size: Node(kind: .size)
        case .exists: Node(kind: .exists)
        case .type(let type): Node(kind: .isType, operand: Self.enter(type, in: &types))
        case .orderedNumber(let ordering, let literal): Node(kind: .number, ordering: ordering, number: literal)
        case .orderedText(let ordering, let literal): Node(kind: .text, ordering: ordering, operand: enter(literal))
        case .version(let ordering, let literal):
            Node(kind: .version, ordering: ordering, operand: enter(version: literal))
        case .instant(let ordering, let literal):
            Node(kind: .instant, ordering: ordering, operand: Self.enter(literal, in: &instants))
        case .hasPrefix(let text): Node(kind: .hasPrefix, operand: enter(text))
        case .hasSuffix(let text): Node(kind: .hasSuffix, operand: enter(text))
        case .contains(let text): Node(kind: .contains, operand: enter(text))
        case .matches(let expression): Node(kind: .matches, operand: Self.enter(expression, in: &expressions))
        }
    }

    private mutating func enter(_ text: String) -> Int32 {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        return Self.enter(ConditionProgram.TextRange(start: start, end: bytes.count), in: &texts)
    }

    /// A version literal; its text and its parts have the same index.
    private mutating func enter(version text: String) -> Int32 {
        let index = enter(text)
        while versions.count <= Int(index) { versions.append(.zero) }
        if let version = Version(Array(text.utf8).span) { versions[Int(index)] = version }
        return index
    }

    private static func enter<Element>(_ element: Element, in pool: inout [Element]) -> Int32 {
        pool.append(element)
        return Int32(pool.count - 1)
    }
}
