// Check: the experiment's unit ID.

extension DecisionLoop {
    /// A subject whose unit ID is missing, empty or invalid is not assigned, and never gets a default variant. An
    /// experiment without a draw needs no unit ID. The rule of a valid one is ``UnitID``'s. A plan compiles the
    /// experiment's `unit` to the index of an attribute.
    @inline(__always) func unit<R: Recorder>(_ value: AttributeValue, _ recorder: inout R) -> Decision? {
        let isValid = UnitID.isValid(value)
        recorder.unit(value, isValid: isValid)
        return isValid ? nil : .none(.noUnit)
    }
}
