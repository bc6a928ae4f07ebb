import AllotConfiguration
import AllotCore

/// Targeting of flagd, JsonLogic that gives a variant's name, as alternatives of which the first that holds decides.
struct FlagdTargeting {
    indirect enum Leaf {
        /// `null`: the default variant.
        case noVariant
        case variant(String)
        case fractional(Draw, [(leaf: Leaf, buckets: Range<Int>)])
        /// The default variant as well, for all that no alternative before took: no later one is for them.
        case undecided
    }

    let flagKey: String
    let hash: FlagdHash

    /// The alternatives of an expression, of which one holds for every unit.
    func branches(of node: PayloadNode) throws(ImportProblem) -> [(condition: Guard, leaf: Leaf)] {
        switch node.value {
        case .null: return [(.always, .noVariant)]
        case .boolean(let flag): return [(.always, .variant("\(flag)"))]
        case .string(let name): return [(.always, .variant(name))]
        case .number(let number) where number.isWrittenAsInteger: return [(.always, .variant(number.text))]
        case let value where value.isOperation: break
        default: throw node.problem("the result of targeting is the name of a variant")
        }
        let (name, arguments) = try Self.operation(node)
        switch name {
        case "if", "?:": return try choice(arguments)
        case "fractional": return try FlagdFraction(flagKey: flagKey, hash: hash).branches(of: arguments)
        default:
            guard Self.isBoolean(node) else {
                throw node.problem("the result of \(QuotedText(name)) is not a variant's name that is known beforehand")
            }
            let answers = try FlagdCondition(flagKey: flagKey).answers(to: node)
            return [(answers.yes, .variant("true")), (answers.no ?? .always, .variant("false")), (.always, .noVariant)]
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
}
