// Check: a concluded experiment.

extension DecisionLoop {
    /// A concluded experiment gives its winner to everyone in the audience, whatever traffic, slots and schedule say;
    /// without a winner it assigns nobody.
    @inline(__always)
    func conclusion(_ experiment: CompiledExperiment) -> Decision? {
        guard experiment.status == .concluded else { return nil }
        return experiment.winner.map { .assigned(Int($0), .winner) } ?? .none(.concluded)
    }
}
