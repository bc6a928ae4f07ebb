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
        let evaluators = try FlagdEvaluators(payload["$evaluators"])
        for (key, node) in try payload.required("flags").members() {
            project.addFlag(key, at: node.path) { () throws(ImportProblem) in
                try FlagdFlag(key, node, evaluators).flag()
            }
        }
        project.noteTextsOfNumbers(in: title, forms: #"" 5 ", "+5", ".5", "5.", "1_000" and digits of other scripts"#)
        project.explainMismatches(in: title)
        if project.hasTest(where: { name, _, _ in name.hasPrefix("$v") }) {
            project.notes.append(
                "flagd also reads numbers, texts with \"V\" before a version, and digits of other scripts as versions. "
                    + "Allot does not: send versions as text.")
        }
        if let node = evaluators.unreadable.first {
            project.notes.append(
                "flagd's SDK refuses the whole payload because of characters beyond ASCII in evaluators: \(node.path).")
        }
        let drawing = project.flags.filter { flag in
            !flag.schemes.isEmpty || evaluators.useFractional
                || payload["flags"]?[flag.key]?["targeting"]?.value.memberNames.contains("fractional") == true
        }
        project.note(
            "The hash of fractional is that of openfeature-flagd-core 2.0.0, which openfeature-provider-flagd has from "
                + "0.6.0 on. Older versions hash otherwise and give about half of the users another variant. If one "
                + "runs, or an SDK of another language, compare assignments that it recorded with allot import "
                + "--verify before you switch", on: drawing.map(\.key))
        let schemes = project.flags.reduce(into: Set()) { $0.formUnion($1.schemes) }
        if schemes.contains(.flagdText1) {
            project.notes.append(
                "A list, a number with a fraction, a whole number from 2^53 on, or a text of more than 1,024 bytes in "
                    + "an attribute that is hashed has no bucket in Allot; flagd hashes its text.")
        }
        if schemes.contains(.flagd1) {
            project.notes.append(
                "A targetingKey of more than 1,024 bytes has no bucket in Allot; flagd hashes it.")
        }
        return project
    }
}

/// One flag of flagd.
struct FlagdFlag {
    private let key: String
    private let node: PayloadNode
    private let evaluators: FlagdEvaluators
    private let variants: [UTF8Key: PayloadNode]
    /// The variant where targeting says none. The app's own default where there is none.
    private let defaultArm: Arm

    init(_ key: String, _ node: PayloadNode, _ evaluators: FlagdEvaluators) throws(ImportProblem) {
        self.key = key
        self.node = node
        self.evaluators = evaluators
        do throws(ImportProblem) {
            try node.checkMembers(
                known: ["state", "variants", "defaultVariant", "targeting", "metadata", "source", "selector"])
        } catch {
            var problem = error
            problem.isMismatch = true
            throw problem
        }
        variants = Dictionary(
            try node.required("variants").members().map { (UTF8Key($0.key), $0.value) },
            uniquingKeysWith: { first, _ in first })
        guard !variants.isEmpty else {
            throw node.problem("a flag without variants makes flagd's SDK refuse the whole payload")
        }
        var name: String?
        switch node["defaultVariant"]?.value {
        case .boolean(let flag): name = "\(flag)"
        case nil, .array([]), .object([:]): break
        case .number(let number) where number.double == 0: break
        default: name = try node.required("defaultVariant").text()
        }
        defaultArm =
            if let name, !name.isEmpty { Self.arm(name, key, variants) } else {
                Arm(key: "default", settings: [ImportedSetting(key, .null)])
            }
    }

    /// The arm of a variant. One that does not exist is an error there, and the app gets its own default.
    private static func arm(_ name: String, _ key: String, _ variants: [UTF8Key: PayloadNode]) -> Arm {
        let value = name.isEmpty ? nil : variants[UTF8Key(name)]?.value
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
        let branches: [(condition: Guard, leaf: FlagdTargeting.Leaf)]
        do throws(ImportProblem) {
            let resolved = PayloadNode(try evaluators.resolved(targeting), path: targeting.path)
            branches = try FlagdTargeting(flagKey: key).branches(of: resolved)
        } catch {
            // The SDK reads targeting when it decides: it refuses no payload because of it.
            var problem = error
            problem.isMismatch = false
            throw problem
        }
        var undecided: [Guard] = []
        for branch in branches {
            // Users without what is hashed get the default variant here, and not what follows.
            if case .undecided = branch.leaf {
                undecided.append(branch.condition)
                guard undecided.count <= FlagLowering.limit else {
                    throw targeting.problem("it would be more than \(FlagLowering.limit) experiments")
                }
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
    /// The schemes of all draws.
    fileprivate var schemes: Set<HashScheme> {
        rules.reduce(into: []) { schemes, rule in
            if case .split(let draw, _) = rule.outcome { schemes.insert(draw.scheme) }
            schemes.formUnion(rule.condition.schemes)
        }
    }
}

extension Guard {
    fileprivate var schemes: Set<HashScheme> {
        switch self {
        case .draw(let draw, _), .layer(_, let draw, _): [draw.scheme]
        case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.schemes) }
        case .not(let part): part.schemes
        case .always, .never, .condition, .period, .serves: []
        }
    }
}
