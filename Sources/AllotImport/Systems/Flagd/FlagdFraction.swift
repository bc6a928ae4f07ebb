import AllotConfiguration
import AllotCore

/// `fractional`: variants by the number that the hash of a text gives.
struct FlagdFraction {
    typealias Branch = (condition: Guard, leaf: FlagdTargeting.Leaf)

    /// A share of the numbers, and the alternatives of units with one of them.
    private struct Part {
        let buckets: Range<Int>
        let branches: [Branch]

        var leaf: FlagdTargeting.Leaf? {
            if branches.count == 1, case .always = branches[0].condition { branches[0].leaf } else { nil }
        }
    }

    let flagKey: String
    let hash: FlagdHash

    /// The number of alternatives of a fractional that may be within another one, which repeats them.
    private static let limit = 2_000

    func branches(of arguments: [PayloadNode]) throws(ImportProblem) -> [Branch] {
        guard let first = arguments.first, first.value != .null else { return [(.always, .noVariant)] }
        var rest = arguments[...]
        var text: FlagdHashedText?
        if case .array = first.value {
            _ = try first.salt(flagKey)
        } else {
            // SDKs that hash plain text take anything but text for the first share, and find it wrong.
            guard hash == .cbor || first.value.isText || first.value.isOperation else { return [(.always, .noVariant)] }
            text = try FlagdHashedText(first, flagKey: flagKey, hash)
            rest.removeFirst()
        }
        guard let (parts, total) = try parts(of: rest) else { return [(.always, .noVariant)] }
        guard parts.reduce(0, { $0 + $1.branches.count }) <= Self.limit else {
            throw first.problem("there are too many combinations of fractionals within each other")
        }
        guard let text else {
            let scheme = hash == .cbor ? HashScheme.flagd1 : .flagd0
            return branches(Draw(scheme, salt: flagKey, unit: FlagdImporter.unit, resolution: total), parts)
        }
        let fixed = text.fixedNumbers(below: total)
        var branches: [Branch] = []
        for part in parts {
            let condition = JSONValue.any(fixed.filter { part.buckets.contains($0.number) }.map(\.condition))
            guard condition != .never else { continue }
            branches += part.branches.map { (.all([.condition(condition), $0.condition]), $0.leaf) }
        }
        guard let draw = text.draw(total) else { return branches }
        return branches
            + self.branches(draw, parts).map { branch in
                guard let isHashed = text.isHashed else { return branch }
                if case .undecided = branch.leaf { return branch }
                return (.all([.condition(isHashed), branch.condition]), branch.leaf)
            }
    }

    private func branches(_ draw: Draw, _ parts: [Part]) -> [Branch] {
        let leaves = parts.compactMap { part in part.leaf.map { (leaf: $0, buckets: part.buckets) } }
        if leaves.count == parts.count { return [(.always, .fractional(draw, leaves)), (.always, .undecided)] }
        return parts.flatMap { part in
            part.branches.map { (.all([.draw(draw, [part.buckets]), $0.condition]), $0.leaf) }
        } + [(.always, .undecided)]
    }

    /// The parts with numbers, and how many numbers there are. Returns `nil` for what flagd refuses.
    private func parts(of arguments: ArraySlice<PayloadNode>) throws(ImportProblem) -> (parts: [Part], total: Int)? {
        var parts: [Part] = []
        var start = 0
        for argument in arguments {
            if argument.value.isOperation { throw argument.problem("a share that is computed cannot be moved") }
            guard case .array(let elements) = argument.value, (1...2).contains(elements.count) else { return nil }
            let all = try argument.elements()
            var weight = 1
            if all.count == 2 {
                switch all[1].value {
                case .number(let number)
                where number.isWrittenAsInteger || hash == .daemon && Int(exactly: number.double) != nil:
                    // A negative weight counts as 0. One more than the limit is over it, as all larger numbers are.
                    let limit = HashScheme.maximumResolution + 1
                    weight =
                        number.text.hasPrefix("-")
                        ? 0 : min(Int(number.text) ?? Int(exactly: number.double) ?? limit, limit)
                case .object: throw all[1].problem("a weight that is computed cannot be moved")
                default: return nil
                }
            }
            let branches = try FlagdTargeting(flagKey: flagKey, hash: hash).branches(of: all[0])
            if weight > 0 { parts.append(Part(buckets: start..<start + weight, branches: branches)) }
            start += weight
        }
        return (1...HashScheme.maximumResolution).contains(start) ? (parts, start) : nil
    }
}

