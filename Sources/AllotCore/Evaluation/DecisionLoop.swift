/// The loop over the checks, the same for one subject and for many, with its steps written down or not. One
/// experiment is taken after another, and each check of it for all subjects that are left, so that many unit IDs are
/// hashed together. The loop is constant, and writes a ``Scratch``. Subjects are the rows 0 ..< count of `values`, one
/// after another with a value for each attribute of the plan; texts point into `bytes`.
struct DecisionLoop: Sendable {
    let plan: Plan
    /// The instant of evaluation, unless subjects have their own.
    var instant: Instant
    /// By row its own instant; empty where all rows are decided at ``instant``.
    var instants: [Instant] = []
    /// The experiments that are decided: the selected ones and those that they require, which come before them.
    private let order: [Int]
    /// Whether an experiment is selected, rather than required by one that is; `nil` where all are selected.
    private let isSelected: [Bool]?
    @inline(__always) var compiled: CompiledPlan { plan.compiled }
    @inline(__always) var conditions: ConditionProgram { plan.compiled.conditions }
    let attributeCount: Int

    init(plan: Plan, at instant: Instant, selection: [Int]?) {
        (self.plan, self.instant) = (plan, instant)
        order = selection.map(plan.compiled.order.closure) ?? plan.compiled.order.indices
        isSelected = selection.map { selection in
            var isSelected = Array(repeating: false, count: plan.experiments.count)
            for index in selection { isSelected[index] = true }
            return isSelected
        }
        attributeCount = plan.attributes.names.count
    }

    /// Decides every experiment for a group of subjects. A recorder that hears everything takes one subject at a time.
    @inline(__always) func decide<R: Recorder>(
        _ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ scratch: inout Scratch,
        _ recorder: inout R
    ) {
        scratch.gates.removeAll()
        joinUnits(count, values, bytes, &scratch)
        findForced(count, values, bytes, scratch.joined, &scratch.forced)
        if count == 1, scratch.capacity == 1 {
            let isAlone = order.count == 1
            for position in order.indices {
                decideOne(order[position], isAlone: isAlone, values, bytes, &scratch, &recorder)
            }
        } else {
            decideMany(count, values, bytes, &scratch, &recorder)
        }
        draw(&scratch, &recorder)
    }

    /// Decides one experiment for one subject, and those that it requires, in memory for one. `isSame` says whether it
    /// is the subject of the decision before, whose layers and holdouts are hashed.
    @inline(__always) func decide<R: Recorder>(
        experiment: Int, isSame: Bool = false, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ scratch: inout Scratch, _ recorder: inout R
    ) {
        compiled.prefetch(experiment)
        scratch.decisions.prefetch(experiment)
        if !isSame {
            scratch.gates.removeAll()
            joinUnits(1, values, bytes, &scratch)
        }
        let checks = compiled.experiments[experiment].checks
        if !checks.contains(.requirement) {
            // Looking for a unit among all that are forced takes as long as a hash.
            if R.hearsEverything || checks.contains(.forced) || checks.contains(.displacement) {
                findForced(1, values, bytes, scratch.joined, &scratch.forced)
            }
            decideOne(experiment, isAlone: true, values, bytes, &scratch, &recorder)
        } else {
            findForced(1, values, bytes, scratch.joined, &scratch.forced)
            for index in compiled.order.closure(of: [experiment]) {
                decideOne(index, isAlone: false, values, bytes, &scratch, &recorder)
            }
            draw(&scratch, &recorder)
        }
    }

