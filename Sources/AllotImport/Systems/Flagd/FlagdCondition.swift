import AllotConfiguration
import AllotCore

/// Conditions in JsonLogic, with its loose comparisons: `null`, `false`, an empty list and 0 are equal.
struct FlagdCondition {
    struct Answers {
        var yes: Guard
        /// The condition that it is `false`, where it may also be `null`; `nil` if it is false where it is not true.
        var no: Guard?
        var size = (yes: 1, no: 1)

        static let null = Answers(yes: .never, no: .never)

        var isFalse: Guard { no ?? .not(yes) }
    }

    let flagKey: String

    /// The limit of the tests of a condition. Operators that use an operand several times exceed any machine.
    private static let sizeLimit = 100_000

    private func joined(
        _ size: (yes: Int, no: Int), of parts: [PayloadNode], _ answers: () -> (yes: Guard, no: Guard?)
    ) throws(ImportProblem) -> Answers {
        guard size.yes + size.no <= Self.sizeLimit else {
            throw ImportProblem(
                parts.first?.path ?? .root,
                "the condition that begins here would have more than \(Self.sizeLimit) tests")
        }
        let (yes, no) = answers()
        return Answers(yes: yes, no: no, size: size)
    }

    /// The number of tests where each part stands together with all before it.
    private static func size(ofChain parts: [Answers], _ own: (Answers) -> Int) -> Int {
        var (size, before) = (0, 0)
        for part in parts {
            size += before + own(part)
            before += part.size.yes
        }
        return size
    }

    func answers(to node: PayloadNode) throws(ImportProblem) -> Answers {
        guard node.value.isOperation else { return Answers(yes: node.value.isTruthy ? .always : .never) }
        let (name, arguments) = try FlagdTargeting.operation(node)
        switch name {
        case "var": return Answers(yes: try operand(node).passes { FlagdTest($0).isTrue } ?? .always)
        case "!", "!!":
            let answers = try arguments.first.map(answers(to:)) ?? Answers(yes: .never)
            return Answers(
                yes: name == "!" ? .not(answers.yes) : answers.yes, size: (answers.size.yes, answers.size.yes))
        case "and": return try conjunction(arguments)
        case "or": return try disjunction(arguments)
        case "if", "?:": return try choice(arguments)
        case "==", "!=", "===", "!==": return try equality(name, arguments, node)
        case "<", "<=", ">", ">=": return try comparison(name, arguments, node)
        case "in": return try membership(arguments, node)
        case "starts_with": return try part("$startsWith", arguments, node)
        case "ends_with": return try part("$endsWith", arguments, node)
        case "sem_ver": return try version(arguments, node)
        case "missing": return try missing(arguments)
        default: throw node.problem("the operator \(QuotedText(name)) cannot be moved")
        }
    }

    private func conjunction(_ arguments: [PayloadNode]) throws(ImportProblem) -> Answers {
        let parts = try arguments.map(answers(to:))
        guard !parts.isEmpty else { return .null }
        let size = (yes: parts.reduce(0) { $0 + $1.size.yes }, no: Self.size(ofChain: parts, \.size.no))
        return try joined(size, of: arguments) {
            let all = parts.map(\.yes)
            return (.all(all), .any(parts.indices.map { .all(all[..<$0] + [parts[$0].isFalse]) }))
        }
    }

    private func disjunction(_ arguments: [PayloadNode]) throws(ImportProblem) -> Answers {
        let parts = try arguments.map(answers(to:))
        guard let last = parts.last else { return .null }
        let size = parts.reduce(0) { $0 + $1.size.yes }
        return try joined((size, size + last.size.no), of: arguments) {
            (.any(parts.map(\.yes)), .all(parts.dropLast().map { .not($0.yes) } + [last.isFalse]))
        }
    }

