import AllotConfiguration
import AllotCore

/// Translates flagd's flag definitions as `openfeature-flagd-core` 2.0.0 of PyPI evaluates them, with the chosen hash.
enum FlagdImporter: PayloadImporter {
    static let title = "flagd"
    static let unit = "targetingKey"

    static let otherMembers: Set = [
        "apiVersion", "defaultVariant", "flagSetId", "key", "metadata", "selector", "source", "state", "status",
        "targeting", "variants",
    ]

    static func project(_ payload: PayloadNode, _ options: PayloadImport) throws(ImportProblem) -> ImportedProject {
        let hash = options.flagdHash
        var project = ImportedProject(mainUnit: unit)
        var fractional: [String] = []
        let documents = try FlagdDocument.all(in: payload)
        for document in documents {
            for (key, node) in document.flags {
                project.addFlag(key, at: node.path) { () throws(ImportProblem) in
                    try FlagdFlag(key, node, document.evaluators, hash).flag()
                }
                let names = node["targeting"]?.value.memberNames ?? []
                if names.contains("fractional") || (names.contains("$ref") && document.evaluators.useFractional) {
                    fractional.append(key)
                }
            }
        }
        project.noteTextsOfNumbers(in: title, forms: #"" 5 ", "+5", ".5", "5.", "1_000" and digits of other scripts"#)
        project.note(
            "flagd also reads numbers, texts with \"V\" before a version, and digits of other scripts as versions. "
                + "Allot does not: send versions as text.",
            if: project.conditions.contains { $0.memberNames.contains { $0.hasPrefix("$v") } })
        project.note(note(on: hash), on: fractional)
        noteIDs(&project)
        return project
    }

    private static func note(on hash: FlagdHash) -> String {
        let used =
            switch hash {
            case .daemon:
                "The hash of fractional is that of flagd's daemon, and of the SDKs for Java, JavaScript and .NET. An "
                    + "app in Python that evaluates in process (openfeature-flagd-core 2.0.0, in "
                    + "openfeature-provider-flagd from 0.6.0 on) hashes CBOR, and gives about half of the users "
                    + "another variant: import with the hash \"cbor\" for it"
            case .cbor:
                "The hash of fractional is that of openfeature-flagd-core 2.0.0 for Python, which "
                    + "openfeature-provider-flagd has from 0.6.0 on, in process. The daemon, older versions, and the "
                    + "SDKs for Java, JavaScript and .NET give about half of the users another variant"
            }
        return used + ". Compare assignments that the app recorded before you switch"
    }

    private static func noteIDs(_ project: inout ImportedProject) {
        let draws = project.flags.flatMap { $0.rules.flatMap(\.draws) }
        let others = draws.filter { $0.unit != unit }
        project.note(
            "A list, a number with a fraction, a whole number from 2^53 on, or a text of more than 1,024 bytes in an "
                + "attribute that is hashed has no bucket in Allot; flagd hashes its text.", if: !others.isEmpty)
        project.note(
            "A targetingKey of more than 1,024 bytes has no bucket in Allot; flagd hashes it.",
            if: others.count < draws.count)
        project.note(
            "An attribute that is hashed alone has to be text: without it, and with anything else, a user gets the "
                + "default variant.", if: others.contains(where: \.salt.isEmpty))
    }
}

struct FlagdFlag {
    private let key: String
    private let node: PayloadNode
    private let evaluators: FlagdEvaluators
    private let hash: FlagdHash
    private let variants: [UTF8Key: PayloadNode]
    /// The variant where targeting says none. The app's own default where there is none.
    private let defaultArm: Arm

    init(_ key: String, _ node: PayloadNode, _ evaluators: FlagdEvaluators, _ hash: FlagdHash) throws(ImportProblem) {
        (self.key, self.node, self.evaluators, self.hash) = (key, node, evaluators, hash)
        if hash == .cbor { try node.checkMembers(known: FlagdImporter.otherMembers.union(PayloadNode.annotations)) }
        variants = try node.required("variants").members().byKey
        guard !variants.isEmpty else {
            throw node.problem("a flag without variants makes flagd's SDK refuse the whole payload")
        }
        var name = ""
        switch node["defaultVariant"]?.value {
        case .boolean(let flag): name = "\(flag)"
        case let value? where value.isTruthy && value != [:]: name = try node.required("defaultVariant").text()
        default: break
        }
        let none = Arm(key: "default", settings: [ImportedSetting(key, .null)])
        defaultArm = name.isEmpty ? none : Self.arm(name, key, variants)
    }

    /// The arm of a variant. A name without a variant is an error there, and the app gets its own default.
    private static func arm(_ name: String, _ key: String, _ variants: [UTF8Key: PayloadNode]) -> Arm {
        let value = name.isEmpty ? nil : variants[UTF8Key(name)]?.value
        return Arm(key: name, settings: [ImportedSetting(key, value ?? .null)])
    }

    func flag() throws(ImportProblem) -> ImportedFlag {
        var flag = ImportedFlag(key: key, path: node.path, settings: [ImportedSetting(key, .null)])
        flag.description = node.annotation("description") ?? node.annotation("title")
        flag.owner = node.annotation("owner")
        switch try node.required("state").text() {
        case "ENABLED": break
        case "DISABLED": return flag
        default: throw node.problem("the state of a flag is ENABLED or DISABLED")
        }
        flag.settings = defaultArm.settings
        flag.defaultArm = defaultArm.key
        guard let targeting = node["targeting"], targeting.value != .object([:]) else { return flag }
        guard case .object = targeting.value else { throw targeting.problem("targeting is an object") }
        let resolved = PayloadNode(try evaluators.resolved(targeting), path: targeting.path)
        let branches = try FlagdTargeting(flagKey: key, hash: hash).branches(of: resolved)
        var undecided: [Guard] = []
        for branch in branches {
            // Users without what is hashed get the default variant here, and not what follows.
            if case .undecided = branch.leaf {
                undecided.append(branch.condition)
                guard undecided.count <= FlagLowering.limit else {
                    throw targeting.problem("the flag would be more than \(FlagLowering.limit) experiments")
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

/// The hash of flagd's `fractional`, which is not the same in all of its implementations. `Sendable`.
public enum FlagdHash: String, Sendable, CaseIterable {
    /// Plain text: the daemon, and the SDKs for Java, JavaScript and .NET that evaluate in process.
    case daemon
    /// CBOR: the provider for Python that evaluates in process, with openfeature-flagd-core 2.0.0.
    case cbor
}
