import Allot
import AllotConfiguration

/// Conditions in JsonLogic, with its loose comparisons: `null`, `false`, an empty list and 0 are equal, and a text that
/// reads as a number is one.
struct FlagdCondition {
    /// When an expression is true and when it is false.
    struct Answers {
        /// When it counts as true.
        var yes: Guard
        /// When it is `false`. It is `null` where neither holds; without this, where it is not true it is false.
        var no: Guard?

        var isNotTrue: Guard { .not(yes) }
        var isFalse: Guard { no ?? isNotTrue }
    }

    let flagKey: String

    /// What is compared.
    enum Operand {
        case literal(JSONValue)
        case attribute(String)
        /// The time in whole seconds since 1970.
        case timestamp
    }

    func answers(to node: PayloadNode) throws(ImportProblem) -> Answers {
        guard case .object(let object) = node.value, object.members.count == 1 else {
            return Answers(yes: FlagdTest.isTrue(node.value) ? .always : .never)
        }
        let (name, arguments) = try FlagdTargeting.operation(node)
        switch name {
        case "var": return Answers(yes: try truth(of: operand(node), node))
        case "!":
            guard let first = arguments.first else { return Answers(yes: .always) }
            return Answers(yes: .not(try answers(to: first).yes))
        case "!!":
            return Answers(yes: try arguments.first.map { n throws(ImportProblem) in try answers(to: n).yes } ?? .never)
        case "and": return try conjunction(arguments)
        case "or": return try disjunction(arguments)
        case "if", "?:": return Answers(yes: try choice(arguments[...]))
        case "==", "!=", "===", "!==": return try equality(name, arguments, node)
        case "<", "<=", ">", ">=": return try comparison(name, arguments, node)
        case "in": return try membership(arguments, node)
        case "starts_with": return try part("$startsWith", arguments, node)
        case "ends_with": return try part("$endsWith", arguments, node)
        case "sem_ver": return try version(arguments, node)
        case "missing": return try missing(arguments, node)
        default: throw node.problem("the operator \(QuotedText(name)) cannot be moved")
        }
    }

    // MARK: Logic

    private func conjunction(_ arguments: [PayloadNode]) throws(ImportProblem) -> Answers {
        var before: [Guard] = []
        var no: [Guard] = []
        for argument in arguments {
            let part = try answers(to: argument)
            no.append(.all(before + [part.isFalse]))
            before.append(part.yes)
        }
        return before.isEmpty ? Answers(yes: .never, no: .never) : Answers(yes: .all(before), no: .any(no))
    }

    private func disjunction(_ arguments: [PayloadNode]) throws(ImportProblem) -> Answers {
        var all: [Answers] = []
        for argument in arguments { all.append(try answers(to: argument)) }
        guard let last = all.last else { return Answers(yes: .never, no: .never) }
        return Answers(
            yes: .any(all.map(\.yes)), no: .all(all.dropLast().map(\.isNotTrue) + [last.isFalse]))
    }

    private func choice(_ arguments: ArraySlice<PayloadNode>) throws(ImportProblem) -> Guard {
        guard let first = arguments.first else { return .never }
        let condition = try answers(to: first).yes
        guard arguments.count > 1 else { return condition }
        let then = try answers(to: arguments[arguments.startIndex + 1]).yes
        return .any([.all([condition, then]), .all([.not(condition), try choice(arguments.dropFirst(2))])])
    }

    // MARK: Operands

    private func operand(_ node: PayloadNode) throws(ImportProblem) -> Operand {
        guard case .object(let object) = node.value, object.members.count == 1 else { return .literal(node.value) }
        let (name, arguments) = try FlagdTargeting.operation(node)
        guard name == "var", arguments.count == 1 else {
            throw node.problem("a value that is computed with \(QuotedText(name)) cannot be compared exactly")
        }
        let path = try arguments[0].text()
        switch path {
        case "$flagd.flagKey": return .literal(.string(flagKey))
        case "$flagd.timestamp": return .timestamp
        default:
            guard !path.hasPrefix("$flagd"),
                !path.split(separator: ".").contains(where: { $0 == "length" || $0.utf8.allSatisfy(\.isDigit) })
            else { throw node.problem("\(QuotedText(path)) is not an attribute that Allot has") }
            return .attribute(try arguments[0].attributeName())
        }
    }

    private func truth(of operand: Operand, _ node: PayloadNode) throws(ImportProblem) -> Guard {
        switch operand {
        case .literal(let value): FlagdTest.isTrue(value) ? .always : .never
        case .attribute(let name): .condition(FlagdTest(name).isTrue)
        case .timestamp: .always
        }
    }

    /// The two operands of a comparison, the attribute first.
    private func pair(
        _ arguments: [PayloadNode], _ node: PayloadNode
    ) throws(ImportProblem) -> (attribute: Operand, literal: JSONValue, isSwapped: Bool) {
        guard arguments.count >= 2 else { throw node.problem("two values are compared here") }
        switch (try operand(arguments[0]), try operand(arguments[1])) {
        case (let left, .literal(let value)): return (left, value, false)
        case (.literal(let value), let right): return (right, value, true)
        default: throw node.problem("Allot's conditions compare an attribute with a fixed value, not with another one")
        }
    }

    // MARK: Comparisons

    private func equality(
        _ name: String, _ arguments: [PayloadNode], _ node: PayloadNode
    ) throws(ImportProblem) -> Answers {
        let (operand, literal, _) = try pair(arguments, node)
        guard case .attribute(let attribute) = operand else {
            throw node.problem("this compares two fixed values, or the time for equality")
        }
        let test = FlagdTest(attribute)
        guard let equal = name.count == 3 && name != "!=" ? test.isIdentical(to: literal) : test.isEqual(to: literal)
        else { throw node.problem("a comparison with \(literal.described) cannot be moved exactly") }
        return Answers(yes: .condition(name.hasPrefix("!") ? ConditionJSON.not(equal) : equal))
    }