    /// Decides an experiment for one subject, in memory for one. Where it is the only one, its hash has only those of
    /// its own layer and holdouts to be made with.
    @inline(__always) private func decideOne<R: Recorder>(
        _ index: Int, isAlone: Bool, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ scratch: inout Scratch,
        _ recorder: inout R
    ) {
        recorder.begin(experiment: index)
        var checks = begin(index, &scratch, &recorder)
        // Steps are recorded in order.
        let isHashedAlone = R.hearsEverything || isAlone
        var own: BucketPair?
        var isHashed = !isAlone
        while let check = checks.popFirst() {
            let decision: Decision?
            if let bucketCheck = check.ofBuckets {
                guard lacksUnit(index, values, scratch, R.self) else {
                    guard isHashedAlone else {
                        hashUnit(index, values, bytes, &scratch, &recorder)
                        break
                    }
                    let checks = R.hearsEverything ? BucketChecks(allChecks(index)) : nil
                    scratch.decisions[index] = draw(
                        checks ?? compiled.experiments[index].bucketChecks, index, row: 0,
                        own ?? hash(index, values, bytes, scratch.joined), &recorder)
                    if R.hearsEverything { _ = recorder.goesOn(after: scratch.decisions[index]) }
                    break
                }
                decision = makeWithoutUnit(bucketCheck, index)
            } else {
                if !isHashed, check.readsGate {
                    own = hashTogether(index, values, bytes, &scratch)
                    isHashed = true
                }
                // The first, which every draw has, comes without the switch over all of them.
                decision =
                    check == .unit
                    ? unit(unitValue(compiled.experiments[index].unit, row: 0, values, scratch.joined), &recorder)
                    : make(check, index, row: 0, 1, values, bytes, &scratch, &recorder)
            }
            if let decision {
                scratch.decisions[index] = decision
                if R.hearsEverything, recorder.goesOn(after: decision) { continue }
                break
            }
        }
        if R.hearsEverything { scratch.decisions[index] = recorder.end(scratch.decisions[index]) }
    }

    /// Whether checks go on after a unit that was not given: then there is nothing to hash.
    @inline(__always) private func lacksUnit<R: Recorder>(
        _ index: Int, _ values: Span<AttributeValue>, _ scratch: borrowing Scratch, _ recorder: R.Type
    ) -> Bool {
        // Without `&&`, whose closure would hold the span: the optimiser of Swift 6.3.1 crashes on that.
        guard R.hearsEverything else { return false }
        return !UnitID.isValid(unitValue(compiled.experiments[index].unit, row: 0, values, scratch.joined))
    }

    /// Decides every experiment for many subjects: each check for all that the check before has left.
    @inline(__always) private func decideMany<R: Recorder>(
        _ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ scratch: inout Scratch,
        _ recorder: inout R
    ) {
        // The attribute that every subject has a valid unit ID in: most experiments draw by the same one.
        var validUnit = UnitSource.none
        for position in order.indices {
            let index = order[position]
            var checks = begin(index, &scratch, &recorder)
            let unit = compiled.experiments[index].unit
            if unit == validUnit { checks.remove(.unit) }
            var left = count
            if !checks.contains(.unit) { takeAll(count, &scratch.candidates) }
            while left > 0, let check = checks.popFirst(), check.ofBuckets == nil {
                // The two that most experiments have get loops of their own.
                if check == .unit {
                    let first = scratch.places.of(index, row: 0)
                    if let attribute = unit.attribute {
                        left = admit(
                            attribute, count, values, stride: attributeCount, &scratch.candidates, &scratch.decisions,
                            from: first, &recorder)
                    } else {
                        left = admitJoined(unit, count, from: first, &scratch, &recorder)
                    }
                    if left == count { validUnit = unit }
                } else if check == .audience, let root = compiled.experiments[index].audience {
                    left = filter(
                        Int(root), left, values, bytes, &scratch.candidates, &scratch.decisions,
                        from: scratch.places.of(index, row: 0), &recorder)
                } else {
                    left = settle(index, left, &scratch) { row, scratch in
                        make(check, index, row: row, count, values, bytes, &scratch, &recorder)
                    }
                }
            }
            if left > 0 { hashUnits(left, of: index, values, bytes, &scratch, &recorder) }
        }
    }

    /// The checks to make of the next experiment.
    @inline(__always)
    private func begin<R: Recorder>(_ index: Int, _ scratch: inout Scratch, _ recorder: inout R) -> CheckSet {
        // Every check is sound on every experiment: those that a plan leaves out could not have decided.
        let checks = R.hearsEverything ? allChecks(index) : compiled.experiments[index].checks
        // An experiment that requires others reads their decisions.
        if checks.contains(.requirement) { draw(&scratch, &recorder) }
        return checks
    }

    private func allChecks(_ index: Int) -> CheckSet {
        let experiment = compiled.experiments[index]
        guard experiment.draws else { return .withoutUnit }
        var checks = CheckSet.all
        // The one number is the split's.
        if experiment.foreignHash != nil { checks.remove(.traffic) }
        return checks
    }

