// Check: slots of a layer.

/// The compiled form of an experiment's `layer` and `slots`.
struct CompiledSlots: Sendable {
    let layer: Int32
    let slots: Pool<Range<Int>>.Part
}

extension DecisionLoop {
    /// A unit's first bucket under the layer's salt, or its number of another system's hash, is its slot, and a running
    /// experiment enrols its own slots only: so a unit is in at most one experiment of the layer. A winner ignores
    /// slots. A subject without a unit ID for this layer has no slot.
    @inline(__always) func slot<R: Recorder>(_ slots: CompiledSlots, bucket: Int?, _ recorder: inout R) -> Decision? {
        var isInside = false
        if let bucket {
            for position in slots.slots.positions where compiled.slots[position].contains(bucket) { isInside = true }
        }
        recorder.slot(layer: Int(slots.layer), bucket: bucket, isInside: isInside)
        return isInside ? nil : .none(.slot)
    }
}
