import Allot
import AllotConfiguration

/// The named conditions of a template, in the order in which they are asked.
struct FirebaseConditions {
    /// The attribute that percentages draw on.
    static let unit = "randomization_id"

    let names: [String]
    /// How each condition compares custom signals.
    private let comparisons: [UTF8Key: Set<FirebaseSignal.Comparison>]
    private let found: [UTF8Key: Result<Guard, ImportProblem>]

    /// Reads the conditions. Those without a percentage become segments of the project.
    init(_ template: PayloadNode, _ project: inout ImportedProject) throws(ImportProblem) {
        var names: [String] = []
        var found: [UTF8Key: Result<Guard, ImportProblem>] = [:]
        var comparisons: [UTF8Key: Set<FirebaseSignal.Comparison>] = [:]
        for node in try template["conditions"]?.elements() ?? [] {
            let name = try node.required("name").text()
            let key = UTF8Key(name)
            if found[key] == nil { names.append(name) }
            comparisons[key] = FirebaseSignal.comparisons(in: node.value)
            do throws(ImportProblem) {
                if let expression = node["expression"], node["condition"] == nil {
                    throw expression.problem(
                        "the condition \(QuotedText(name)) is an expression of a client template, which Google's "
                            + "servers evaluate; only conditions of server templates can be exact")
                }
                let condition = try FirebaseCondition(node.required("condition")).condition(level: 0)
                found[key] = .success(condition)
                if let json = GuardAlternatives.conditionJSON(condition, isNegated: false),
                    json != ConditionJSON.everyone, json != ConditionJSON.nobody
                {
                    let segment = project.addSegment(name, json, comment: ["Remote Config: condition \(name)"])
                    found[key] = .success(.condition(["$segment": .string(segment)]))
                }
            } catch {
                found[key] = .failure(error)
            }
        }
        self.names = names
        self.found = found
        self.comparisons = comparisons
    }

    /// Whether a parameter has a condition that compares a custom signal in a way.
    func compare(_ comparison: FirebaseSignal.Comparison, in parameter: PayloadNode) -> Bool {
        guard let values = try? parameter["conditionalValues"]?.members() else { return false }
        return values.contains { comparisons[UTF8Key($0.key)]?.contains(comparison) ?? false }
    }

    /// When a condition holds.
    func condition(_ name: String) throws(ImportProblem) -> Guard {
        switch found[UTF8Key(name)] {
        case .success(let condition)?: return condition
        case .failure(let problem)?: throw problem
        case nil: return .never
        }
    }
}

/// Translates one condition of a server template.
struct FirebaseCondition {
    private let node: PayloadNode

    /// The depth at which the SDKs stop; each "and" and "or" counts twice.
    private static let maximumDepth = 10

    init(_ node: PayloadNode) {
        self.node = node
    }

    func condition(level: Int) throws(ImportProblem) -> Guard {
        if level >= Self.maximumDepth { return .never }
        if let part = node["orCondition"] { return .any(try parts(part, level)) }
        if let part = node["andCondition"] { return .all(try parts(part, level)) }
        if node["true"] != nil { return .always }
        if node["false"] != nil { return .never }
        if let percent = node["percent"] { return try Self.draw(percent) }
        if let signal = node["customSignal"] { return try FirebaseSignal(signal)?.condition() ?? .never }
        let known = try node.members().map(\.key).joined(separator: ", ")
        throw node.problem(
            "a condition with the members \(known.isEmpty ? "(none)" : known) is not known to this importer")
    }

    private func parts(_ part: PayloadNode, _ level: Int) throws(ImportProblem) -> [Guard] {
        var found: [Guard] = []
        for inner in try part["conditions"]?.elements() ?? [] {
            found.append(try FirebaseCondition(inner).condition(level: level + 2))
        }
        return found
    }

    private static func draw(_ node: PayloadNode) throws(ImportProblem) -> Guard {
        guard let name = try node["percentOperator"]?.text(), !name.isEmpty else { return .never }
        let count = HashScheme.firebase1.defaultResolution
        /// The number of buckets that are at most a number of millionths of a percent.
        func end(_ node: PayloadNode?) throws(ImportProblem) -> Int {
            let number = try node?.double() ?? 0
            return number < 0 ? 0 : number >= Double(count - 1) ? count : Int(number) + 1
        }
        let share = try end(node["microPercent"])
        let range = node["microPercentRange"]
        let buckets: Range<Int>
        switch name {
        case "LESS_OR_EQUAL": buckets = 0..<share
        case "GREATER_THAN": buckets = share..<count
        case "BETWEEN":
            let (lower, upper) = (try end(range?["microPercentLowerBound"]), try end(range?["microPercentUpperBound"]))
            buckets = lower..<max(lower, upper)
        default: throw node.problem("the operator \(QuotedText(name)) of percentages is not known to this importer")
        }
        if buckets.isEmpty { return .never }
        guard let seed = node["seed"] else { throw node.problem("a percentage without a seed has no equal in Allot") }
        return .draw(Draw(.firebase1, salt: try seed.salt(), unit: FirebaseConditions.unit), [buckets])
    }
}
