// Check: `requires`.

/// What a plan compiles one entry of `requires` to.
struct CompiledRequirement: Sendable {
    /// The other experiment's index; it is decided before.
    let experiment: Int
    /// The indices of its variants that admit a unit.
    let variants: Pool<Int>.Part
}

extension DecisionLoop {
    /// Only a unit that is assigned one of the named variants of the other experiment is admitted, however it got it.
    ///
    /// - Parameter assigned: the index of the variant that the unit is assigned there, `nil` for none.
    @inline(never)
    func requirement<R: Recorder>(
        _ requirement: CompiledRequirement, assigned: Int?, _ recorder: inout R
    ) -> Decision? {
        var isMet = false
        for position in requirement.variants.positions where compiled.requiredVariants[position] == assigned {
            isMet = true
        }
        recorder.requirement(requirement.experiment, assigned: assigned, isMet: isMet)
        return isMet ? nil : .none(.requirement)
    }
}
