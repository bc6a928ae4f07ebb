import AllotConfiguration
import AllotCore

/// Finds variants that no unit is assigned although they have buckets: what else the experiment asks of the buckets
/// under the same salt leaves none of theirs.
struct VariantCheck {
    private let experiments: [ExperimentFile]
    private let layers: [UTF8Key: LayerDefinition]
    private let holdouts: [HoldoutDefinition]
    private let indices: [UTF8Key: Int]

    init(_ all: DefinitionsCheck) {
        experiments = all.experiments
        layers = Dictionary(
            all.layers.layers.map { (UTF8Key($0.value.name), $0.value) }, uniquingKeysWith: { first, _ in first })
        holdouts = all.holdouts.holdouts.map(\.value)
        indices = all.experiments.indicesByKey
    }

    func problems() -> [DefinitionProblem] {
        experiments.filter(\.isRandomising).flatMap { experiment -> [DefinitionProblem] in
            guard let draw = experiment.definition.draw else { return [] }
            let gates = gates(of: experiment.definition, draw)
            if gates.isEmpty { return [] }
            let unreachable = experiment.definition.variants.filter { variant in
                var box = gates
                box.restrict(BucketDimension(draw, half: .second), to: BucketSet(variant.buckets))
                return !variant.buckets.isEmpty && box.isEmpty
            }
            return unreachable.map { variant in
                experiment.problem(
                    .warning, at: nil,
                    "no unit can be assigned the variant \(variant.key) unless it is forced: the slots, holdouts, "
                        + "traffic or required variants under the same salt leave none of its buckets; give the "
                        + "experiment another salt, which randomises it anew, or change the buckets")
            }
        }
    }

    /// The buckets of all units that come to the choice of a variant at some instant.
    private func gates(of experiment: ExperimentDefinition, _ draw: UnitDraw) -> BucketBox {
        var box = BucketBox()
        if let layer = experiment.layer.flatMap({ layers[UTF8Key($0)] }) {
            box.restrict(layer.dimension, to: BucketSet(experiment.slots))
        }
        for holdout in holdouts where holdout.covers(experiment) {
            box.restrict(holdout.dimension, to: holdout.freeBuckets)
        }
        if experiment.drawsTraffic {
            box.restrict(
                BucketDimension(draw, half: .first), to: BucketSet([0..<experiment.traffic.highestShare]))
        }
        for requirement in experiment.requirements {
            guard case .variants(let keys) = requirement.admitted, let index = indices[UTF8Key(requirement.experiment)],
                experiments[index].isRandomising, !experiments[index].definition.forcesAnyUnit,
                let draw = experiments[index].definition.draw
            else { continue }
            let admitted = experiments[index].definition.variants.filter { variant in
                keys.contains { UTF8Order.areEqual($0, variant.key) }
            }
            box.restrict(BucketDimension(draw, half: .second), to: BucketSet(admitted.flatMap(\.buckets)))
        }
        return box
    }
}

extension ExperimentFile {
    /// Whether it gives variants by buckets once it runs, all of which could be read.
    fileprivate var isRandomising: Bool {
        isComparable && places.status != nil && hasHash && hasAllVariants
            && (definition.status == .running || definition.status == .draft)
    }
}
