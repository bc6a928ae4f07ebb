/// The loop over the checks, the same for one subject and for many, with its steps written down or not.
///
/// It takes one experiment after another, and each check of an experiment for all subjects that are left, so that many
/// unit IDs are hashed together. It is constant; what it writes is a ``Scratch``. Subjects are the rows 0 ..< count of
/// `values`, one after another with a value for each attribute of the plan; texts point into `bytes`.
struct DecisionLoop: Sendable {
    let plan: Plan
    var instant: Instant
    /// The experiments that are decided: the selected ones and those that they require, which come before them.
    private let order: [Int]
    /// Whether an experiment is selected, rather than required by one that is.
    private let isSelected: [Bool]
    /// The plan's own, one step nearer.
    let compiled: CompiledPlan
    let conditions: ConditionProgram
    let attributeCount: Int
    let experimentCount: Int

    init(plan: Plan, at instant: Instant, selection: [Int]?) {
        self.plan = plan
        self.instant = instant
        compiled = plan.compiled
        conditions = plan.compiled.conditions
        order = selection.map(plan.compiled.order.closure) ?? plan.compiled.order.indices
        var isSelected = Array(repeating: selection == nil, count: plan.experiments.count)
        for index in selection ?? [] { isSelected[index] = true }
        self.isSelected = isSelected
        attributeCount = plan.attributes.names.count
        experimentCount = plan.experiments.count
    }

    /// Decides every experiment for a group of subjects.
    ///
    /// A recorder that hears everything takes one subject at a time.
    @inline(__always)
    func decide<R: Recorder>(
        _ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ scratch: inout Scratch,
        _ recorder: inout R
    ) {
        scratch.gates.begin()
        findForced(count, values, bytes, &scratch.forced)
        for position in order.indices {
            let index = order[position]
            let experiment = compiled.experiments[index]
            // An experiment that requires others reads their decisions.
            if !experiment.requirements.isEmpty || !scratch.draws.hasRoom(for: count) {
                draw(&scratch, &recorder)
            }
            recorder.begin(experiment: index)
            decide(index, experiment, count, values, bytes, &scratch, &recorder)
            if R.hearsEverything {
                draw(&scratch, &recorder)
                recorder.end(scratch.decisions[index])
            }
        }
        draw(&scratch, &recorder)
    }

    /// Makes the checks of one experiment. Rows that reach the split wait in the scratch for their hashes.
    @inline(__always)
    private func decide<R: Recorder>(
        _ index: Int, _ experiment: CompiledExperiment, _ count: Int, _ values: Span<AttributeValue>,
        _ bytes: Span<UInt8>, _ scratch: inout Scratch, _ recorder: inout R
    ) {
        // Every check is sound on every experiment: those that are left out could not have decided.
        var checks = R.hearsEverything ? CheckSet.all : experiment.checks
        let unit = Int(experiment.unit)
        for row in 0..<count { scratch.candidates[row] = Int32(truncatingIfNeeded: row) }
        var left = count
        while left > 0, let check = checks.popFirst() {
            switch check {
            case .unit:
                left = settle(index, left, &scratch, &recorder) { row, _, recorder in
                    self.unit(values[row &* attributeCount &+ unit], &recorder)
                }
            case .paused:
                left = settle(index, left, &scratch, &recorder) { _, _, recorder in paused(experiment, &recorder) }
            case .forced:
                left = settle(index, left, &scratch, &recorder) { row, scratch, recorder in
                    forced(index, row: row, scratch.forced, &recorder)
                }
            case .draft:
                left = settle(index, left, &scratch, &recorder) { _, _, _ in draft(experiment) }
            case .displacement:
                left = settle(index, left, &scratch, &recorder) { row, scratch, recorder in
                    displacement(experiment, row: row, scratch.forced, &recorder)
                }
            case .schedule:
                left = settle(index, left, &scratch, &recorder) { _, _, recorder in
                    schedule(index, experiment, &recorder)
                }
            case .holdout:
                for position in experiment.holdouts.positions where left > 0 {
                    let holdout = compiled.holdoutIndices[position]
                    let gate = compiled.layers.count &+ holdout
                    hash(gate, compiled.holdouts[holdout], count, values, bytes, &scratch, &recorder)
                    left = settle(index, left, &scratch, &recorder) { row, scratch, recorder in
                        self.holdout(holdout, bucket: scratch.gates[gate, row], &recorder)
                    }
                }
            case .slot:
                guard experiment.status == .running, let slots = experiment.slots else { continue }
                hash(slots.layer, compiled.layers[slots.layer], count, values, bytes, &scratch, &recorder)
                left = settle(index, left, &scratch, &recorder) { row, scratch, recorder in
                    slot(experiment, slots, bucket: scratch.gates[slots.layer, row], &recorder)
                }
            case .requirement:
                for position in experiment.requirements.positions where left > 0 {
                    let requirement = compiled.requirements[position]
                    left = settle(index, left, &scratch, &recorder) { row, scratch, recorder in
                        let other = scratch.decisions[row &* experimentCount &+ requirement.experiment]
                        return self.requirement(requirement, assigned: other.variant, &recorder)
                    }
                }
            case .audience:
                if left > 1, let root = experiment.audience {
                    left = filter(index, Int(root), left, values, bytes, &scratch, &recorder)
                } else {
                    left = settle(index, left, &scratch, &recorder) { row, _, recorder in
                        let start = row &* attributeCount
                        let subject =
                            count == 1 ? values : values.extracting(start..<start &+ attributeCount)
                        return audience(experiment, subject, bytes, &recorder)
                    }
                }
            case .conclusion:
                left = settle(index, left, &scratch, &recorder) { _, _, _ in conclusion(experiment) }
            case .traffic:
                // Shares its hash with the split.
                continue
            case .split:
                wait(index, unit, left, values, bytes, &scratch)
                left = 0
            }
        }
    }

