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
        layers = Dictionary(all.layers.layers.map { (UTF8Key($0.value.name), $0.value) }) { first, _ in first }
        holdouts = all.holdouts.holdouts.map(\.value)
        indices = all.experiments.indicesByKey
    }

    func problems() -> [DefinitionProblem] {
        experiments.filter(\.isRandomising).flatMap { experiment in
            unreachableVariants(of: experiment.definition).map { variant in
                experiment.problem(
                    .warning, at: nil,
                    "no unit can be assigned the variant \(variant.key) unless it is forced: the slots, holdouts, "
                        + "traffic or required variants under the same salt leave none of its buckets; give the "
                        + "experiment another salt, which randomises it anew, or change the buckets")
            }
        }
    }

    /// The variants with buckets that no unit has of those that come to the choice of a variant at some instant.
    private func unreachableVariants(of experiment: ExperimentDefinition) -> [VariantDefinition] {
        // Under Allot's own hash an experiment, a layer and a holdout must not have one salt.
        if experiment.requirements.isEmpty, experiment.draw?.hash.foreign == nil { return [] }
        var (running, box, isClosed) = (experiment, BucketBox(), false)
        running.status = .running
        let layer = experiment.layer.flatMap { layers[UTF8Key($0)] }
        return running.gates(layer: layer, holdouts: holdouts, at: nil).compactMap { gate in
            switch gate {
            case .buckets(let dimension, let set, _):
                isClosed = isClosed || set.isEmpty
                box.restrict(dimension, to: set)
            case .requirement(let requirement) where requirement.experiment != experiment.key:
                require(requirement, in: &box)
            case .variant(let index, let dimension, let set):
                var units = box
                units.restrict(dimension, to: set)
                if units.isEmpty, !isClosed, !set.isEmpty { return experiment.variants[index] }
            case .unit, .forced, .displacement, .requirement, .audience, .end: break
            }
            return nil
        }
    }

    /// Keeps the units that are randomised into a required variant, where no unit is forced into one.
    private func require(_ requirement: ExperimentDefinition.Requirement, in box: inout BucketBox) {
        guard case .variants = requirement.admitted, let index = indices[UTF8Key(requirement.experiment)],
            experiments[index].isRandomising, !experiments[index].definition.forcesUnit(admittedBy: requirement),
            let draw = experiments[index].definition.draw
        else { return }
        let admitted = experiments[index].definition.variants.filter { requirement.admits($0.key) }
        let buckets = BucketSet(admitted.flatMap(\.buckets))
        if !buckets.isEmpty { box.restrict(BucketDimension(draw, half: .second), to: buckets) }
    }
}

extension ExperimentFile {
    /// Whether it gives variants by buckets once it runs, all of which could be read.
    fileprivate var isRandomising: Bool {
        isComparable && places.status != nil && hasHash && hasAllVariants && definition.forcesUnits
    }
}
