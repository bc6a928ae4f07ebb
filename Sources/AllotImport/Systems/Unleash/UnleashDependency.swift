import AllotConfiguration
import AllotCore

/// What a feature asks of other features before its own strategies.
struct UnleashDependency {
    /// The feature that asks.
    let child: String
    let parents: UnleashParents
    let segments: UnleashSegments

    /// The condition that all dependencies hold.
    func condition(ofAll list: PayloadNode?) throws(ImportProblem) -> Guard {
        let parts = try (list?.elements() ?? []).map(condition(_:))
        return parts.isEmpty ? .always : .all(parts)
    }

    private func condition(_ node: PayloadNode) throws(ImportProblem) -> Guard {
        try node.checkMembers(known: ["feature", "enabled", "variants"])
        let name = try node.required("feature").text()
        let isWanted = try node["enabled"]?.boolean() ?? true
        let variants = try node["variants"]?.texts() ?? []
        // A feature that is missing, or has dependencies of its own, never satisfies one.
        guard let parent = parents.parent(name), try parent.node["dependencies"]?.elements().isEmpty ?? true else {
            return .never
        }
        guard isWanted else {
            guard variants.isEmpty else {
                throw node.problem("a dependency on variants of a feature that is disabled cannot be moved")
            }
            return .not(try condition(that: parent, name, serves: parent.arms, node))
        }
        if variants.isEmpty { return try condition(that: parent, name, serves: parent.arms, node) }
        var arms = Set(variants).intersection(parent.arms.subtracting([parent.enabledArm]))
        // A parent that is enabled without a variant satisfies any list.
        if try parent.node["variants"]?.elements().isEmpty ?? true { arms.insert(parent.enabledArm) }
        return arms.isEmpty ? .never : try condition(that: parent, name, serves: arms, node)
    }

    /// The condition that the parent is enabled with one of these arms, as its child sees it: where a rollout of the
    /// parent names no group, the engine then draws it in the name of the child.
    private func condition(
        that parent: UnleashParents.Parent, _ name: String, serves arms: Set<String>, _ node: PayloadNode
    ) throws(ImportProblem) -> Guard {
        guard try parent.drawsInItsName.get() else { return .serves(flag: name, arms: arms, orDefault: false) }
        try parents.copy(parent, times: arms == parent.arms ? 1 : parent.ruleCount, at: node)
        let rules = try UnleashFeature(parent.node, segments: segments, parents: parents, defaultGroup: child).flag()
            .rules
        if arms == parent.arms { return .any(rules.map { $0.applies(with: arms) }) }
        guard rules.count <= FlagLowering.limit else {
            throw node.problem("it depends on more than \(FlagLowering.limit) rules of \(QuotedText(name))")
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
    /// The condition that the rule gives one of these arms (any arm: `nil`), if no earlier rule applies.
    fileprivate func applies(with arms: Set<String>?) -> Guard {
        switch outcome {
        case .value(let arm): arms?.contains(arm.key) ?? true ? condition : .never
        case .split(let draw, let parts):
            .all([
                condition, .draw(draw, parts.filter { arms?.contains($0.arm.key) ?? true }.flatMap(\.buckets)),
            ])
        }
    }
}
