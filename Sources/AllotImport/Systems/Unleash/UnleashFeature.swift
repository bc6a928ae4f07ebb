import AllotConfiguration
import AllotCore

/// One feature: the first strategy that holds enables it, and its variants, or those of the feature, say which.
struct UnleashFeature {
    let name: String
    private let node: PayloadNode
    private let parents: UnleashParents
    private let segments: UnleashSegments
    private let strategies: [UnleashStrategy]
    private let variants: UnleashVariants?

    /// - Parameter defaultGroup: The group of rollouts that name none; `nil` for the feature's own name.
    init(
        _ node: PayloadNode, segments: UnleashSegments, parents: UnleashParents, defaultGroup: String? = nil
    ) throws(ImportProblem) {
        (self.node, self.parents, self.segments) = (node, parents, segments)
        let name = try node.required("name").text()
        guard !name.isEmpty else { throw node.problem("the feature has no name") }
        self.name = name
        strategies = try node.required("strategies").elements().map { strategy throws(ImportProblem) in
            try UnleashStrategy(strategy, feature: name, defaultGroup: defaultGroup ?? name, segments: segments)
        }
        variants = try UnleashVariants(node["variants"], group: nil, feature: name, stickiness: nil, overrides: true)
    }

    var drawsByDefault: Bool {
        let hasRollout = strategies.contains { strategy in
            if case .rollout(.userOrSession, _, _) = strategy.selection { true } else { false }
        }
        return hasRollout || (strategies.map(\.variants) + [variants]).contains { $0?.stickiness == .userOrSession }
    }

    var hasTextAsJSON: Bool { allVariants.contains(where: \.isTextAsJSON) }

    func flag() throws(ImportProblem) -> ImportedFlag {
        var flag = ImportedFlag(key: name, path: node.path, settings: settings)
        flag.description = node.annotation("description")
        let dependencies = try UnleashDependency(child: name, parents: parents, segments: segments)
            .condition(ofAll: node["dependencies"])
        guard try node.required("enabled").boolean(), strategies.allSatisfy({ $0.constraints != nil }) else {
            return flag
        }
        if strategies.isEmpty { flag.rules += rules(dependencies, variants, comment: ["Everyone."], path: node.path) }
        for strategy in strategies {
            for alternative in strategy.alternatives {
                flag.rules += rules(
                    .all([dependencies, alternative]), strategy.variants ?? variants, comment: [strategy.comment],
                    path: strategy.node.path, id: RuleID.short(strategy.node.annotation("id")))
            }
        }
        return flag
    }

    private var allVariants: [UnleashVariants.Variant] {
        (variants?.variants ?? []) + strategies.flatMap { $0.variants?.variants ?? [] }
    }

    private var settings: [ImportedSetting] {
        var settings = [ImportedSetting(name, false)]
        if !allVariants.isEmpty { settings.append(ImportedSetting("\(name).variant", .null)) }
        if allVariants.contains(where: { $0.payload != .null }) {
            settings.append(ImportedSetting("\(name).payload", .null))
        }
        return settings
    }

    private func arm(_ variant: UnleashVariants.Variant) -> Arm {
        var settings = [ImportedSetting(name, true), ImportedSetting("\(name).variant", .string(variant.name))]
        if variant.payload != .null { settings.append(ImportedSetting("\(name).payload", variant.payload)) }
        return Arm(key: variant.name, settings: settings)
    }

    private func rules(
        _ condition: Guard, _ variants: UnleashVariants?, comment: [String], path: PayloadPath, id: String? = nil
    ) -> [ImportedRule] {
        let enabled = Arm(key: UnleashParents.enabledArm(of: node), settings: [ImportedSetting(name, true)])
        var decisions = variants?.decisions(arm) ?? []
        // Units without the ID of the variants: Unleash randomises them anew on each call.
        let units = Set(condition.drawnUnits)
        if variants.map({ $0.variants.count > 1 && units.isDisjoint(with: $0.stickiness.fields.map(\.name)) }) ?? true {
            decisions.append((.always, .value(enabled)))
        }
        return decisions.map { decision in
            ImportedRule(
                name: name, id: id, path: path, comment: comment, condition: .all([condition, decision.condition]),
                outcome: decision.outcome)
        }
    }
}

extension Guard {
    fileprivate var drawnUnits: [String] {
        switch self {
        case .draw(let draw, _): [draw.unit]
        case .all(let parts): parts.flatMap(\.drawnUnits)
        default: []
        }
    }
}