    /// Makes all rows candidates: those of an experiment that has no check of the unit.
    @inline(never) private func takeAll(_ count: Int, _ candidates: inout [Int32]) {
        for row in 0..<count { candidates[row] = Int32(truncatingIfNeeded: row) }
    }

    /// Makes the check of the unit, which is the first of every draw; the rows that it leaves become candidates.
    @inline(__always) private func admit<R: Recorder>(
        _ unit: Int, _ count: Int, _ values: Span<AttributeValue>, stride: Int, _ candidates: inout [Int32],
        _ decisions: inout [Decision], from first: Int, _ recorder: inout R
    ) -> Int {
        var candidates = candidates.mutableSpan
        var decisions = decisions.mutableSpan
        var left = 0
        for row in 0..<count {
            let decision = self.unit(values[row &* stride &+ unit], &recorder)
            if let decision { decisions[first &+ row] = decision }
            candidates[left] = Int32(truncatingIfNeeded: row)
            left &+= decision == nil ? 1 : 0
        }
        return left
    }

    /// Makes the check of a unit of several attributes.
    @inline(never) private func admitJoined<R: Recorder>(
        _ unit: UnitSource, _ count: Int, from first: Int, _ scratch: inout Scratch, _ recorder: inout R
    ) -> Int {
        guard let composite = unit.composite else { return 0 }
        let joined = scratch.joined
        return admit(
            composite, count, joined.values.span, stride: joined.count, &scratch.candidates, &scratch.decisions,
            from: first, &recorder)
    }

    /// Makes a check for the rows that are left: decides those to which it applies, and returns how many it leaves.
    @inline(__always) func settle(
        _ index: Int, _ left: Int, _ scratch: inout Scratch,
        _ check: (_ row: Int, _ scratch: inout Scratch) -> Decision?
    ) -> Int {
        var kept = 0
        for position in 0..<left {
            let row = scratch.candidates[position]
            if let decision = check(Int(row), &scratch) {
                scratch.decisions[scratch.places.of(index, row: Int(row))] = decision
            } else {
                scratch.candidates[kept] = row
                kept &+= 1
            }
        }
        return kept
    }

    /// Makes a check for a row. Returns `nil` if it leaves the decision to the checks that follow. The checks that few
    /// experiments have are never inlined, so that this function is small enough for the loops.
    @inline(__always) private func make<R: Recorder>(
        _ check: Check, _ index: Int, row: Int, _ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ scratch: inout Scratch, _ recorder: inout R
    ) -> Decision? {
        let experiment = compiled.experiments[index]
        switch check {
        case .unit: return unit(unitValue(experiment.unit, row: row, values, scratch.joined), &recorder)
        case .paused: return paused(experiment, &recorder)
        case .forced: return forced(index, row: row, scratch.forced, &recorder)
        case .draft: return draft(experiment)
        case .displacement: return displacement(index, row: row, scratch.forced, &recorder)
        case .schedule: return schedule(index, row: row, &recorder)
        case .holdout:
            for position in experiment.holdouts.positions {
                let number = compiled.holdoutIndices[position]
                let gate = compiled.layers.count &+ number
                hash(gate, count, values, bytes, &scratch, &recorder)
                if let decision = holdout(number, bucket: scratch.gates[gate, row], &recorder) { return decision }
            }
            return nil
        case .slot:
            guard experiment.status == .running, let slots = experiment.slots else { return nil }
            let layer = Int(slots.layer)
            hash(layer, count, values, bytes, &scratch, &recorder)
            return slot(slots, bucket: scratch.gates[layer, row], &recorder)
        case .requirement:
            for position in experiment.requirements.positions {
                let requirement = compiled.requirements[position]
                let other = scratch.decisions[scratch.places.of(requirement.experiment, row: row)]
                guard let decision = self.requirement(requirement, assigned: other.variant, &recorder) else { continue }
                // Another requirement may refuse the unit whatever is missing.
                if R.hearsEverything, recorder.goesOn(after: decision) { continue }
                return decision
            }
            return nil
        case .audience:
            let start = row &* attributeCount
            let subject = count == 1 ? values : values.extracting(start..<values.count)
            return audience(experiment, row: row, subject, bytes, &recorder)
        case .conclusion: return conclusion(experiment)
        // They read the buckets, which are hashed for several units at a time.
        case .traffic, .split: return nil
        }
    }

