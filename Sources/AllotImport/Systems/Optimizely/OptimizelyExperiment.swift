import AllotConfiguration
import AllotCore

/// An experiment, or a rule of a rollout: a hash of the user's ID chooses one of its variations.
struct OptimizelyExperiment {
    let node: PayloadNode
    let id: String
    let key: String
    private let group: PayloadNode?

    /// - Parameter group: The group whose hash may choose one of its experiments first.
    init(_ node: PayloadNode, group: PayloadNode? = nil) throws(ImportProblem) {
        self.node = node
        self.group = group
        id = try node.required("id").text()
        key = try node.required("key").text()
    }

    var kind: String? { node.annotation("type") }
    func isRunning() throws(ImportProblem) -> Bool { try node.required("status").text() == "Running" }

    /// An experiment without a feature: its setting is the variation's key.
    func flag(_ audiences: OptimizelyAudiences) throws(ImportProblem) -> ImportedFlag {
        var flag = ImportedFlag(key: key, path: node.path, settings: [ImportedSetting(key, .null)])
        flag.rules = try rules(audiences) { variation throws(ImportProblem) in
            let key = try variation.required("key").text()
            return Arm(key: key, settings: [ImportedSetting(self.key, .string(key))])
        }
        return flag
    }

    func rules(
        _ audiences: OptimizelyAudiences, condition: Guard = .always, everyoneElse: PayloadNode? = nil,
        _ arm: (PayloadNode) throws(ImportProblem) -> Arm
    ) throws(ImportProblem) -> [ImportedRule] {
        guard try isRunning() else { return [] }
        var rules: [ImportedRule] = []
        for (variation, users) in try forcedUsers(everyoneElse) {
            rules.append(
                ImportedRule(
                    name: key, path: node.path,
                    comment: ["Users who are on the list of Optimizely's \(QuotedText(key))."],
                    condition: .all([condition, .condition(.test(OptimizelyImporter.unit, ["$in": .strings(users)]))]),
                    outcome: .value(try arm(variation))))
        }
        if node["cmab"] != nil || kind == "cmab" || kind == "mab" {
            throw node.problem("\(QuotedText(key)) is a bandit; only fixed shares can be moved")
        }
        let audience = Guard.condition(try audiences.condition(of: node))
        rules.append(try rule(.all([condition, audience, try groupCondition()]), everyoneElse: everyoneElse, arm))
        return rules
    }

    func rule(
        _ condition: Guard, everyoneElse: PayloadNode? = nil, _ arm: (PayloadNode) throws(ImportProblem) -> Arm
    ) throws(ImportProblem) -> ImportedRule {
        ImportedRule(
            name: key, path: node.path, comment: ["Optimizely's \(QuotedText(key)), which has the ID \(id)."],
            condition: condition, outcome: try split(everyoneElse: everyoneElse, arm))
    }

    private func variations() throws(ImportProblem) -> [(id: String, node: PayloadNode)] {
        try node.required("variations").elements().map { variation throws(ImportProblem) in
            (try variation.required("id").text(), variation)
        }
    }

    func firstVariation() throws(ImportProblem) -> PayloadNode? { try variations().first?.node }

    /// Variations with the users who always get them. The last one with a key counts, perhaps that of everyone else.
    private func forcedUsers(
        _ everyoneElse: PayloadNode?
    ) throws(ImportProblem) -> [(variation: PayloadNode, users: [String])] {
        var users: [String: [String]] = [:]
        for (user, variation) in try node["forcedVariations"]?.members() ?? [] {
            users[try variation.text(), default: []].append(user)
        }
        var forced: [(variation: PayloadNode, users: [String])] = []
        for variation in (try variations().map(\.node) + (everyoneElse.map { [$0] } ?? [])).reversed() {
            let key = try variation.required("key").text()
            if let users = users.removeValue(forKey: key) { forced.append((variation, users)) }
        }
        return forced
    }

    private func groupCondition() throws(ImportProblem) -> Guard {
        guard let group, try group.required("policy").text() == "random" else { return .always }
        let draw = Draw(.optimizely1, salt: try group.required("id").salt(), unit: OptimizelyImporter.unit)
        let buckets = try Self.buckets(try group.required("trafficAllocation"), of: draw)
        return .layer("group-\(draw.salt)", draw, BucketSet(buckets.filter { $0.entity == id }.map(\.range)))
    }

    private func split(
        everyoneElse: PayloadNode?, _ arm: (PayloadNode) throws(ImportProblem) -> Arm
    ) throws(ImportProblem) -> Outcome {
        let draw = Draw(.optimizely1, salt: try node.required("id").salt(), unit: OptimizelyImporter.unit)
        let buckets = try Self.buckets(try node.required("trafficAllocation"), of: draw)
        var arms: [ArmShare] = []
        for (id, variation) in try variations() {
            let own = BucketSet(buckets.filter { $0.entity == id }.map(\.range))
            if !own.isEmpty { arms.append((try arm(variation), own)) }
        }
        if let everyoneElse {
            let end = buckets.last?.range.upperBound ?? 0
            if end < draw.bucketCount { arms.append((try arm(everyoneElse), [end..<draw.bucketCount])) }
        }
        return .split(draw, arms)
    }

    /// The owners of buckets: each entry ends a range that begins where the one before ends.
    static func buckets(
        _ allocation: PayloadNode, of draw: Draw
    ) throws(ImportProblem) -> [(entity: String, range: Range<Int>)] {
        var buckets: [(entity: String, range: Range<Int>)] = []
        var start = 0
        for entry in try allocation.elements() {
            guard let ends = entry["endOfRange"] else { continue }
            let end = min(try ends.integer(), draw.bucketCount)
            guard end > start else { continue }
            buckets.append((try entry["entityId"]?.text() ?? "", start..<end))
            start = end
        }
        return buckets
    }
}

/// A holdout: the users whom its hash chooses get its variation, which is off, in place of others.
struct OptimizelyHoldout {
    let experiment: OptimizelyExperiment
    /// Whether those it holds out may be in targeted deliveries all the same.
    let allowsDeliveries: Bool
    private let includedFlags: [String]
    private let excludedFlags: [String]

    init(_ node: PayloadNode) throws(ImportProblem) {
        experiment = try OptimizelyExperiment(node)
        allowsDeliveries = try node["excludeTargetedDeliveries"]?.boolean() ?? false
        includedFlags = (try? node["includedFlags"]?.texts()) ?? []
        excludedFlags = (try? node["excludedFlags"]?.texts()) ?? []
    }

    /// Whether its lists, which SDKs before the reference read, have a flag.
    func lists(flag id: String) -> Bool {
        includedFlags.isEmpty ? !excludedFlags.contains(id) : includedFlags.contains(id)
    }

    func rule(
        _ audiences: OptimizelyAudiences, condition: Guard, _ arm: (PayloadNode) throws(ImportProblem) -> Arm
    ) throws(ImportProblem) -> ImportedRule {
        let audience = Guard.condition(try audiences.condition(of: experiment.node))
        return try experiment.rule(.all([condition, audience]), arm)
    }

    func condition(_ audiences: OptimizelyAudiences) throws(ImportProblem) -> Guard {
        let rule = try rule(audiences, condition: .always) { _ in Arm(key: "out", settings: []) }
        guard case .split(let draw, let arms) = rule.outcome else { return .never }
        return .all([rule.condition, .draw(draw, BucketSet(arms.flatMap(\.buckets.ranges)))])
    }
}
