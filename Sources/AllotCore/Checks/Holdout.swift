import AllotConfiguration

// Check: holdouts.

extension HoldoutDefinition {
    /// Whether the holdout covers an experiment: one that it names, itself or by its layer; without names every
    /// experiment on the same unit. An experiment without a draw is covered by none.
    package func covers(_ experiment: ExperimentDefinition) -> Bool {
        guard let draw = experiment.draw else { return false }
        guard let scope else { return UTF8Order.areEqual(draw.unit, unit) }
        return scope.experiments.contains(experiment.key) || experiment.layer.map(scope.layers.contains) ?? false
    }
}

extension DecisionLoop {
    /// No covered experiment may touch a unit whose first bucket under the holdout's salt (or its number of another
    /// system's hash) is below its share: neither with a split nor with a winner. A subject without a unit ID for this
    /// holdout, which has no bucket, is not held out.
    @inline(never) func holdout<R: Recorder>(_ holdout: Int, bucket: Int?, _ recorder: inout R) -> Decision? {
        let isHeldOut = bucket.map { $0 < compiled.holdouts[holdout].share } ?? false
        recorder.holdout(holdout, bucket: bucket, isHeldOut: isHeldOut)
        return isHeldOut ? .none(.holdout) : nil
    }
}