    /// `if`: pairs of a condition and what it gives, and what all others get.
    private func choice(_ arguments: [PayloadNode]) throws(ImportProblem) -> Answers {
        let parts = try arguments.map(answers(to:))
        let size = Self.size(ofChain: parts, \.size.yes)
        return try joined((size, size), of: arguments) {
            var before: [Guard] = []
            var alternatives: [Guard] = []
            for index in stride(from: 0, to: parts.count - 1, by: 2) {
                alternatives.append(.all(before + [parts[index].yes, parts[index + 1].yes]))
                before.append(.not(parts[index].yes))
            }
            if parts.count % 2 == 1 { alternatives.append(.all(before + [parts[parts.count - 1].yes])) }
            return (alternatives.isEmpty ? .never : .any(alternatives), nil)
        }
    }

    private func operand(_ node: PayloadNode) throws(ImportProblem) -> FlagdOperand {
        try FlagdOperand(node, flagKey: flagKey)
    }

    private func pair(
        _ arguments: [PayloadNode], _ node: PayloadNode
    ) throws(ImportProblem) -> (operand: FlagdOperand, literal: JSONValue, isSwapped: Bool) {
        guard arguments.count >= 2 else { throw node.problem("two values are compared here") }
        switch (try operand(arguments[0]), try operand(arguments[1])) {
        case (let left, .literal(let value)): return (left, value, false)
        case (.literal(let value), let right): return (right, value, true)
        default: throw node.problem("Allot's conditions compare an attribute with a fixed value, not with another one")
        }
    }

    private func equality(
        _ name: String, _ arguments: [PayloadNode], _ node: PayloadNode
    ) throws(ImportProblem) -> Answers {
        let (operand, literal, _) = try pair(arguments, node)
        if case .timestamp = operand { throw node.problem("the time cannot be compared for equality") }
        let isStrict = name.count == 3
        guard
            let equal = operand.passes({
                isStrict ? FlagdTest($0).isIdentical(to: literal) : FlagdTest($0).isEqual(to: literal)
            })
        else { throw node.problem("a comparison with \(literal.described) cannot be moved exactly") }
        return Answers(yes: name.hasPrefix("!") ? .not(equal) : equal)
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
        let orders = isSwapped ? [">": "lt", ">=": "lte", "<": "gt"] : ["<": "lt", "<=": "lte", ">": "gt"]
        let order = orders[name] ?? "gte"
        guard let number = literal.asNumber ?? literal.boolean.map({ JSONNumber($0 ? 1 : 0) }) else {
            throw node.problem("only comparisons with numbers can be moved exactly, not with \(literal.described)")
        }
        guard let holds = operand.passes({ FlagdTest($0).compares("$\(order)", number) }) else {
            return Answers(yes: try period(order, number.double, node))
        }
        return Answers(yes: holds)
    }

    /// The condition that the time, in whole seconds, compares so.
    private func period(_ order: String, _ limit: Double, _ node: PayloadNode) throws(ImportProblem) -> Guard {
        guard abs(limit) < 1e11 else { throw node.problem("the time \(limit) is out of range") }
        let least = Instant(seconds: Int64(limit.rounded(.up)))
        let after = Instant(seconds: Int64(limit.rounded(.down)) + 1)
        // The first whole second from the limit on, and the first after it.
        return .time(order, least, next: after)
    }

    private func membership(_ arguments: [PayloadNode], _ node: PayloadNode) throws(ImportProblem) -> Answers {
        guard arguments.count >= 2 else { return Answers(yes: .never) }
        switch (try operand(arguments[0]), try operand(arguments[1])) {
        case (.timestamp, _), (_, .timestamp): break
        case (let operand, .literal(.array(let values))):
            guard let holds = operand.passes({ FlagdTest($0).isOne(of: values) }) else {
                throw node.problem("a list that contains lists or objects cannot be moved")
            }
            return Answers(yes: holds)
        case (.literal(.string(let text)), let operand):
            guard let holds = operand.passes({ FlagdTest($0).contains(text) }) else { break }
            return Answers(yes: holds)
        case (_, .literal(let value)) where !value.isText: return Answers(yes: .never)
        default: break
        }
        throw node.problem("only a fixed text in an attribute, or an attribute in a fixed list, can be moved")
    }

