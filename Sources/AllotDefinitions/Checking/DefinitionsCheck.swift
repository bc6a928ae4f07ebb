import Allot

/// Checks definitions together: the experiments against each other, and the names that definitions refer to.
struct DefinitionsCheck: Sendable {
    let experiments: [ExperimentFile]
    let definitions: [ExperimentDefinition]
    /// The keys of all experiments, those that cannot be read included.
    let keys: KnownNames
    let layers: LayersFile
    let holdouts: HoldoutsFile
    let now: Instant

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
        }
        return conflicts + others
    }
}
