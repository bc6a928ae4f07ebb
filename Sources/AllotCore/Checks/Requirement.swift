// Check: `requires`.

/// The compiled form of an entry of `requires`.
struct CompiledRequirement: Sendable {
    /// The index of the other experiment, which is decided first.
    let experiment: Int
    /// The indices of its variants that admit a unit; ``noVariant`` stands for no variant.
    let variants: Pool<Int>.Part
    static let noVariant = -1

    /// - Parameter variants: those of the other experiment.
    init(
        _ requirement: ExperimentDefinition.Requirement, experiment: Int, variants: [VariantDefinition],
        _ pool: inout Pool<Int>
    ) {
        self.experiment = experiment
        self.variants =
            switch requirement.admitted {
            case .variants(let keys): pool.append(keys.compactMap { key in variants.firstIndex { $0.key == key } })
            case .noVariant: pool.append([Self.noVariant])
            }
    }
}

extension DecisionLoop {
    /// Only a unit that is assigned one of the named variants of the other experiment is admitted, however it got it;
    /// after `none` only a unit that is assigned no variant there, for whatever reason.
    @inline(never) func requirement<R: Recorder>(
        _ requirement: CompiledRequirement, assigned: Int?, _ recorder: inout R
    ) -> Decision? {
        let variant = assigned ?? CompiledRequirement.noVariant
        var isMet = false
        for position in requirement.variants.positions where compiled.requiredVariants[position] == variant {
            isMet = true
        }
        recorder.requirement(requirement.experiment, assigned: assigned, isMet: isMet)
        return isMet ? nil : .none(.requirement)
    }
}
