import Allot
import AllotConfiguration

/// What a feature asks of other features before its own strategies.
struct UnleashDependency {
    /// The feature that asks.
    let child: String
    let features: [String: PayloadNode]
    let segments: UnleashSegments

    /// The condition that all dependencies hold.
    func condition(ofAll list: PayloadNode?) throws(ImportProblem) -> Guard {
        var parts: [Guard] = []
        for node in try list?.elements() ?? [] { parts.append(try condition(node)) }
        return parts.isEmpty ? .always : .all(parts)
    }

    private func condition(_ node: PayloadNode) throws(ImportProblem) -> Guard {
        try node.checkMembers(known: ["feature", "enabled", "variants"])
        let name = try node.required("feature").text()
        let isWanted = try node["enabled"]?.boolean() ?? true
        let variants = try node["variants"]?.texts() ?? []
        // A feature that is missing, or has dependencies of its own, never satisfies one.
        guard let parent = features[name], try parent["dependencies"]?.elements().isEmpty ?? true else { return .never }
        let all = Self.arms(of: parent)
        guard isWanted else {
            guard variants.isEmpty else {
                throw node.problem("a dependency on variants of a feature that is disabled cannot be moved")
            }
            return .not(try condition(that: parent, name, serves: all))
        }
        if variants.isEmpty { return try condition(that: parent, name, serves: all) }
        var arms = Set(variants).intersection(Self.variantNames(of: parent))
        // A parent that is enabled without a variant satisfies any list.
        if try parent["variants"]?.elements().isEmpty ?? true { arms.insert(Self.enabledArm(of: parent)) }
        return arms.isEmpty ? .never : try condition(that: parent, name, serves: arms)
    }

    /// The condition that the parent is enabled with one of these arms, as its child sees it: where a rollout of the
    /// parent names no group, the engine then draws it in the name of the child.
    private func condition(
        that parent: PayloadNode, _ name: String, serves arms: Set<String>
    ) throws(ImportProblem) -> Guard {
        let feature = try UnleashFeature(parent, segments: segments, features: features, standardGroup: child)
        guard feature.drawsInItsName else { return .serves(flag: name, arms: arms, orDefault: false) }
        let rules = try feature.flag().rules
        if arms == Self.arms(of: parent) { return .any(rules.map { $0.applies(with: arms) }) }
        var alternatives: [Guard] = []
        var earlier: [Guard] = []
        for rule in rules {
            alternatives.append(.all(earlier.map { .not($0) } + [rule.applies(with: arms)]))
            earlier.append(rule.applies(with: nil))
        }
        return .any(alternatives)
    }

    /// The key of the arm of a feature that is enabled without a variant.
    static func enabledArm(of feature: PayloadNode) -> String {
        let names = variantNames(of: feature)
        var key = "enabled"
        while names.contains(key) { key += "-feature" }
        return key
    }

    private static func arms(of feature: PayloadNode) -> Set<String> {
        Set(variantNames(of: feature) + [enabledArm(of: feature)])
    }

    private static func variantNames(of feature: PayloadNode) -> [String] {
        let strategies = (try? feature["strategies"]?.elements()) ?? []
        return ([feature] + strategies).flatMap { node in
            ((try? node["variants"]?.elements()) ?? []).compactMap { try? $0["name"]?.text() }
        }
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