    private func comparison(
        _ name: String, _ arguments: [PayloadNode], _ node: PayloadNode
    ) throws(ImportProblem) -> Answers {
        guard arguments.count < 3 || arguments[2].value == .null else {
            // a < x < b
            let (low, high) = (Array(arguments[0...1]), Array(arguments[1...2]))
            return Answers(yes: .all([try comparison(name, low, node).yes, try comparison(name, high, node).yes]))
        }
        let (operand, literal, isSwapped) = try pair(arguments, node)
        let swaps = ["<": ">", ">": "<", "<=": ">=", ">=": "<="]
        let name = isSwapped ? swaps[name] ?? name : name
        let number: JSONNumber
        switch literal {
        case .number(let value): number = value
        case .boolean(let flag): number = JSONNumber(flag ? 1 : 0)
        default: throw node.problem("only comparisons with numbers can be moved exactly, not with \(literal.described)")
        }
        switch operand {
        case .attribute(let attribute): return Answers(yes: .condition(FlagdTest(attribute).compares(name, number)))
        case .timestamp: return Answers(yes: try period(name, number.double, node))
        case .literal: throw node.problem("this compares two fixed values")
        }
    }

    /// When the time, in whole seconds, compares so.
    private func period(_ name: String, _ limit: Double, _ node: PayloadNode) throws(ImportProblem) -> Guard {
        guard abs(limit) < 1e11 else { throw node.problem("the time \(limit) is out of range") }
        let least = Instant(seconds: Int64(limit.rounded(.up)))
        let after = Instant(seconds: Int64(limit.rounded(.down)) + 1)
        return switch name {
        case "<": .period(starts: nil, ends: least)
        case "<=": .period(starts: nil, ends: after)
        case ">": .period(starts: after, ends: nil)
        default: .period(starts: least, ends: nil)
        }
    }

    // MARK: Texts and lists

    private func membership(_ arguments: [PayloadNode], _ node: PayloadNode) throws(ImportProblem) -> Answers {
        guard arguments.count >= 2 else { return Answers(yes: .never) }
        switch (try operand(arguments[0]), try operand(arguments[1])) {
        case (.attribute(let name), .literal(.array(let values))):
            var alternatives: [JSONValue] = []
            for value in values {
                guard let test = FlagdTest(name).isIdentical(to: value) else {
                    throw node.problem("a list that contains \(value.described) cannot be moved")
                }
                alternatives.append(test)
            }
            let texts = values.filter { if case .string = $0 { true } else { false } }
            if texts.count == values.count, !texts.isEmpty {
                alternatives = [.test(name, ["$type": "string", "$in": .array(texts)])]
            }
            return Answers(yes: .condition(ConditionJSON.any(alternatives)))
        case (.literal(.string(let text)), .attribute(let name)):
            return Answers(
                yes: .condition(
                    ConditionJSON.any([
                        .test(name, ["$contains": .string(text)]),
                        .test(name, ["$elemMatch": ["$eq": .string(text)]]),
                    ])))
        case (_, .literal(let value)) where !value.isListOrText: return Answers(yes: .never)
        default: throw node.problem("only a fixed text in an attribute, or an attribute in a fixed list, can be moved")
        }
    }

    private func part(
        _ name: String, _ arguments: [PayloadNode], _ node: PayloadNode
    ) throws(ImportProblem) -> Answers {
        guard arguments.count == 2 else { return Answers(yes: .never, no: .never) }
        guard case .attribute(let attribute) = try operand(arguments[0]),
            case .literal(let literal) = try operand(arguments[1])
        else { throw node.problem("only an attribute can be searched for a fixed text") }
        guard case .string = literal else { return Answers(yes: .never, no: .never) }
        return Answers(
            yes: .condition(.test(attribute, [name: literal])),
            no: .condition(.test(attribute, ["$type": "string", "$not": [name: literal]])))
    }

    private func missing(_ arguments: [PayloadNode], _ node: PayloadNode) throws(ImportProblem) -> Answers {
        var names = arguments
        if let first = arguments.first, case .array = first.value { names = try first.elements() }
        var alternatives: [JSONValue] = []
        for name in names {
            let attribute = try name.attributeName()
            alternatives += [.test(attribute, ["$exists": false]), .test(attribute, ["$eq": ""])]
        }
        return Answers(yes: .condition(ConditionJSON.any(alternatives)))
    }

    private func version(_ arguments: [PayloadNode], _ node: PayloadNode) throws(ImportProblem) -> Answers {
        guard arguments.count == 3, case .attribute(let attribute) = try operand(arguments[0]),
            case .literal(let literal) = try operand(arguments[2])
        else { throw node.problem("sem_ver can be moved where it compares an attribute with a fixed version") }
        guard let version = FlagdVersion(literal) else { return Answers(yes: .never, no: .never) }
        guard let test = version.test(attribute, try arguments[1].text()) else {
            return Answers(yes: .never, no: .never)
        }
        let isVersion = version.isVersion(attribute)
        return Answers(
            yes: .condition(ConditionJSON.all([isVersion, test])),
            no: .condition(ConditionJSON.all([isVersion, ConditionJSON.not(test)])))
    }
}

extension JSONValue {
    fileprivate var isListOrText: Bool {
        switch self {
        case .array, .string: true
        default: false
        }
    }
}
