// The hashes of an experiment that is decided alone.

extension DecisionLoop {
    /// Hashes what an experiment that is decided alone reads of one subject: its units under the salts of its layer and
    /// its holdouts, and under its own salt unless its slots admit few units. Two or three hashes at once take little
    /// longer than one. Returns the buckets under its own salt if they are known.
    @inline(__always) func hashTogether(
        _ index: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ scratch: inout Scratch
    ) -> BucketPair? {
        let experiment = compiled.experiments.span[index]
        // What finds no room here is hashed when it is read.
        var gates = InlineArray<3, Int>(repeating: 0)
        var count = 0
        func note(_ gate: Int) {
            guard count < gates.count, !scratch.gates.areKnown(gate) else { return }
            gates[count] = gate
            count &+= 1
        }
        for position in experiment.holdouts.positions {
            note(compiled.layers.count &+ compiled.holdoutIndices[position])
        }
        if experiment.checks.contains(.slot), let layer = experiment.slots?.layer { note(Int(layer)) }
        guard count &+ (experiment.drawsMostUnits ? 1 : 0) > 1 else { return nil }
        return hash(gates, count, andOwnOf: experiment.drawsMostUnits ? index : nil, values, bytes, &scratch)
    }

    /// Hashes one subject's units under the salts of some layers and holdouts, and of an experiment, together.
    @inline(never) private func hash(
        _ gates: InlineArray<3, Int>, _ count: Int, andOwnOf index: Int?, _ values: Span<AttributeValue>,
        _ bytes: Span<UInt8>, _ scratch: inout Scratch
    ) -> BucketPair? {
        var gates = gates
        var hashed = 0
        for position in 0..<count {
            let gate = gates[position]
            guard append(gate: gate, values, bytes, to: &scratch.together) else { continue }
            gates[hashed] = gate
            hashed &+= 1
        }
        if let index {
            // One attribute holds the unit ID of an experiment that is hashed together with its gates.
            let unit = compiled.experiments.span[index].unit.attribute.map { values[$0].range } ?? 0..<0
            scratch.together.append(bytes.extracting(unit), under: compiled.salts.span[index])
        }
        scratch.together.hash()
        for position in 0..<hashed {
            scratch.gates.setKnown(gates[position])
            scratch.gates[gates[position], 0] = scratch.together[position].first
        }
        defer { scratch.together.removeAll() }
        return index == nil ? nil : scratch.together[hashed]
    }

    /// Appends a subject's unit of a layer or holdout. Returns `false` if it has none, if another system hashes it, and
    /// for a unit of several attributes.
    @inline(__always) private func append(
        gate number: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, to hashes: inout HashQueue
    ) -> Bool {
        let layers = compiled.layers.count
        func append(_ gate: borrowing CompiledGate) -> Bool {
            guard gate.foreignHash == nil, let attribute = gate.unit.attribute else { return false }
            let unit = values[attribute]
            guard UnitID.isValid(unit) else { return false }
            hashes.append(bytes.extracting(unit.range), under: gate.salt)
            return true
        }
        return number < layers ? append(compiled.layers.span[number]) : append(compiled.holdouts.span[number &- layers])
    }
}
