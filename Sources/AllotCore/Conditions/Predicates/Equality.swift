import AllotConfiguration

/// The operators that compare a value as a whole. A value without an operator is compared by the first.
enum EqualityOperator: String, Operator {
    case equal = "$eq"
    case notEqual = "$ne"

    var isNegation: Bool { self == .notEqual }
    func words(for literal: JSONValue) -> String { "\(verb) \(literal.inWords)" }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        let node = operand.node
        reading.checkNumbers(node)
        if let members = node.members {
            reading.doubtObject(members, operand)
        } else if let elements = node.elements {
            reading.doubtList(node, elements, of: operand.attribute)
        } else {
            reading.doubtScalar(node, of: operand.attribute)
            reading.doubtGroup(node, of: operand.attribute)
            reading.doubtNumber(node, of: operand.attribute, fix: versions(node))
        }
        return .equals(node.json)
    }
}

extension ConditionReading {
    fileprivate mutating func doubtObject(_ members: [(key: String, value: Node)], _ operand: Operand<Node>) {
        let (node, attribute) = (operand.node, operand.attribute)
        if doubtDepth(node, path: attribute.map { [$0] } ?? []) { return }
        let named = members.map { (member: $0, test: Operators.name($0.key)) }
        if operand.isBare, let first = named.first,
            named.allSatisfy({ entry in entry.test.map { isOperand(entry.member.value, of: $0) } ?? false })
        {
            report(
                first.member.value, atKey: true,
                "\(first.member.key) is read as a member of an object; write \(first.test ?? "") for the operator")
            return
        }
        guard let attribute else { return }
        guard let first = members.first else {
            warn(node, "\(attribute) is compared with an object without members; write a test, such as $exists: true")
            return
        }
        let names = "test members by name, as in \(attribute).\(first.key): …"
        let fix = named.first?.test.map { ", or write \($0) for the operator" } ?? ""
        warn(node, "\(attribute) is compared with this whole object, every member included; \(names)\(fix)")
    }

    fileprivate mutating func doubtList(_ node: Node, _ elements: [Node], of attribute: String?) {
        if doubtDepth(node, path: attribute.map { [$0] } ?? []) { return }
        guard let attribute else { return }
        warn(
            node,
            elements.isEmpty
                ? "\(attribute) is compared with an empty list; write $size: 0 for a list, or list values below $in"
                : "\(attribute) is compared with this whole list, in this order; write $in for any of the values, or "
                    + "$all for each of them")
    }

    /// Reports operators inside of a literal. Returns whether there are any.
    private mutating func doubtDepth(_ node: Node, path: [String]) -> Bool {
        var found = false
        for element in node.elements ?? [] where doubtDepth(element, path: []) { found = true }
        for (key, value) in node.members ?? [] {
            if key.hasPrefix("$") {
                found = true
                let place = path.joined(separator: ".")
                report(
                    value, atKey: true,
                    "\(key) is inside of a value that is compared as a whole, where it is not an operator; write "
                        + (path.isEmpty ? "$elemMatch for the elements of a list" : "\(place): { \(key): … }"))
            } else if doubtDepth(value, path: path.isEmpty ? [] : path + [key]) {
                found = true
            }
        }
        return found
    }
}

extension PassingValues {
    static func equal(to literal: JSONValue) -> PassingValues {
        if case .array = literal { return PassingValues(form: .lists, literals: [literal]) }
        return equal(toAnyOf: [literal], inLists: false)
    }

    static func equal(toAnyOf literals: [JSONValue], ignoringCase: Bool = false, inLists: Bool) -> PassingValues {
        PassingValues(form: .literals(ignoringCase: ignoringCase, inLists: inLists), literals: literals) {
            literals.flatMap { literal -> [JSONValue] in
                guard case .string(let text) = literal else { return [literal] }
                // Text that reads as a number can meet a number.
                let number = JSONNumber(text).map { [JSONValue.number($0)] } ?? []
                return [literal, .string(text.lowercased()), .string(text.uppercased())] + number
            }
        }
    }
}

extension ConditionCompiler {
    mutating func node(equalTo literal: JSONValue) -> ConditionProgram.Node {
        switch literal {
        case .null: Node(kind: .equalsNull)
        case .boolean(let flag): Node(kind: .equalsBoolean, operand: flag ? 1 : 0)
        case .number(let number): Node(kind: .equalsNumber, number: number.double)
        case .string(let text): Node(kind: .equalsText, operand: enter(text))
        case .array, .object: Node(kind: .equalsValue, operand: Self.enter(literal, in: &pools.values))
        }
    }
}
