import AllotConfiguration

extension ConditionProgram {
    enum Kind: UInt8, Sendable {
        // Connectives of the nodes up to `end`.
        case all, any, not, segment
        // Tests of one value. The operands of the first three are the nodes up to `end`.
        case hasElement, hasAll, size
        case equalsNull, equalsBoolean, equalsNumber, equalsText, equalsValue
        case isIn, exists, isType
        case number, text, version, instant, hasPrefix, hasSuffix, contains, matches
        case hasAnyPart, matchesAny, inNetwork

        /// Whether it tests a value, in contrast to a connective.
        var isTest: Bool {
            switch self {
            case .all, .any, .not, .segment: false
            default: true
            }
        }

        /// The reason why a value of a type never passes, for an explanation. Returns `nil` if it can pass.
        func mismatch(_ value: AttributeValue.Kind) -> String? {
            let needsText: Bool
            switch self {
            case .equalsBoolean, .equalsNumber, .equalsText, .number: needsText = false
            case .text, .version, .instant, .hasPrefix, .hasSuffix, .contains, .matches, .hasAnyPart, .matchesAny,
                .inNetwork:
                needsText = true
            case .all, .any, .not, .segment, .hasElement, .hasAll, .size, .equalsNull, .equalsValue, .isIn, .exists,
                .isType:
                return nil
            }
            switch value {
            case .array: return "a list; only $in, $nin, $all, $elemMatch, $size and their kin look into lists"
            case .number, .boolean, .object: return needsText ? "which is not text" : nil
            case .missing, .null, .text, .untyped: return nil
            }
        }
    }
}

extension ConditionCompiler {
    mutating func node(for predicate: Condition.Predicate) -> Node {
        switch predicate {
        case .equals(let literal): node(equalTo: literal)
        case .isIn(let list, let ignoringCase): node(in: list, ignoringCase: ignoringCase)
        case .hasAll: Node(kind: .hasAll)
        case .hasElement: Node(kind: .hasElement)
        case .size: Node(kind: .size)
        case .exists: Node(kind: .exists)
        case .type(let type): Node(kind: .isType, operand: Self.enter(type, in: &pools.types))
        case .orderedNumber(let ordering, let literal): Node(kind: .number, ordering: ordering, number: literal)
        case .orderedText(let ordering, let literal): Node(kind: .text, ordering: ordering, operand: enter(literal))
        case .version(let ordering, let literal): node(ordering, version: literal)
        case .instant(let ordering, let literal):
            Node(kind: .instant, ordering: ordering, operand: Self.enter(literal, in: &pools.instants))
        case .hasPart(let part, let texts, let ignoringCase): node(part, texts, ignoringCase: ignoringCase)
        case .matches(let expressions): node(matching: expressions)
        case .inNetwork(let networks):
            Node(kind: .inNetwork, operand: Self.enter(IPNetworkSet(networks), in: &pools.networks))
        }
    }
}

extension ConditionProgram {
    func passes<Listener: ConditionListener>(
        _ index: Int, _ value: AttributeValue, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ listener: inout Listener
    ) -> Bool {
        let node = pools.nodes[index]
        let operand = Int(node.operand)
        let literalBytes = pools.bytes
        switch node.kind {
        case .isIn:
            guard value.kind == .array else { return pools.sets[operand].contains(value, bytes) }
            for element in value.elements where pools.sets[operand].contains(values[element], bytes) { return true }
            return false
        case .equalsText: return value.isText(equalTo: literalBytes.span.extracting(pools.texts[operand]), in: bytes)
        case .equalsNumber: return value.number(in: bytes) == node.number
        case .equalsBoolean: return value.boolean(in: bytes) == (node.operand == 1)
        case .equalsNull: return value.isAbsent
        case .equalsValue: return value.isEqual(to: pools.values[operand], values, bytes)
        case .exists: return !value.isAbsent
        case .isType: return value.isType(pools.types[operand], in: bytes)
        case .number: return passes(node, number: value, bytes)
        case .instant: return passes(node, instant: value, bytes)
        case .version: return passes(node, version: value, bytes, literalBytes.span)
        case .text, .hasPrefix, .hasSuffix, .contains:
            guard value.isText else { return false }
            let literal = literalBytes.span.extracting(pools.texts[operand])
            return Self.passes(node, bytes.extracting(value.range), literal)
        case .matches: return matches(operand..<operand + 1, value, bytes, &listener)
        case .matchesAny: return matches(pools.expressionLists[operand], value, bytes, &listener)
        case .hasAnyPart: return value.isText && pools.parts[operand].matches(bytes.extracting(value.range))
        case .inNetwork: return value.isText && pools.networks[operand].contains(bytes.extracting(value.range))
        case .hasElement: return hasElement(index + 1, value, values, bytes, &listener)
        case .hasAll: return hasAll(index, node, value, values, bytes, &listener)
        case .size:
            guard value.kind == .array else { return false }
            let count = AttributeValue(.number, number: Double(value.length))
            return operandHolds(index + 1, count, values, bytes, &listener)
        case .all, .any, .not, .segment: return false
        }
    }
}
