import AllotConfiguration

/// Compiles conditions into the nodes and pools of a ``ConditionProgram``.
struct ConditionCompiler {
    private typealias Node = ConditionProgram.Node
    private typealias Words = ConditionProgram.Words

    private struct Membership: Hashable {
        let list: LiteralList
        let ignoresCase: Bool
    }

    private(set) var pools = ConditionProgram.Pools()
    private var sets: [Membership: Int32] = [:]

    /// Adds a condition.
    ///
    /// - Returns: the index of its root node.
    mutating func append(_ condition: Condition, attributes: inout AttributeTable) -> Int {
        append(condition, isRelative: false, attributes: &attributes)
    }

    /// - Parameter isRelative: whether names are members of the current element instead of attributes of the subject.
    private mutating func append(_ condition: Condition, isRelative: Bool, attributes: inout AttributeTable) -> Int {
        let index = pools.nodes.count
        var arePartsRelative = isRelative
        switch condition {
        case .all: push(Node(kind: .all), Words(condition.words))
        case .any: push(Node(kind: .any), Words(condition.words))
        case .not: push(Node(kind: .not), Words(condition.words))
        case .segment: push(Node(kind: .segment), Words(condition.words))
        case .test(let test):
            var node = node(for: test.predicate)
            node.isNegated = test.isNegated
            if let name = test.attribute {
                node.source =
                    isRelative
                    ? .member(Self.enter(AttributePath.parts(of: name).map { Array($0.utf8) }, in: &pools.memberPaths))
                    : .attribute(Int32(attributes.enter(name)))
            }
            push(node, Words(condition.words, attribute: test.subject))
            arePartsRelative = true
        }
        let children = condition.parts.map { append($0, isRelative: arePartsRelative, attributes: &attributes) }
        pools.nodes[index].end = Int32(pools.nodes.count)
        if !pools.nodes[index].kind.isTest, let attribute = commonAttribute(of: children) {
            pools.nodes[index].source = .attribute(Int32(attribute))
        }
        return index
    }

    /// The only attribute that some nodes read. Returns `nil` if there are several, or none.
    private func commonAttribute(of nodes: [Int]) -> Int? {
        guard let first = nodes.first, let attribute = pools.nodes[first].attribute else { return nil }
        return nodes.allSatisfy { pools.nodes[$0].attribute == attribute } ? attribute : nil
    }

    private mutating func push(_ node: Node, _ words: Words) {
        pools.nodes.append(node)
        pools.words.append(words)
    }

    private mutating func node(for predicate: Condition.Predicate) -> Node {
        switch predicate {
        case .equals(.null): Node(kind: .equalsNull)
        case .equals(.boolean(let flag)): Node(kind: .equalsBoolean, operand: flag ? 1 : 0)
        case .equals(.number(let number)): Node(kind: .equalsNumber, number: number.double)
        case .equals(.string(let text)): Node(kind: .equalsText, operand: enter(text))
        case .equals(let value): Node(kind: .equalsValue, operand: Self.enter(value, in: &pools.values))
        case .isIn(let list, let ignoringCase):
            Node(kind: .isIn, operand: enter(Membership(list: list, ignoresCase: ignoringCase)))
        case .hasAll: Node(kind: .hasAll)
        case .hasElement: Node(kind: .hasElement)
        case .size: Node(kind: .size)
        case .exists: Node(kind: .exists)
        case .type(let type): Node(kind: .isType, operand: Self.enter(type, in: &pools.types))
        case .orderedNumber(let ordering, let literal): Node(kind: .number, ordering: ordering, number: literal)
        case .orderedText(let ordering, let literal): Node(kind: .text, ordering: ordering, operand: enter(literal))
        case .version(let ordering, let literal):
            Node(kind: .version, ordering: ordering, operand: enter(version: literal))
        case .instant(let ordering, let literal):
            Node(kind: .instant, ordering: ordering, operand: Self.enter(literal, in: &pools.instants))
        case .hasPart(let part, let texts, let ignoringCase): node(part, texts, ignoringCase: ignoringCase)
        case .matches(let expressions): node(expressions)
        case .inNetwork(let networks):
            Node(kind: .inNetwork, operand: Self.enter(IPNetworkSet(networks), in: &pools.networks))
        }
    }

    /// The test for a part of a text. One literal by its bytes is compared directly.
    private mutating func node(_ part: Condition.TextPart, _ texts: [String], ignoringCase: Bool) -> Node {
        guard texts.count == 1, !ignoringCase else {
            let set = TextPartSet(part, texts, ignoringCase: ignoringCase)
            return Node(kind: .hasAnyPart, operand: Self.enter(set, in: &pools.parts))
        }
        let kind: ConditionProgram.Kind =
            switch part {
            case .prefix: .hasPrefix
            case .suffix: .hasSuffix
            case .anywhere: .contains
            }
        return Node(kind: kind, operand: enter(texts[0]))
    }

    private mutating func node(_ expressions: [RegularExpression]) -> Node {
        let start = pools.expressions.count
        pools.expressions += expressions
        guard expressions.count != 1 else { return Node(kind: .matches, operand: Int32(start)) }
        let range = start..<pools.expressions.count
        return Node(kind: .matchesAny, operand: Self.enter(range, in: &pools.expressionLists))
    }

    private mutating func enter(_ text: String) -> Int32 {
        Self.enter(place(text), in: &pools.texts)
    }

    /// The set of literals; a group that many conditions use is compiled once.
    private mutating func enter(_ membership: Membership) -> Int32 {
        if let index = sets[membership] { return index }
        let index = Self.enter(
            LiteralSet(membership.list.literals, ignoringCase: membership.ignoresCase), in: &pools.sets)
        sets[membership] = index
        return index
    }

    private mutating func enter(version text: String) -> Int32 {
        let version = Version(Array(text.utf8).span) ?? .zero
        return Self.enter(ConditionProgram.VersionLiteral(text: place(text), version: version), in: &pools.versions)
    }

    private mutating func place(_ text: String) -> Range<Int> {
        let start = pools.bytes.count
        pools.bytes.append(contentsOf: text.utf8)
        return start..<pools.bytes.count
    }

    private static func enter<Element>(_ element: Element, in pool: inout [Element]) -> Int32 {
        pool.append(element)
        return Int32(pool.count - 1)
    }
}
