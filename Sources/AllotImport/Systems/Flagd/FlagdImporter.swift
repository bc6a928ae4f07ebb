import Allot
import AllotConfiguration

/// Translates flagd's flag definitions.
///
/// The reference is `openfeature-flagd-core` 2.0.0 of PyPI, which evaluates targeting in process.
enum FlagdImporter: PayloadImporter {
    static let title = "flagd"
    static let unit = "targetingKey"

    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject {
        var project = ImportedProject(mainUnit: unit)
        let evaluators = FlagdEvaluators(try payload["$evaluators"]?.members() ?? [])
        for (key, node) in try payload.required("flags").members() {
            project.addFlag(key, at: node.path) { () throws(ImportProblem) in
                try FlagdFlag(key, node, evaluators).flag()
            }
        }
        project.noteTextsOfNumbers(in: title, such: #"" 5 ", "+5", ".5", "5.", "1_000" and digits of other scripts"#)
        project.explainMismatches(in: title)
        if project.hasTest(where: { name, _, _ in name.hasPrefix("$v") }) {
            project.notes.append(
                "flagd also reads numbers, texts with \"V\" before a version, and digits of other scripts as versions. "
                    + "Allot does not: send versions as text.")
        }
        if project.flags.contains(where: \.hashesText) {
            project.notes.append(
                "A list, or a number with a fraction, in an attribute that is hashed has no bucket in Allot; flagd "
                    + "hashes its text.")
        }
        return project
    }
}

/// Shared parts of targeting, which flags refer to by name.
struct FlagdEvaluators {
    private let rules: [String: PayloadNode]

    init(_ rules: [(key: String, value: PayloadNode)]) {
        self.rules = Dictionary(rules.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The node with references replaced.
    func resolved(_ node: PayloadNode, isEvaluator: Bool = false) throws(ImportProblem) -> PayloadNode {
        switch node.value {
        case .object(let object):
            if object.members.count == 1, case .string(let name)? = object["$ref"] {
                guard let rule = rules[name] else { throw node.problem("there is no evaluator \(QuotedText(name))") }
                guard !isEvaluator else {
                    throw node.problem(
                        "what an evaluator that refers to another one means depends on their order in flagd, and "
                            + "members of JSON have none; write \(QuotedText(name)) out here")
                }
                return PayloadNode(try resolved(rule, isEvaluator: true).value, path: node.path)
            }
            var members: [(key: String, value: JSONValue)] = []
            for (key, member) in try node.members() {
                members.append((key, try resolved(member, isEvaluator: isEvaluator).value))
            }
            return PayloadNode(.object(JSONObject(members)), path: node.path)
        case .array:
            var elements: [JSONValue] = []
            for element in try node.elements() {
                elements.append(try resolved(element, isEvaluator: isEvaluator).value)
            }
            return PayloadNode(.array(elements), path: node.path)
        default: return node
        }
    }
}

/// One flag of flagd.
struct FlagdFlag {
    private let key: String
    private let node: PayloadNode
    private let evaluators: FlagdEvaluators
    private let variants: [String: PayloadNode]
    /// The variant where targeting says none. The app's own default where there is none.
    private let defaultArm: Arm

    init(_ key: String, _ node: PayloadNode, _ evaluators: FlagdEvaluators) throws(ImportProblem) {
        self.key = key
        self.node = node
        self.evaluators = evaluators
        try node.checkMembers(
            known: ["state", "variants", "defaultVariant", "targeting", "metadata", "source", "selector"])
        variants = Dictionary(
            try node.required("variants").members().map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        var name: String?
        switch node["defaultVariant"]?.value {
        case .boolean(let flag): name = "\(flag)"
        case nil: break
        default: name = try node.required("defaultVariant").text()
        }
        defaultArm =
            if let name, !name.isEmpty { Self.arm(name, key, variants) } else {
                Arm(key: "default", settings: [ImportedSetting(key, .null)])
            }
    }

    /// The arm of a variant. One that does not exist is an error there, and the app gets its own default.
    private static func arm(_ name: String, _ key: String, _ variants: [String: PayloadNode]) -> Arm {
        let value = name.isEmpty ? nil : variants[name]?.value
        return Arm(key: name, settings: [ImportedSetting(key, value ?? .null)])
    }

    func flag() throws(ImportProblem) -> ImportedFlag {
        var flag = ImportedFlag(key: key, path: node.path, settings: [ImportedSetting(key, .null)])
        switch try node.required("state").text() {
        case "ENABLED": break
        case "DISABLED": return flag
        default: throw node.problem("the state of a flag is ENABLED or DISABLED")
        }
        flag.settings = defaultArm.settings
        flag.defaultArm = defaultArm.key
        guard let targeting = node["targeting"], targeting.value != .object([:]) else { return flag }
        guard case .object = targeting.value else { throw targeting.problem("targeting is an object") }
        let branches = try FlagdTargeting(flagKey: key).branches(of: evaluators.resolved(targeting))
        var undecided: [Guard] = []
        for branch in branches {
            // Users without what is hashed get the default variant here, and not what follows.
            if case .undecided = branch.leaf {
                undecided.append(branch.condition)
                continue
            }
            flag.rules.append(
                ImportedRule(
                    path: targeting.path, comment: ["flagd's targeting of \(QuotedText(key))."],
                    condition: .all([branch.condition] + undecided.map { .not($0) }), outcome: outcome(branch.leaf)))
        }
        return flag
    }

    private func outcome(_ leaf: FlagdTargeting.Leaf) -> Outcome {
        switch leaf {
        case .fractional(let draw, let parts): .split(draw, parts.map { (arm($0.leaf), [$0.buckets]) })
        case .noVariant, .variant, .undecided: .value(arm(leaf))
        }
    }

    private func arm(_ leaf: FlagdTargeting.Leaf) -> Arm {
        if case .variant(let name) = leaf { Self.arm(name, key, variants) } else { defaultArm }
    }
}

extension ImportedFlag {
    /// Whether a draw hashes a text of its own.
    fileprivate var hashesText: Bool {
        rules.contains { rule in
            if case .split(let draw, _) = rule.outcome { draw.scheme == .flagdText1 } else { false }
        }
    }
}
