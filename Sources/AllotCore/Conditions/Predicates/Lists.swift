import AllotConfiguration

/// The operators that test the elements of a list, or their number.
enum ListOperator: String, Operator {
    case all = "$all"
    case allIgnoringCase = "$alli"
    case elementMatch = "$elemMatch"
    case size = "$size"

    func words(for literal: JSONValue) -> String {
        switch self {
        case .all, .allIgnoringCase: "has all of \(literal.inWords)\(ending)"
        case .elementMatch: "has an element with \(literal.inWords)"
        case .size: "has a number of elements that is \(literal.inWords)"
        }
    }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        let node = operand.node
        switch self {
        case .all:
            if node.elements?.isEmpty == true {
                reading.warn(node, "$all of nothing \(Self.meaningOfNothing); list values")
            }
            return reading.list(node, of: rawValue).map { .hasAll($0.map { reading.test(of: nil, $0) }) }
        case .allIgnoringCase:
            if let elements = node.elements {
                reading.doubtValues(elements, operand, of: rawValue, meaningOfNothing: Self.meaningOfNothing)
            }
            return reading.scalars(node, of: rawValue).map { .hasAll($0.map(Self.element)) }
        case .elementMatch: return .hasElement(reading.element(node))
        case .size: return reading.size(node)
        }
    }

    private static let meaningOfNothing = "holds for every list"

    private static func element(_ literal: JSONValue) -> Condition {
        let words = MembershipOperator.inIgnoringCase.words(for: .array([literal]))
        return .test(
            .init(attribute: nil, predicate: .isIn([literal], ignoringCase: true), isNegated: false, words: words))
    }
}

extension ConditionReading {
    /// The condition of `$elemMatch`: operators test the element itself, names test its members, and connectives join
    /// either.
    fileprivate mutating func element(_ node: Node) -> Condition {
        guard let members = node.members, !members.isEmpty else {
            report(node, "$elemMatch takes operators or a condition, not \(node.json.described)")
            return .everyone
        }
        return condition(node, ofElement: true)
    }

    fileprivate mutating func size(_ node: Node) -> Condition.Predicate? {
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
}

extension PassingValues {
    /// The most elements of a candidate, and the most of them.
    private static let limit = 50

    /// The lists whose elements meet some conditions; the candidates have the literals of those, together and alone.
    static func lists(_ parts: [Condition]) -> PassingValues {
        let literals = values(namedBy: parts)
        return PassingValues(form: .lists, literals: literals) {
            let all = literals.count <= limit ? [JSONValue.array(literals)] : []
            return all + literals.prefix(limit).map { JSONValue.array([$0]) }
        }
    }

    static func lists(ofSize part: Condition) -> PassingValues {
        let literals = values(namedBy: [part])
        return PassingValues(form: .lists, literals: literals) {
            literals.flatMap { literal -> [JSONValue] in
                guard case .number(let number) = literal, 0...Double(limit) ~= number.double else { return [] }
                let size = Int(number.double)
                return (max(0, size - 1)...min(size + 1, limit)).map { .array(Array(repeating: "other", count: $0)) }
            }
        }
    }

    private static func values(namedBy parts: [Condition]) -> [JSONValue] {
        parts.flatMap(\.tests).flatMap(\.predicate.values.literals)
    }
}

extension ConditionProgram {
    @inline(__always) func hasElement<Listener: ConditionListener>(
        _ index: Int, _ value: AttributeValue, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ listener: inout Listener
    ) -> Bool {
        for element in value.elements where operandHolds(index, values[element], values, bytes, &listener) {
            return true
        }
        return false
    }

    /// Whether each of the conditions up to the end of a node holds for an element.
    @inline(__always) func hasAll<Listener: ConditionListener>(
        _ index: Int, _ node: Node, _ value: AttributeValue, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ listener: inout Listener
    ) -> Bool {
        guard value.kind == .array else { return false }
        var child = index + 1
        while child < Int(node.end) {
            guard hasElement(child, value, values, bytes, &listener) else { return false }
            child = Int(pools.nodes[child].end)
        }
        return true
    }
}