    private func part(
        _ name: String, _ arguments: [PayloadNode], _ node: PayloadNode
    ) throws(ImportProblem) -> Answers {
        guard arguments.count == 2 else { return .null }
        let operand = try operand(arguments[0])
        guard case .literal(let literal) = try self.operand(arguments[1]) else {
            throw node.problem("only a fixed text can be searched for")
        }
        guard case .string = literal else { return .null }
        guard let yes = operand.passes({ .test($0, [name: literal]) }),
            let no = operand.passes({ .test($0, ["$type": "string", "$not": [name: literal]]) })
        else { return .null }
        return Answers(yes: yes, no: no)
    }

    private func missing(_ arguments: [PayloadNode]) throws(ImportProblem) -> Answers {
        var names = arguments
        if let first = arguments.first, case .array = first.value { names = try first.elements() }
        var alternatives: [JSONValue] = []
        for name in names {
            let attribute = try name.attributeName()
            alternatives += [.test(attribute, ["$exists": false]), .test(attribute, ["$eq": ""])]
        }
        return Answers(yes: .condition(.any(alternatives)))
    }

    private func version(_ arguments: [PayloadNode], _ node: PayloadNode) throws(ImportProblem) -> Answers {
        guard arguments.count == 3, case .literal(let literal) = try operand(arguments[2]) else {
            throw node.problem("sem_ver can be moved where it compares an attribute with a fixed version")
        }
        let operand = try operand(arguments[0])
        switch operand {
        case .literal(.number), .attribute(_, fallback: .number):
            throw arguments[0].problem("flagd reads the digits of a number as a version; write the version as text")
        default: break
        }
        let name = try arguments[1].text()
        func passes(_ version: FlagdVersion, _ change: (JSONValue) -> JSONValue) -> Guard? {
            operand.passes { attribute in
                version.test(attribute, name).map { JSONValue.all([version.isVersion(attribute), change($0)]) }
            }
        }
        guard let version = FlagdVersion(literal), version.test("", name) != nil, let yes = passes(version, { $0 }),
            let no = passes(version, JSONValue.not)
        else { return .null }
        return Answers(yes: yes, no: no)
    }
}

/// A version that `sem_ver` compares with: Semantic Versioning, with "v" and with numbers left out.
struct FlagdVersion {
    private let text: String
    private let numbers: [Int]

    init?(_ literal: JSONValue) {
        var text: String
        switch literal {
        case .string(let string): text = string
        case .number(let number): text = number.text
        default: return nil
        }
        if text.hasPrefix("v") || text.hasPrefix("V") { text.removeFirst() }
        guard !text.hasPrefix("v"), let version = Version(Array(text.utf8).span), version.numberCount <= 3 else {
            return nil
        }
        self.text = text
        let core = text.prefix { $0 != "-" && $0 != "+" }
        var numbers = core.split(separator: ".").compactMap { Int($0) }
        guard numbers.count == version.numberCount, numbers.allSatisfy({ $0 < Int.max }) else { return nil }
        while numbers.count < 3 { numbers.append(0) }
        self.numbers = numbers
    }

    /// The condition that an attribute is a version for flagd; Allot's versions may have more numbers.
    func isVersion(_ attribute: String) -> JSONValue {
        .test(attribute, ["$vgte": "0.0.0-0", "$regex": "^v?[0-9]+(\\.[0-9]+){0,2}([-+]|$)"])
    }

    private static let operators = ["=": "$veq", "!=": "$vne", "<": "$vlt", "<=": "$vlte", ">": "$vgt", ">=": "$vgte"]

    func test(_ attribute: String, _ name: String) -> JSONValue? {
        // A pre-release of the next number is the first version that has it.
        func between(_ lower: String, _ upper: String) -> JSONValue {
            .test(attribute, ["$vgte": .string(lower + ".0-0"), "$vlt": .string(upper + ".0-0")])
        }
        return switch name {
        case "^": between("\(numbers[0]).0", "\(numbers[0] + 1).0")
        case "~": between("\(numbers[0]).\(numbers[1])", "\(numbers[0]).\(numbers[1] + 1)")
        default: Self.operators[name].map { .test(attribute, [$0: .string(text)]) }
        }
    }
}
