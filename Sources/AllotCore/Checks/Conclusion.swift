// Check: a concluded experiment, and one without a draw.

extension DecisionLoop {
    /// A concluded experiment gives its winner to everyone in the audience, whatever traffic, slots and schedule say;
    /// without a winner it assigns no unit. A running experiment without a draw gives its one variant to everyone in
    /// the audience.
    @inline(__always) func conclusion(_ experiment: CompiledExperiment) -> Decision? {
        guard experiment.status == .concluded else { return experiment.draws ? nil : .assigned(0, .everyone) }
        return experiment.winner.map { .assigned(Int($0), .winner) } ?? .none(.concluded)
    }
}
