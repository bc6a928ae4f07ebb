// Check: the audience condition.

extension DecisionLoop {
    /// Only subjects for which the condition holds are eligible, for a winner as well as for a split. A plan compiles
    /// an audience to the root of its condition, and that of everyone to none.
    @inline(__always) func audience<R: Recorder>(
        _ experiment: CompiledExperiment, row: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ recorder: inout R
    ) -> Decision? {
        guard let root = experiment.audience else {
            recorder.audience(matches: nil)
            return nil
        }
        let matches = conditions.holds(Int(root), row: row, values, bytes, &recorder)
        recorder.audience(matches: matches)
        return matches ? nil : .none(.audience)
    }
}
