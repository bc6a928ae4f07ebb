import Allot

/// Checks definitions together: the experiments against each other, and the names that definitions refer to.
struct DefinitionsCheck: Sendable {
    let base: BaseFile
    let experiments: [ExperimentFile]
    let definitions: [ExperimentDefinition]
    /// The keys of all experiments, those that cannot be read included.
    let keys: KnownNames
    let layers: LayersFile
    let holdouts: HoldoutsFile
    let now: Instant
    let limits: DefinitionLimits

    /// All problems.
    func problems() -> [DefinitionProblem] {
        let settings = OverrideIndex(definitions, variants: { definitions[$0].canAssign(variant: $1) })
        let (conflicts, others) = Workers.forExperiments(experiments.count).both {
            var conflicts = ConflictCheck(experiments, definitions, settings: settings)
            return conflicts.problems()
        } _: {
            ReferenceCheck(layers: layers, holdouts: holdouts, experiments: experiments, keys: keys, now: now)
                .problems()
                + SlotCheck(experiments: experiments).problems()
                + ForcedCheck(experiments, settings: settings).problems()
                + sizeProblems()
        }
        return conflicts + others
    }

    /// The problem of values that come to too many bytes with overrides; none if the base alone has it.
    private func sizeProblems() -> [DefinitionProblem] {
        let size = ValueSize(base: base.values, experiments: definitions)
        guard size.bytes > limits.valueBytes, let largest = size.largest,
            ValueSize(base: base.values, experiments: []).bytes <= limits.valueBytes
        else { return [] }
        let experiment = experiments[largest.experiment]
        var reader = FileReader(file: experiment.file)
        reader.error(
            "with the largest overrides the values of a configuration come to \(size.bytes) bytes; at most "
                + "\(limits.valueBytes) are allowed (raise it with --max-value-bytes). This override adds the most, "
                + "\(largest.bytes)",
            at: experiment.places.override(largest.path, variant: largest.variant) ?? experiment.places.root)
        return reader.problems.problems
    }
}
