import AllotConfiguration

struct FlagdEvaluators {
    private struct Evaluator {
        let node: PayloadNode
        let size: Int
        let problem: ImportProblem?
    }

    private var evaluators: [UTF8Key: Evaluator] = [:]
    private let budget = Budget(2_000_000)

    init(_ node: PayloadNode?) throws(ImportProblem) {
        for (key, node) in try node?.members() ?? [] {
            evaluators[UTF8Key(key)] = Evaluator(
                node: node, size: node.value.size(), problem: Self.problem(of: node, key))
        }
    }

    var useFractional: Bool { evaluators.values.contains { $0.node.value.memberNames.contains("fractional") } }

    private static func problem(of node: PayloadNode, _ name: String) -> ImportProblem? {
        // flagd replaces references in the text of the flags, with the evaluator's JSON as a template.
        let isPlain = { (text: String) in text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x5C } }
        guard isPlain(name), !name.utf8.contains(0x22) else {
            return node.problem("flagd finds evaluators by names of ASCII without quotes and backslashes only")
        }
        guard !node.value.hasText(where: { !isPlain($0) }) else {
            return node.problem(
                "flagd puts the evaluator into flags as a template, in which a backslash, a line feed and characters "
                    + "beyond ASCII mean something else or make it refuse the whole payload; write it out in the flags")
        }
        guard let other = node.value.objects().lazy.compactMap(\.reference).first else { return nil }
        return node.problem(
            "what an evaluator that refers to another one means depends on their order in flagd, and members of JSON "
                + "have none; write \(QuotedText(other)) out here")
    }

    func resolved(_ node: PayloadNode) throws(ImportProblem) -> JSONValue {
        switch node.value {
        case .object(let object):
            if let name = object.reference {
                guard let evaluator = evaluators[UTF8Key(name)] else {
                    throw node.problem("there is no evaluator \(QuotedText(name))")
                }
                if let problem = evaluator.problem { throw problem }
                try budget.spend(
                    evaluator.size, at: node, "evaluators are used so often that the flags would be too long")
                return evaluator.node.value
            }
            var members: [(key: String, value: JSONValue)] = []
            for (key, member) in try node.members() { members.append((key, try resolved(member))) }
            return .object(JSONObject(members))
        case .array: return .array(try node.elements().map(resolved))
        default: return node.value
        }
    }
}

extension JSONObject {
    /// The name of the evaluator in place of which the object stands.
    fileprivate var reference: String? { members.count == 1 ? self["$ref"]?.text : nil }
}

extension JSONValue {
    fileprivate func hasText(where matches: (String) -> Bool) -> Bool {
        switch self {
        case .string(let text): matches(text)
        case .array(let elements): elements.contains { $0.hasText(where: matches) }
        case .object(let object): object.members.contains { matches($0.key) || $0.value.hasText(where: matches) }
        default: false
        }
    }
}

/// Flag definitions as flagd reads them: an object or a list of flags, or Kubernetes resources that hold one.
struct FlagdDocument {
    let flags: [(key: String, value: PayloadNode)]
    let evaluators: FlagdEvaluators

    static func all(in payload: PayloadNode) throws(ImportProblem) -> [FlagdDocument] {
        guard case .string(let kind)? = payload["kind"]?.value, payload["flags"] == nil else {
            return [try FlagdDocument(payload)]
        }
        switch kind {
        case "List", "FeatureFlagList": return try payload.required("items").elements().map(all(in:)).flatMap { $0 }
        case "FeatureFlag", "FeatureFlagConfiguration":
            let spec = try payload.required("spec")
            if let former = spec["featureFlagSpec"] { return [try FlagdDocument(former)] }
            return [try FlagdDocument(spec.required("flagSpec"))]
        default:
            throw payload.problem("this is the resource \(QuotedText(kind)); flag definitions are in a FeatureFlag")
        }
    }

    private init(_ node: PayloadNode) throws(ImportProblem) {
        evaluators = try FlagdEvaluators(node["$evaluators"])
        flags = try node.required("flags").members(orElementsBy: "key")
    }
}
