import AllotConfiguration

/// All conditions of a plan, compiled: nodes in preorder and pools of literals, all of them plain arrays.
struct ConditionProgram: Sendable {
    /// One connective or test. Trivial, so that walking the nodes counts no references.
    struct Node: Sendable {
        var kind: Kind
        var ordering: Condition.Ordering = .equal
        var isNegated = false
        /// An attribute's index, or -1 for the value at hand, or -2 - *n* for the relative path *n* below it.
        var attribute: Int32 = -1
        /// The index behind this node's last descendant.
        var end: Int32 = 0
        /// An index into the pool of the kind.
        var operand: Int32 = 0
        /// A number literal.
        var number: Double = 0
    }

    enum Kind: UInt8, Sendable {
        // Connectives over the nodes up to `end`.
        case all, any, not, segment
        // Tests of one value; the first three have the nodes up to `end` as their operand.
        case hasElement, hasAll, size
        case equalsNull, equalsBoolean, equalsNumber, equalsText, equalsValue
        case isInSet, isInFoldedSet, exists, isType
        case number, text, version, instant, hasPrefix, hasSuffix, contains, matches
    }

    /// The members of an `$in`, by type.
    struct LiteralSet: Sendable {
        var texts = ByteTable([])
        var foldedTexts = FoldedTextSet([])
        var numbers: [Double] = []
        var holdsTrue = false
        var holdsFalse = false
        var holdsNull = false
    }

    /// A text literal's place in ``bytes``.
    struct TextRange: Sendable {
        let start: Int
        let end: Int
    }

    private(set) var nodes: [Node] = []
    private(set) var bytes: [UInt8] = []
    private(set) var texts: [TextRange] = []
    private(set) var sets: [LiteralSet] = []
    private(set) var versions: [Version] = []
    private(set) var instants: [Instant] = []
    private(set) var expressions: [RegularExpression] = []
    private(set) var values: [JSONValue] = []
    private(set) var types: [Condition.ValueType] = []
    private(set) var relativePaths: [[[UInt8]]] = []
    /// For each node what it tests, for explanations.
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
                relativePaths.append(name.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) })
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
                operand: Self.enter(LiteralSet(literals, ignoringCase: ignoringCase), in: &sets))
        case .hasAll: Node(kind: .hasAll)
        case .hasElement: Node(kind: .hasElement)
        case .size: Node(kind: .size)
        case .exists: Node(kind: .exists)
        case .type(let type): Node(kind: .isType, operand: Self.enter(type, in: &types))
        case .orderedNumber(let ordering, let literal): Node(kind: .number, ordering: ordering, number: literal)
        case .orderedText(let ordering, let literal): Node(kind: .text, ordering: ordering, operand: enter(literal))
        case .version(let ordering, let literal): Node(kind: .version, ordering: ordering, operand: enter(version: literal))
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
        return Self.enter(TextRange(start: start, end: bytes.count), in: &texts)
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

/// What a node asks, in words.
struct ConditionWords: Sendable {
    /// The attribute that is tested; `nil` for a connective.
    let attribute: String?
    let text: String

    init(_ text: String, attribute: String? = nil) {
        self.text = text
        self.attribute = attribute
    }
}

extension ConditionProgram.LiteralSet {
    init(_ literals: [JSONValue], ignoringCase: Bool) {
        var texts: [[UInt8]] = []
        for literal in literals {
            switch literal {
            case .string(let text): texts.append(Array(text.utf8))
            case .number(let number): numbers.append(number.double)
            case .boolean(true): holdsTrue = true
            case .boolean(false): holdsFalse = true
            case .null: holdsNull = true
            case .array, .object: break
            }
        }
        numbers.sort()
        if ignoringCase {
            foldedTexts = FoldedTextSet(texts)
        } else {
            self.texts = ByteTable(texts.map { ($0, 0) })
        }
    }
}
