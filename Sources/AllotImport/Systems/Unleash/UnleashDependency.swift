import Allot
import AllotConfiguration

/// What a feature asks of other features before its own strategies.
enum UnleashDependency {
    /// The condition that all dependencies hold.
    static func condition(
        ofAll list: PayloadNode?, features: [String: PayloadNode]
    ) throws(ImportProblem) -> Guard {
        var parts: [Guard] = []
        for node in try list?.elements() ?? [] { parts.append(try condition(node, features)) }
        return parts.isEmpty ? .always : .all(parts)
    }

    private static func condition(
        _ node: PayloadNode, _ features: [String: PayloadNode]
    ) throws(ImportProblem) -> Guard {
        try node.checkMembers(known: ["feature", "enabled", "variants"])
        let name = try node.required("feature").text()
        let isWanted = try node["enabled"]?.boolean() ?? true
        let variants = try node["variants"]?.texts() ?? []
        // A feature that is missing, or has dependencies of its own, never satisfies one.
        guard let parent = features[name], try parent["dependencies"]?.elements().isEmpty ?? true else { return .never }
        let enabled = enabledArm(of: parent)
        if isWanted, variants.isEmpty {
            return .serves(flag: name, arms: Set(variantNames(of: parent) + [enabled]), orDefault: false)
        }
        guard isWanted else {
            guard variants.isEmpty else {
                throw node.problem("a dependency on variants of a feature that is disabled cannot be moved")
            }
            return .not(.serves(flag: name, arms: Set(variantNames(of: parent) + [enabled]), orDefault: false))
        }
        var arms = Set(variants).intersection(variantNames(of: parent))
        // A parent that is enabled without a variant satisfies any list.
        if try parent["variants"]?.elements().isEmpty ?? true { arms.insert(enabled) }
        return arms.isEmpty ? .never : .serves(flag: name, arms: arms, orDefault: false)
    }

    /// The key of the arm of a feature that is enabled without a variant.
    static func enabledArm(of feature: PayloadNode) -> String {
        let names = variantNames(of: feature)
        var key = "enabled"
        while names.contains(key) { key += "-feature" }
        return key
    }

    private static func variantNames(of feature: PayloadNode) -> [String] {
        let strategies = (try? feature["strategies"]?.elements()) ?? []
        return ([feature] + strategies).flatMap { node in
            ((try? node["variants"]?.elements()) ?? []).compactMap { try? $0["name"]?.text() }
        }
    }
}
