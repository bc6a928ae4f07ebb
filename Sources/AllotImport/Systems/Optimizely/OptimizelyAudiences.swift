import AllotConfiguration
import AllotCore

/// The audiences of a datafile, each condition as yes and as no, because an unknown one is neither.
struct OptimizelyAudiences {
    struct Answers {
        var yes: JSONValue
        var no: JSONValue

        static let unknown = Answers(yes: .never, no: .never)
    }

    private var nodes: [String: PayloadNode] = [:]

    init(_ payload: PayloadNode) throws(ImportProblem) {
        for node in try payload.list("audiences") { nodes[try node.required("id").text()] = node }
        // The same audiences with types, which older SDKs cannot read.
        for node in try payload.list("typedAudiences") { nodes[try node.required("id").text()] = node }
    }

    func condition(of experiment: PayloadNode) throws(ImportProblem) -> JSONValue {
        guard let tree = experiment["audienceConditions"] ?? experiment["audienceIds"], tree.value != [] else {
            return .always
        }
        return try answers(tree) { leaf throws(ImportProblem) in
            guard let audience = nodes[try leaf.text()] else { return .unknown }
            return try answers(of: audience)
        }.yes
    }

    private func answers(of audience: PayloadNode) throws(ImportProblem) -> Answers {
        var conditions = try audience.required("conditions")
        if let text = conditions.value.text {
            conditions = PayloadNode(try conditions.parsed(text), path: conditions.path)
        }
        return try answers(conditions) { leaf throws(ImportProblem) in try OptimizelyTest(node: leaf).answers() }
    }

    private func answers(
        _ node: PayloadNode, _ leaf: (PayloadNode) throws(ImportProblem) -> Answers
    ) throws(ImportProblem) -> Answers {
        guard case .array = node.value else { return try leaf(node) }
        var parts = try node.elements()
        guard let first = parts.first else { throw node.problem("an empty list of conditions has no meaning") }
        let name = first.value.text.flatMap { ["and", "or", "not"].contains($0) ? $0 : nil }
        if name != nil { parts.removeFirst() }
        let all = try parts.map { part throws(ImportProblem) in try answers(part, leaf) }
        switch name {
        case "and": return Answers(yes: .all(all.map(\.yes)), no: .any(all.map(\.no)))
        case "not": return all.first.map { Answers(yes: $0.no, no: $0.yes) } ?? .unknown
        default: return Answers(yes: .any(all.map(\.yes)), no: .all(all.map(\.no)))
        }
    }
}

/// A test of one attribute. An attribute that is missing or of another type than the value leaves the answer unknown.
private struct OptimizelyTest {
    private typealias Answers = OptimizelyAudiences.Answers

    let node: PayloadNode

    func answers() throws(ImportProblem) -> OptimizelyAudiences.Answers {
        let types: [JSONValue] = ["custom_attribute", "third_party_dimension"]
        guard let type = node["type"]?.value, types.contains(type) else { return .unknown }
        let match = try node["match"]?.text() ?? "exact"
        if match == "qualified" {
            throw node.problem("this audience is a segment of Optimizely's data platform, which only its servers know")
        }
        let name = try node.required("name").attributeName(besides: OptimizelyImporter.unit)
        let value = node["value"]?.value ?? .null
        if let orders = Self.versionOrders[match] {
            return try value.text.map { text throws(ImportProblem) in try version(name, text, orders) } ?? .unknown
        }
        switch (match, value) {
        case ("exists", _): return Answers(yes: .test(name, ["$exists": true]), no: .test(name, ["$exists": false]))
        case ("exact", .string): return answers(name, "string", ["$eq": value])
        case ("exact", .boolean): return answers(name, "boolean", ["$eq": value])
        case ("substring", .string): return answers(name, "string", ["$contains": value])
        case ("substring", _): return .unknown
        default:
            guard let comparison = Self.comparisons[match] else {
                throw node.problem("unknown kind of match \(QuotedText(match))")
            }
            return value.asNumber.map { self.comparison(name, comparison, $0) } ?? .unknown
        }
    }

    private static let comparisons = ["exact": "$eq", "gt": "$gt", "ge": "$gte", "lt": "$lt", "le": "$lte"]
    private static let versionOrders: [String: Set<VersionOrder>] = [
        "semver_eq": [.equal], "semver_gt": [.greater], "semver_ge": [.equal, .greater], "semver_lt": [.less],
        "semver_le": [.equal, .less],
    ]

    private func answers(_ name: String, _ type: String, _ test: JSONObject) -> Answers {
        Answers(yes: .test(name, test), no: .test(name, ["$type": .string(type), "$not": .object(test)]))
    }

    /// The largest number, either way, that Optimizely compares, but for 2^53 itself, which is not exact here.
    private static let limit: JSONValue = 9_007_199_254_740_991
    private static let lowest: JSONValue = -9_007_199_254_740_991

    private func comparison(_ name: String, _ test: String, _ number: JSONNumber) -> Answers {
        guard abs(number.double) <= 9_007_199_254_740_992 else { return .unknown }
        var yes: JSONObject = ["$type": "number", test: .number(number)]
        if test.hasPrefix("$g") { yes["$lte"] = Self.limit }
        if test.hasPrefix("$l") { yes["$gte"] = Self.lowest }
        var no: JSONObject = ["$type": "number", "$not": [test: .number(number)]]
        if !test.hasPrefix("$g") { no["$lte"] = Self.limit }
        if !test.hasPrefix("$l") { no["$gte"] = Self.lowest }
        return Answers(yes: .test(name, yes), no: .test(name, no))
    }

    private func version(_ name: String, _ text: String, _ orders: Set<VersionOrder>) throws(ImportProblem) -> Answers {
        guard !text.contains("+") else {
            throw node.problem("a version with build metadata (\"+…\") cannot be compared as Optimizely does")
        }
        guard let version = OptimizelyVersion(text) else { return .unknown }
        try node.checkLength(ofVersion: text)
        guard !version.hasNumericPreRelease else {
            throw node.problem("a version with a number as its pre-release cannot be compared as Optimizely does")
        }
        func test(_ orders: Set<VersionOrder>) -> JSONValue {
            .test(name, ["$regex": .strings(version.patterns(orders))])
        }
        return Answers(yes: test(orders), no: test(Set(VersionOrder.allCases).subtracting(orders)))
    }
}
