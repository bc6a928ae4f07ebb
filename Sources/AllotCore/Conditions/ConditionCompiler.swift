import AllotConfiguration

/// Compiles conditions into the nodes and pools of a ``ConditionProgram``.
struct ConditionCompiler {
    typealias Node = ConditionProgram.Node
    private typealias Words = ConditionProgram.Words

    struct Membership: Hashable {
        let list: LiteralList
        let ignoresCase: Bool
    }

    var pools = ConditionProgram.Pools()
    var sets: [Membership: Int32] = [:]

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

    mutating func enter(_ text: String) -> Int32 { Self.enter(place(text), in: &pools.texts) }

    mutating func place(_ text: String) -> Range<Int> {
        let start = pools.bytes.count
        pools.bytes.append(contentsOf: text.utf8)
        return start..<pools.bytes.count
    }

    static func enter<Element>(_ element: Element, in pool: inout [Element]) -> Int32 {
        pool.append(element)
        return Int32(pool.count - 1)
    }
}
