import AllotConfiguration
import AllotCore

struct FirebaseConditions {
    static let unit = "randomization_id"

    private(set) var names: [String] = []
    private(set) var areForClients = false
    private var notesByName: [UTF8Key: Set<String>] = [:]
    private var found: [UTF8Key: Result<Guard, ImportProblem>] = [:]

    init(_ template: PayloadNode, _ project: inout ImportedProject) throws(ImportProblem) {
        for node in try template.list("conditions") {
            let name = try node.required("name").text()
            let key = UTF8Key(name)
            if found[key] == nil { names.append(name) }
            notesByName[key] = Set(FirebaseSignal.comparisons(in: node.value).map(\.note))
            do throws(ImportProblem) {
                let condition: Guard
                if let text = node["expression"], node["condition"] == nil {
                    areForClients = true
                    var expression = try FirebaseExpression(text)
                    condition = try expression.condition()
                    notesByName[key] = expression.notes
                } else {
                    condition = try FirebaseCondition(node: node.required("condition")).condition(level: 0)
                }
                found[key] = .success(project.naming(condition, name, comment: "Remote Config: condition \(name)"))
            } catch {
                found[key] = .failure(error)
            }
        }
    }

    var notes: [String] { Set(notesByName.values.joined()).sorted() }

    func haveNote(_ note: String, in parameter: PayloadNode) -> Bool {
        guard let values = try? parameter["conditionalValues"]?.members() else { return false }
        return values.contains { notesByName[UTF8Key($0.key)]?.contains(note) ?? false }
    }

    func condition(_ name: String) throws(ImportProblem) -> Guard { try found[UTF8Key(name)]?.get() ?? .never }
}

struct FirebaseCondition {
    let node: PayloadNode

    /// The depth at which the SDKs stop; each "and" and "or" counts twice.
    private static let maximumDepth = 10

    func condition(level: Int) throws(ImportProblem) -> Guard {
        if level >= Self.maximumDepth { return .never }
        if let part = node["orCondition"] { return .any(try parts(part, level)) }
        if let part = node["andCondition"] { return .all(try parts(part, level)) }
        if node["true"] != nil { return .always }
        if node["false"] != nil { return .never }
        if let percent = node["percent"] { return try Self.draw(percent) }
        if let signal = node["customSignal"] { return try FirebaseSignal(signal)?.condition() ?? .never }
        let known = try node.members().map(\.key).joined(separator: ", ")
        throw node.problem("a condition with the members \(known.isEmpty ? "(none)" : known) is not known here")
    }

    private func parts(_ part: PayloadNode, _ level: Int) throws(ImportProblem) -> [Guard] {
        try part.list("conditions").map { inner throws(ImportProblem) in
            try FirebaseCondition(node: inner).condition(level: level + 2)
        }
    }

    private static func draw(_ node: PayloadNode) throws(ImportProblem) -> Guard {
        guard let name = try node["percentOperator"]?.text(), !name.isEmpty else { return .never }
        let count = HashScheme.firebase1.defaultResolution
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
        default: throw node.unknown(operator: name, " of percentages")
        }
        if buckets.isEmpty { return .never }
        guard let seed = node["seed"] else { throw node.problem("a percentage without a seed has no equal in Allot") }
        return .draw(Draw(.firebase1, salt: try seed.salt(), unit: FirebaseConditions.unit), [buckets])
    }
}
