// Check: the share of eligible units that is enrolled.

extension DecisionLoop {
    /// A unit is enrolled if its first bucket is below the traffic. The variant depends on the second bucket only, so
    /// raising the traffic moves nobody between variants.
    @inline(__always)
    func traffic<R: Recorder>(_ experiment: CompiledExperiment, bucket: Int, _ recorder: inout R) -> Decision? {
        let isBelow = bucket < Int(experiment.traffic)
        recorder.traffic(bucket: bucket, isBelow: isBelow)
        return isBelow ? nil : .none(.traffic)
    }
}
