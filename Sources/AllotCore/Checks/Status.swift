// Checks: paused and draft. The other two values of `status` are what these leave: a running experiment goes through
// all further checks, a concluded one ends with its conclusion.

extension DecisionLoop {
    /// A paused experiment assigns no unit, not even the units that it forces.
    @inline(__always) func paused<R: Recorder>(_ experiment: CompiledExperiment, _ recorder: inout R) -> Decision? {
        recorder.status(experiment.status)
        return experiment.status == .paused ? .none(.paused) : nil
    }

    /// A draft assigns forced units only.
    @inline(__always) func draft(_ experiment: CompiledExperiment) -> Decision? {
        experiment.status == .draft ? .none(.draft) : nil
    }
}

extension ExperimentStatus {
    /// Whether an experiment of this status assigns the units that it forces: a draft or a running one.
    @inlinable package var forcesUnits: Bool { self == .draft || self == .running }
}