/// The text that a `fractional` hashes instead of flag and targeting key: fixed, an attribute, or one after the other.
struct FlagdHashedText {
    private let hash: FlagdHash
    /// Whether it is the attribute itself, of whatever type, and not a text that is put together.
    private let isBare: Bool
    private var prefix = ""
    private var attribute: String?
    /// The text of the attribute where it is missing; `nil` if nothing is hashed then.
    private var missing: String?

    init(_ node: PayloadNode, flagKey: String, _ hash: FlagdHash) throws(ImportProblem) {
        if case .number = node.value {
            throw node.problem("flagd hashes a number alone in a form that Allot does not have; write it as text")
        }
        self.hash = hash
        let (parts, isBare) = try Self.parts(of: node)
        self.isBare = isBare
        for part in parts {
            guard attribute == nil else {
                throw part.problem("Allot hashes fixed text and one attribute at its end, and nothing after that")
            }
            switch try FlagdOperand(part, flagKey: flagKey) {
            case .literal(.string(let text)): prefix += text
            case .literal(.number(let number)) where number.isWrittenAsInteger && number.text != "-0":
                prefix += number.text
            case .attribute(let name, let fallback):
                guard !AttributePath.leadsIntoObject(name) else {
                    throw part.problem("a member of an object cannot be a unit ID")
                }
                attribute = name
                switch fallback {
                case .null where isBare: missing = nil
                case .null: missing = hash == .cbor ? "null" : ""
                case .string(let text): missing = text
                default: throw part.problem("only a text can stand for what is missing here")
                }
            case .literal, .timestamp: throw part.problem("this is not a text")
            }
        }
        guard ForeignHash.isSalt(prefix, of: scheme) else {
            throw node.problem("the fixed text has to be a salt: \(ForeignHash.saltForm(of: scheme))")
        }
    }

    private static func parts(of node: PayloadNode) throws(ImportProblem) -> ([PayloadNode], isBare: Bool) {
        guard case .object = node.value else { return ([node], true) }
        let (name, parts) = try FlagdTargeting.operation(node)
        switch name {
        case "var": return ([node], true)
        case "cat": return (parts, false)
        default: throw node.problem("a text that is computed with \(QuotedText(name)) cannot be moved")
        }
    }

    private var scheme: HashScheme { hash == .cbor ? .flagdText1 : .flagd0 }
    func draw(_ total: Int) -> Draw? { attribute.map { Draw(scheme, salt: prefix, unit: $0, resolution: total) } }

    /// The condition of units whose attribute is hashed as text; `nil` if all are that have one.
    var isHashed: JSONValue? {
        guard isBare, let attribute, attribute != FlagdImporter.unit else { return nil }
        return .test(attribute, ["$type": "string"])
    }

    /// The values of the attribute that are written as a fixed text and are not unit IDs, with its number.
    func fixedNumbers(below total: Int) -> [(condition: JSONValue, number: Int)] {
        guard let attribute else { return [(.always, number(prefix, below: total))] }
        var tests: [(test: JSONObject, text: String)] = [(["$eq": ""], "")]
        if let missing { tests.append((["$exists": false], missing)) }
        if !isBare {
            let (yes, no) = hash == .cbor ? ("True", "False") : ("true", "false")
            let others: [(test: JSONObject, text: String)] = [
                (["$eq": true], yes), (["$eq": false], no), (["$type": "object"], "[object Object]"),
                (["$size": 0], ""),
            ]
            tests += others
        }
        return tests.map { (.test(attribute, $0), number(prefix + $1, below: total)) }
    }

    private func number(_ text: String, below total: Int) -> Int {
        ForeignHash(scheme, salt: "", resolution: total)?.number(of: text) ?? 0
    }
}

extension JSONValue {
    var isOperation: Bool { if case .object(let object) = self { object.members.count == 1 } else { false } }
}
