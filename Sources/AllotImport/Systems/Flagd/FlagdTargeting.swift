import Allot
import AllotConfiguration

/// Targeting of flagd, JsonLogic whose result is the name of a variant, as alternatives of which the first that holds
/// decides.
struct FlagdTargeting {
    /// What an alternative gives.
    enum Leaf {
        /// `null`: the default variant.
        case noVariant
        case variant(String)
        case fractional(Draw, [(variant: String?, buckets: Range<Int>)])
    }

    let flagKey: String

    /// The alternatives of an expression, of which one holds for every unit.
    func branches(of node: PayloadNode) throws(ImportProblem) -> [(condition: Guard, leaf: Leaf)] {
        switch node.value {
        case .null: return [(.always, .noVariant)]
        case .boolean(let flag): return [(.always, .variant("\(flag)"))]
        case .string(let name): return [(.always, .variant(name))]
        case .number(let number) where number.isWrittenAsInteger: return [(.always, .variant(number.text))]
        case .object(let object) where object.members.count == 1: break
        default: throw node.problem("the result of targeting is the name of a variant")
        }
        let (name, arguments) = try Self.operation(node)
        switch name {
        case "if", "?:": return try choice(arguments)
        case "fractional": return [(.always, try fractional(node, arguments))]
        default:
            guard Self.isBoolean(node) else {
                throw node.problem("the result of \(QuotedText(name)) is not a variant's name that is known beforehand")
            }
            let answers = try FlagdCondition(flagKey: flagKey).answers(to: node)
            return [
                (answers.yes, .variant("true")), (answers.no ?? .always, .variant("false")), (.always, .noVariant),
            ]
        }
    }

    /// Whether the value of an expression is true, false or `null`, and not one of its operands.
    private static func isBoolean(_ node: PayloadNode) -> Bool {
        if case .boolean = node.value { return true }
        guard case .object = node.value, let (name, arguments) = try? operation(node) else { return false }
        switch name {
        case "==", "!=", "===", "!==", "<", "<=", ">", ">=", "!", "!!", "in", "starts_with", "ends_with", "sem_ver":
            return true
        case "and", "or": return !arguments.isEmpty && arguments.allSatisfy(isBoolean)
        default: return false
        }
    }

    /// The operator of an expression and its arguments.
    static func operation(_ node: PayloadNode) throws(ImportProblem) -> (name: String, arguments: [PayloadNode]) {
        let members = try node.members()
        guard members.count == 1 else { throw node.problem("an operation of JsonLogic has one name") }
        if case .array = members[0].value.value { return (members[0].key, try members[0].value.elements()) }
        return (members[0].key, [members[0].value])
    }

    private func choice(_ arguments: [PayloadNode]) throws(ImportProblem) -> [(condition: Guard, leaf: Leaf)] {
        var branches: [(condition: Guard, leaf: Leaf)] = []
        var rest = arguments[...]
        while rest.count > 1 {
            let condition = try FlagdCondition(flagKey: flagKey).answers(to: rest[rest.startIndex]).yes
            for branch in try self.branches(of: rest[rest.startIndex + 1]) {
                branches.append((.all([condition, branch.condition]), branch.leaf))
            }
            rest = rest.dropFirst(2)
        }
        guard let last = rest.first else { return branches + [(.always, .noVariant)] }
        return try branches + self.branches(of: last)
    }

    // MARK: Fractions

    private func fractional(_ node: PayloadNode, _ arguments: [PayloadNode]) throws(ImportProblem) -> Leaf {
        if let first = arguments.first {
            guard case .array = first.value else {
                throw first.problem(
                    "this fractional hashes a text of its own; only the short form, which hashes the flag's key and "
                        + "the targeting key, can be moved")
            }
        }
        var parts: [(variant: String?, weight: Int)] = []
        for argument in arguments {
            guard let part = try part(argument) else { return .noVariant }
            parts.append(part)
        }
        let total = parts.reduce(0) { $0 + $1.weight }
        guard (1...HashScheme.maximumResolution).contains(total) else { return .noVariant }
        guard !flagKey.isEmpty, flagKey.utf8.count <= HashScheme.maximumSaltLength else {
            throw node.problem("a flag's key of more than 1,024 bytes cannot be a salt")
        }
        var start = 0
        var fractions: [(variant: String?, buckets: Range<Int>)] = []
        for part in parts {
            fractions.append((part.variant, start..<start + part.weight))
            start += part.weight
        }
        let draw = Draw(.flagd1, salt: flagKey, unit: FlagdImporter.unit, resolution: total)
        return .fractional(draw, fractions.filter { !$0.buckets.isEmpty })
    }

    /// A variant and its weight. Returns `nil` for what flagd refuses, in which case no variant is chosen.
    private func part(_ node: PayloadNode) throws(ImportProblem) -> (variant: String?, weight: Int)? {
        guard case .array(let elements) = node.value, (1...2).contains(elements.count) else { return nil }
        let all = try node.elements()
        var weight = 1
        if all.count == 2 {
            switch all[1].value {
            case .number(let number) where number.isWrittenAsInteger:
                // So large a number is over the limit of all weights together.
                weight = max(0, min(Int(number.text) ?? Int(Int32.max), Int(Int32.max)))
            case .object: throw all[1].problem("a weight that is computed cannot be moved")
            default: return nil
            }
        }
        switch all[0].value {
        case .string(let name): return (name, weight)
        case .boolean(let flag): return ("\(flag)", weight)
        case .null: return (nil, weight)
        case .number(let number) where number.isWrittenAsInteger: return (number.text, weight)
        default: throw all[0].problem("a variant that is computed cannot be moved")
        }
    }
}