    /// Makes a check for the rows that are left: decides those to which it applies, and returns how many it leaves.
    @inline(__always)
    private func settle<R: Recorder>(
        _ index: Int, _ left: Int, _ scratch: inout Scratch, _ recorder: inout R,
        _ check: (_ row: Int, _ scratch: borrowing Scratch, _ recorder: inout R) -> Decision?
    ) -> Int {
        var kept = 0
        for position in 0..<left {
            let row = scratch.candidates[position]
            if let decision = check(Int(row), scratch, &recorder) {
                scratch.decisions[Int(row) &* experimentCount &+ index] = decision
            } else {
                scratch.candidates[kept] = row
                kept &+= 1
            }
        }
        return kept
    }

    /// Makes the check of the audience for many rows: one test of the condition after another.
    private func filter<R: Recorder>(
        _ index: Int, _ root: Int, _ left: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ scratch: inout Scratch, _ recorder: inout R
    ) -> Int {
        for position in 0..<left {
            scratch.decisions[Int(scratch.candidates[position]) &* experimentCount &+ index] = .none(.audience)
        }
        var candidates = scratch.candidates.mutableSpan
        return conditions.filter(root, &candidates, left, values, stride: attributeCount, bytes, &recorder)
    }

    /// Lets the rows that are left wait for the hashes of their splits.
    @inline(__always)
    private func wait(
        _ index: Int, _ unit: Int, _ left: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ scratch: inout Scratch
    ) {
        if left == 1 {
            let row = scratch.candidates[0]
            let unitID = bytes.extracting(values[Int(row) &* attributeCount &+ unit].range)
            scratch.draws.append(row, of: index, unitID, under: compiled.salts[index])
        } else {
            scratch.draws.append(left, scratch.candidates, of: index, from: bytes, under: compiled.salts[index]) {
                row in
                values[row &* attributeCount &+ unit].range
            }
        }
    }

    /// Hashes the units of a layer or holdout, unless they are hashed already.
    @inline(__always)
    private func hash<R: Recorder>(
        _ number: Int, _ gate: Gate, _ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ scratch: inout Scratch, _ recorder: inout R
    ) {
        guard !scratch.gates.areKnown(number) else { return }
        guard count > 1 else {
            scratch.gates[number, 0] = bucket(gate, values[gate.unit], bytes)
            return scratch.gates.setKnown(number)
        }
        draw(&scratch, &recorder)
        scratch.draws.hash(count, bytes, under: gate.salt) { row in
            let unit = values[row &* attributeCount &+ gate.unit]
            return UnitID.isValid(unit) ? unit.range : 0..<0
        }
        for row in 0..<count {
            let isUnit = UnitID.isValid(values[row &* attributeCount &+ gate.unit])
            scratch.gates[number, row] = isUnit ? scratch.draws.firstBucket(row) : nil
        }
        scratch.draws.forgetHashes()
        scratch.gates.setKnown(number)
    }

    /// The first bucket of one subject's unit under the salt of a layer or holdout. Returns `nil` without a unit ID.
    private func bucket(_ gate: Gate, _ unit: AttributeValue, _ bytes: Span<UInt8>) -> Int? {
        UnitID.isValid(unit) ? gate.salt.buckets(of: bytes.extracting(unit.range)).first : nil
    }

    /// Hashes the units that wait, and makes the checks that read their buckets.
    @inline(__always)
    private func draw<R: Recorder>(_ scratch: inout Scratch, _ recorder: inout R) {
        scratch.draws.finish(compiled.experiments, into: &scratch.decisions, stride: experimentCount) {
            experiment, buckets in
            traffic(experiment, bucket: buckets.first, &recorder)
                ?? split(experiment, bucket: buckets.second, &recorder)
        }
    }

    // MARK: Results

    /// The decisions of one row; no assignment for experiments that were not selected.
    func selectedDecisions(row: Int, of scratch: borrowing Scratch) -> [Decision] {
        isSelected.indices.map { isSelected[$0] ? scratch.decisions[row * experimentCount + $0] : .none(.noUnit) }
    }

    /// The indices of all holdouts that hold the subject of a row out.
    ///
    /// - Parameter values: the values of that row.
    func holdouts(
        row: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ scratch: borrowing Scratch
    ) -> [Int] {
        plan.holdouts.indices.filter { holdout in
            let gate = compiled.layers.count + holdout
            let bucket =
                scratch.gates.areKnown(gate)
                ? scratch.gates[gate, row]
                : bucket(compiled.holdouts[holdout], values[compiled.holdouts[holdout].unit], bytes)
            return bucket.map { $0 < compiled.holdouts[holdout].share } ?? false
        }
    }
}
