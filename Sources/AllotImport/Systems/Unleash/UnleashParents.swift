import AllotConfiguration

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