    @inline(__always) func instant(of row: Int) -> Instant { instants.isEmpty ? instant : instants[row] }

    /// Makes the check of the audience for many rows: one test of the condition after another.
    private func filter<R: Recorder>(
        _ root: Int, _ left: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ candidates: inout [Int32],
        _ decisions: inout [Decision], from first: Int, _ recorder: inout R
    ) -> Int {
        var candidates = candidates.mutableSpan
        var decisions = decisions.mutableSpan
        for position in 0..<left { decisions[first &+ Int(candidates[position])] = .none(.audience) }
        return conditions.filter(root, &candidates, 0..<left, values, stride: attributeCount, bytes, &recorder)
    }

    /// Hashes the units of a layer or holdout, unless they are hashed already.
    @inline(__always)
    private func hash<R: Recorder>(
        _ number: Int, _ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ scratch: inout Scratch, _ recorder: inout R
    ) {
        if !scratch.gates.areKnown(number) { hashAll(number, count, values, bytes, &scratch, &recorder) }
    }

    @inline(never) private func hashAll<R: Recorder>(
        _ number: Int, _ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ scratch: inout Scratch,
        _ recorder: inout R
    ) {
        let layers = compiled.layers.count
        let gate = number < layers ? compiled.layers[number] : compiled.holdouts[number - layers]
        scratch.gates.setKnown(number)
        guard count > 1 else {
            scratch.gates[number, 0] = bucket(gate, row: 0, values, bytes, scratch.joined)
            return
        }
        guard gate.foreignHash == nil, let attribute = gate.unit.attribute else {
            let joined = scratch.joined
            for row in 0..<count {
                let own = values.extracting(row &* attributeCount..<values.count)
                scratch.gates[number, row] = bucket(gate, row: row, own, bytes, joined)
            }
            return
        }
        draw(&scratch, &recorder)
        scratch.draws.hash(count, bytes, under: gate.salt) { row in
            let unit = values[row &* attributeCount &+ attribute]
            return UnitID.isValid(unit) ? unit.range : 0..<0
        }
        for row in 0..<count {
            let isUnit = UnitID.isValid(values[row &* attributeCount &+ attribute])
            scratch.gates[number, row] = isUnit ? scratch.draws.firstBucket(row) : nil
        }
        scratch.draws.forgetHashes()
    }

    /// The bucket of a row's unit, by the row's own values, under the salt of a layer or holdout. Returns `nil` without
    /// a unit ID.
    private func bucket(
        _ gate: CompiledGate, row: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ joined: borrowing JoinedUnits
    ) -> Int? {
        if let attribute = gate.unit.attribute { return bucket(gate, values[attribute], bytes) }
        guard let composite = gate.unit.composite else { return nil }
        return bucket(gate, joined[composite, row], joined.bytes.span)
    }

    private func bucket(_ gate: CompiledGate, _ unit: AttributeValue, _ bytes: Span<UInt8>) -> Int? {
        guard UnitID.isValid(unit) else { return nil }
        if let foreign = gate.foreignHash { return number(foreign, unit, bytes) }
        return gate.salt.buckets(of: bytes.extracting(unit.range)).first
    }

    func number(_ hash: Int32, _ unit: AttributeValue, _ bytes: Span<UInt8>) -> Int {
        compiled.foreignHashes.span[Int(hash)].number(of: bytes.extracting(unit.range))
    }

    // MARK: Results

    /// The decisions of one row; no assignment for experiments that were not selected.
    func selectedDecisions(row: Int, of scratch: borrowing Scratch) -> [Decision] {
        var decisions = plan.experiments.indices.map { scratch.decisions[scratch.places.of($0, row: row)] }
        if let isSelected {
            for index in decisions.indices where !isSelected[index] { decisions[index] = .none(.noUnit) }
        }
        return decisions
    }

    /// - Parameter values: those of the row alone.
    func holdouts(row: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ scratch: borrowing Scratch) -> [Int]
    {
        plan.holdouts.indices.filter { holdout in
            let gate = compiled.layers.count + holdout
            let bucket =
                scratch.gates.areKnown(gate)
                ? scratch.gates[gate, row] : bucket(compiled.holdouts[holdout], row: row, values, bytes, scratch.joined)
            return bucket.map { $0 < compiled.holdouts[holdout].share } ?? false
        }
    }
}
