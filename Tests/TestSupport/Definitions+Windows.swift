import AllotConfiguration
import AllotCore

extension Definitions {
    /// The same definitions with units of several attributes and periods in some places: windows of 1 to 12 seconds.
    package func withWindows(_ random: inout SeededGenerator) -> Definitions {
        let composites = ["user_id|org_id", "org_id|user_id", "org_id|user_id|country"]
        var definitions = self
        definitions.layers = layers.map { layer in
            guard random.chance(0.5) else { return layer }
            return LayerDefinition(name: layer.name, hash: layer.hash, unit: random.pick(composites))
        }
        definitions.holdouts = holdouts.map { holdout in
            guard random.chance(0.5) else { return holdout }
            return HoldoutDefinition(
                name: holdout.name, hash: holdout.hash, unit: random.pick(composites), share: holdout.share,
                scope: holdout.scope)
        }
        for index in experiments.indices where experiments[index].draw != nil {
            var experiment = experiments[index]
            if random.chance(0.5) { experiment.draw?.unit = random.pick(composites) }
            if random.chance(0.5) {
                let forced = ["id-1|id-2", "a\\|b|id-1"].map {
                    ExperimentDefinition.ForcedUnit(unitID: $0, variant: experiment.variants[0].key)
                }
                experiment.forced = (experiment.forced + forced).sorted { UTF8Order.precedes($0.unitID, $1.unitID) }
            }
            if experiment.hash?.foreign == nil, random.chance(0.6) {
                experiment.draw?.period = Period(
                    every: Int64.random(in: 1...12, using: &random),
                    from: Instant(seconds: Int64.random(in: -5...15, using: &random)),
                    isBalanced: random.chance(0.5))
            }
            definitions.experiments[index] = experiment
        }
        return definitions
    }
}

extension RandomDefinitions {
    /// Attributes with every kind of unit ID, and with parts of unit IDs that need escapes.
    package static func attributesWithParts(_ random: inout SeededGenerator) -> [String: String] {
        var attributes = attributes(&random)
        for name in ["user_id", "org_id"] {
            if random.chance(0.2) { attributes[name] = random.pick(["a|b", "a\\", "|", "\\|"]) }
            if random.chance(0.3) { attributes[name] = random.pick(["id-1", "id-2"]) }
        }
        return attributes
    }
}
