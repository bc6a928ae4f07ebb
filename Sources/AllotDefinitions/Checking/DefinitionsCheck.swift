import AllotCore

/// Checks definitions together: the experiments against each other, and references.
struct DefinitionsCheck: Sendable {
    let base: BaseFile
    let experiments: [ExperimentFile]
    let definitions: [ExperimentDefinition]
    /// The keys of all experiments, those that cannot be read included.
    let keys: KnownNames
    let layers: LayersFile
    let holdouts: HoldoutsFile
    let segments: SegmentsFile
    let now: Instant
    let limits: DefinitionLimits

    func problems() -> [DefinitionProblem] {
        let settings = OverrideIndex(definitions, variants: { definitions[$0].canAssign(variant: $1) })
        let (conflicts, others) = Workers.forExperiments(experiments.count).both {
            var conflicts = ConflictCheck(experiments, definitions, settings: settings)
            return conflicts.problems()
        } _: {
            var references = ReferenceCheck(self)
            var enrolment = EnrolmentCheck(self)
            return references.problems() + enrolment.problems() + RedundancyCheck(experiments: experiments).problems()
                + VariantCheck(self).problems() + SlotCheck(experiments: experiments).problems()
                + ForcedCheck(experiments, settings: settings).problems()
                + AttributeCheck(
                    audiences: segments.written + experiments.compactMap(\.audience),
                    units: (experiments.compactMap(\.unit) + layers.layers.map { $0.unit($0.value.unit) }
                        + holdouts.holdouts.map { $0.unit($0.value.unit) }).flatMap(\.unitParts)
                ).problems() + sizeProblems() + caseProblems()
        }
        return conflicts + others
    }

    private func caseProblems() -> [DefinitionProblem] {
        var check = CaseCheck("experiments")
        return experiments.compactMap { experiment in
            check.warning(experiment.definition.key).map { experiment.problem(.warning, at: nil, $0) }
        }
    }

    /// The problem of values that come to too many bytes with overrides; none if the base alone has it.
    private func sizeProblems() -> [DefinitionProblem] {
        let size = ValueSize(base: base.values, experiments: definitions)
        guard size.bound > limits.valueBytes, size.base <= limits.valueBytes, let largest = size.largest else {
            return []
        }
        let experiment = experiments[largest.experiment]
        let place = experiment.places.overrides[largest.variant]
        let limit = "at most \(limits.valueBytes) are allowed (raise it with limits.value_bytes of the base)"
        if size.bytes > limits.valueBytes {
            let message = "with this variant the values of a configuration come to \(size.bytes) bytes; \(limit)"
            return [experiment.problem(at: place, message)]
        }
        let message =
            "with variants of several experiments the values of a configuration can come to \(size.bound) bytes, "
            + "as far as layers tell, and this one adds the most; \(limit)"
        return [experiment.problem(.warning, at: place, message)]
    }
}
