import AllotConfiguration
import AllotCore

/// A flag as settings of the base, and experiments that override them. `Sendable`.
struct LoweredFlag: Sendable {
    let key: String
    let path: PayloadPath
    let description: String?
    let owner: String?
    var settings: [ImportedSetting] = []
    /// In the order of the rules; a unit is assigned a variant of at most one of them.
    var experiments: [LoweredExperiment] = []
    /// Whether the last experiment serves the default, which the base cannot hold.
    var hasDefaultExperiment = false
    var base = Served(arm: nil, isDefault: true)

    struct Served: Sendable {
        var arm: String?
        var isDefault = false
    }

    func alternatives(serving arms: Set<String>, orDefault: Bool, isNegated: Bool) -> [Conjunction] {
        let arms = Set(arms.map(UTF8Key.init))
        func isWanted(_ served: Served) -> Bool {
            let matches = served.arm.map { arms.contains(UTF8Key($0)) } ?? false
            return (matches || (served.isDefault && orDefault)) != isNegated
        }
        let wanted = experiments.map { experiment in experiment.variants.filter { isWanted($0.served) }.map(\.key) }
        var found: [Conjunction] = []
        let takesBase = isWanted(base)
        if takesBase {
            // A unit that is in none of the experiments with other arms gets the base or a wanted arm.
            var conjunction = Conjunction()
            for (experiment, keys) in zip(experiments, wanted) where keys.count < experiment.variants.count {
                conjunction.requirements[experiment.key] = .noVariant
            }
            found.append(conjunction)
        }
        for (experiment, keys) in zip(experiments, wanted) where !keys.isEmpty {
            if takesBase, keys.count == experiment.variants.count { continue }
            found.append(Conjunction(requirements: [experiment.key: .variants(Set(keys))]))
        }
        return found
    }
}

struct LoweredExperiment: Sendable {
    let key: String
    /// The other system's name of it, where that has one.
    let name: String?
    var comment: [String] = []
    /// The attribute that holds the unit ID, by Allot's name; `nil` for `unit: none`.
    let unit: String?
    var draw: Draw?
    /// The guard without what other members say. Its slots are settled when it is known which layers Allot can have.
    var rest = Conjunction()
    var layer: Conjunction.DrawPart?
    var variants: [LoweredVariant] = []
}

struct LoweredVariant: Sendable {
    let key: String
    let served: LoweredFlag.Served
    var buckets = BucketSet.none
    var settings: [ImportedSetting]
}
