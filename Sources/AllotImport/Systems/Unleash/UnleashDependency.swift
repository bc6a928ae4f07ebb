import AllotConfiguration
import AllotCore

/// The conditions on other features before a feature's own strategies.
struct UnleashDependency {
    let child: String
    let parents: UnleashParents
    let segments: UnleashSegments

    func condition(ofAll list: PayloadNode?) throws(ImportProblem) -> Guard {
        .all(try (list?.elements() ?? []).map(condition(_:)))
    }

    private func condition(_ node: PayloadNode) throws(ImportProblem) -> Guard {
        try node.checkMembers(known: ["feature", "enabled", "variants"])
        let name = try node.required("feature").text()
        let isWanted = try node["enabled"]?.boolean() ?? true
        let variants = try node["variants"]?.texts() ?? []
        // A feature that is missing, or has dependencies of its own, never satisfies one.
        guard let parent = parents.parent(name), try parent.node.list("dependencies").isEmpty else { return .never }
        if variants.isEmpty {
            let isEnabled = try condition(that: parent, name, serves: parent.arms, node)
            return isWanted ? isEnabled : .not(isEnabled)
        }
        guard isWanted else {
            throw node.problem("a dependency on variants of a feature that is disabled cannot be moved")
        }
        var arms = Set(variants).intersection(parent.arms.subtracting([parent.enabledArm]))
        // A parent that is enabled without a variant satisfies any list.
        if try parent.node.list("variants").isEmpty { arms.insert(parent.enabledArm) }
        return arms.isEmpty ? .never : try condition(that: parent, name, serves: arms, node)
    }

    /// The condition that the parent serves one of these arms, which it draws in the child's name if it names no group.
    private func condition(
        that parent: UnleashParents.Parent, _ name: String, serves arms: Set<String>, _ node: PayloadNode
    ) throws(ImportProblem) -> Guard {
        guard try parent.drawsInItsName.get() else { return .serves(flag: name, arms: arms, orDefault: false) }
        try parents.copy(parent, times: arms == parent.arms ? 1 : parent.ruleCount, at: node)
        let copy = try UnleashFeature(parent.node, segments: segments, parents: parents, defaultGroup: child)
        let rules = try copy.flag().rules
        if arms == parent.arms { return .any(rules.map { $0.applies(with: arms) }) }
        guard rules.count <= FlagLowering.limit else {
            throw node.problem("the feature depends on more than \(FlagLowering.limit) rules of \(QuotedText(name))")
        }
        var alternatives: [Guard] = []
        var earlier: [Guard] = []
        for rule in rules {
            alternatives.append(.all(earlier.map { .not($0) } + [rule.applies(with: arms)]))
            earlier.append(rule.applies(with: nil))
        }
        return .any(alternatives)
    }
}

extension ImportedRule {
    fileprivate func applies(with arms: Set<String>?) -> Guard {
        switch outcome {
        case .value(let arm): arms?.contains(arm.key) ?? true ? condition : .never
        case .split(let draw, let parts):
            .all([
                condition,
                .draw(draw, BucketSet(parts.filter { arms?.contains($0.arm.key) ?? true }.flatMap(\.buckets.ranges))),
            ])
        }
    }
}

/// The features of a payload, as others depend on them.
final class UnleashParents {
    struct Parent {
        let node: PayloadNode
        let arms: Set<String>
        let enabledArm: String
        /// Whether a rollout names no group, so that the feature's name stands for it.
        let drawsInItsName: Result<Bool, ImportProblem>
        let size: Int
        /// The number of its rules, roughly.
        let ruleCount: Int
    }

    private var nodes: [UTF8Key: PayloadNode] = [:]
    private var known: [UTF8Key: Parent] = [:]
    private let budget = Budget(20_000_000)

    init(_ features: [PayloadNode]) throws(ImportProblem) {
        for feature in features { nodes[UTF8Key(try feature.required("name").text())] = feature }
    }

    func parent(_ name: String) -> Parent? {
        if let parent = known[UTF8Key(name)] { return parent }
        guard let node = nodes[UTF8Key(name)] else { return nil }
        let enabledArm = Self.enabledArm(of: node)
        let variants = Self.variantNames(of: node)
        let strategies = node.listIfAny("strategies")
        let parent = Parent(
            node: node, arms: Set(variants + [enabledArm]), enabledArm: enabledArm,
            drawsInItsName: Result { () throws(ImportProblem) in try Self.drawsInItsName(node) },
            size: node.value.canonicalText.utf8.count, ruleCount: strategies.count * 2 + variants.count)
        known[UTF8Key(name)] = parent
        return parent
    }

    /// Counts the copies of a parent's rules, which a child makes where it draws the parent in its own name.
    func copy(_ parent: Parent, times: Int, at node: PayloadNode) throws(ImportProblem) {
        try budget.spend(
            parent.size * max(1, times), at: node,
            "the rules of features on which others depend would be copied too often; name a groupId in their rollouts")
    }

    private static func drawsInItsName(_ feature: PayloadNode) throws(ImportProblem) -> Bool {
        for strategy in try feature.required("strategies").elements()
        where try UnleashStrategy.drawsInFeaturesName(strategy) { return true }
        return false
    }

    /// The key of the arm of a feature that is enabled without a variant.
    static func enabledArm(of feature: PayloadNode) -> String {
        let names = Set(variantNames(of: feature))
        var key = "enabled"
        while names.contains(key) { key += "-feature" }
        return key
    }

    private static func variantNames(of feature: PayloadNode) -> [String] {
        let strategies = feature.listIfAny("strategies")
        return ([feature] + strategies).flatMap { node in
            node.listIfAny("variants").compactMap { try? $0["name"]?.text() }
        }
    }
}
