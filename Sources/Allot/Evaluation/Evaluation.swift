/// The deciding itself: what an ``Evaluator`` does with whichever recorder. It is constant; what it writes is a
/// ``Workspace``.
struct Evaluation: Sendable {
    let plan: Plan
    /// The experiments that are decided, those that they require among them.
    private let order: [Int]
    /// Whether an experiment was asked for, rather than required by one that was.
    private let isSelected: [Bool]
    /// The layers, and behind them the holdouts, that some subject may have to be hashed for.
    private let gates: [Int]

    // The plan's own arrays, one step nearer.
    private let entries: [PlanCore.Entry]
    private let salts: [SaltedHash]
    private let conditions: ConditionProgram
    private let hasForcedUnits: Bool
    private let attributeCount: Int
    private let experimentCount: Int
    private let gateCount: Int

    /// By experiment why its schedule keeps everyone out at the instant, if it does.
    private var outsideSchedule: [Reason?]
    /// The running experiments that have a schedule.
    private let scheduled: [Int]

    /// - Parameter inGroups: whether subjects are decided in groups.
    init(plan: Plan, at instant: Instant, selection: [Int]?, inGroups: Bool = false) {
        self.plan = plan
        order = selection.map(plan.core.order.closure) ?? plan.core.order.indices
        var isSelected = Array(repeating: selection == nil, count: plan.experiments.count)
        for index in selection ?? [] { isSelected[index] = true }
        self.isSelected = isSelected
        entries = plan.core.entries
        salts = plan.core.salts
        conditions = plan.core.conditions
        hasForcedUnits = !plan.core.forcedTables.isEmpty
        attributeCount = plan.attributes.names.count
        experimentCount = plan.experiments.count
        gateCount = plan.layers.count + plan.holdouts.count
        scheduled = plan.core.entries.indices.filter {
            plan.core.entries[$0].hasSchedule && plan.core.entries[$0].status == .running
        }
        outsideSchedule = Array(repeating: nil, count: plan.core.entries.count)
        for index in scheduled { outsideSchedule[index] = plan.experiments[index].reasonOutsideSchedule(at: instant) }
        guard inGroups else {
            gates = []
            return
        }
        let outsideSchedule = outsideSchedule
        let reached = order.map { ($0, plan.core.entries[$0]) }.filter { index, entry in
            entry.status == .concluded || entry.status == .running && outsideSchedule[index] == nil
        }
        let layers = reached.filter { $1.status == .running && $1.layer >= 0 }.map { Int($1.layer) }
        let holdouts = reached.flatMap { _, entry in
            entry.holdouts.map { plan.layers.count + plan.core.holdoutPool[Int($0)] }
        }
        gates = Set(layers + holdouts).sorted()
    }

    /// Goes over to another instant; not for groups, whose gates depend on it.
    mutating func setInstant(_ instant: Instant) {
        for index in scheduled { outsideSchedule[index] = plan.experiments[index].reasonOutsideSchedule(at: instant) }
    }

    // MARK: One subject

    /// Decides every experiment for one subject, as row 0, telling a recorder of each step.
    func evaluate<R: Recorder>(
        _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ workspace: inout Workspace, _ recorder: inout R
    ) {
        for gate in 0..<gateCount { workspace.gateBuckets[gate] = Workspace.unknownBucket }
        if hasForcedUnits { findForced(1, values, bytes, &workspace) }
        for position in order.indices {
            let index = order[position]
            recorder.begin(experiment: index)
            let decision = decide(index, values, bytes, &workspace, &recorder)
            workspace.decisions[index] = decision
            recorder.end(decision)
        }
    }

    /// Section 5 of the design, in its order: the first check that applies gives the reason.
    @inline(__always)
    private func decide<R: Recorder>(
        _ index: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ workspace: inout Workspace,
        _ recorder: inout R
    ) -> Decision {
        let entry = entries[index]
        if let refusal = refusal(index, entry, row: 0, values, bytes, &workspace, &recorder) { return refusal }
        if entry.audience >= 0 {
            let matches = conditions.holds(
                Int(entry.audience), values, bytes, element: .missing, depth: 0, &recorder)
            recorder.audience(matches: matches)
            guard matches else { return .none(.audience) }
        } else {
            recorder.audience(matches: nil)
        }
        if entry.status == .concluded { return conclusion(entry) }
        let unit = bytes.extracting(values[Int(entry.unit)].range)
        return draw(entry, salts.span[index].buckets(of: unit), &recorder)
    }

    /// Decides every experiment for one subject: the same decisions, with the hashes of several experiments at once.
    func evaluate(
        together values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ workspace: inout Workspace,
        _ recorder: inout PlainRecorder
    ) {
        for gate in 0..<gateCount { workspace.gateBuckets[gate] = Workspace.unknownBucket }
        if hasForcedUnits { findForced(1, values, bytes, &workspace) }
        for position in order.indices {
            let index = order[position]
            let entry = entries[index]
            // What it requires must be decided.
            if !entry.requirements.isEmpty { drawQueued(&workspace, &recorder) }
            if let refusal = refusal(index, entry, row: 0, values, bytes, &workspace, &recorder) {
                workspace.decisions[index] = refusal
            } else if entry.audience >= 0,
                !conditions.holds(Int(entry.audience), values, bytes, element: .missing, depth: 0, &recorder)
            {
                workspace.decisions[index] = .none(.audience)
            } else if entry.status == .concluded {
                workspace.decisions[index] = conclusion(entry)
            } else {
                if workspace.queue.isFull { drawQueued(&workspace, &recorder) }
                workspace.queue.append(
                    bytes.extracting(values[Int(entry.unit)].range), under: salts.span[index])
                workspace.queued.append(Int32(truncatingIfNeeded: index))
            }
        }
        drawQueued(&workspace, &recorder)
    }

    /// Hashes what is in the queue and draws the variants.
    private func drawQueued(_ workspace: inout Workspace, _ recorder: inout PlainRecorder) {
        guard !workspace.queued.isEmpty else { return }
        workspace.queue.hash()
        for position in 0..<workspace.queued.count {
            let index = Int(workspace.queued[position])
            workspace.decisions[index] = draw(entries[index], workspace.queue[position], &recorder)
        }
        workspace.queue.removeAll()
        workspace.queued.removeAll(keepingCapacity: true)
    }

    // MARK: Groups of subjects

    /// Decides every experiment for a group of subjects: one experiment after another, and each check of an experiment
    /// for all subjects that are left, so that many unit IDs are hashed together.
    ///
    /// - Parameter values: row after row as many scalars as the plan has attributes.
    func evaluate(
        rows count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ workspace: inout Workspace,
        _ recorder: inout PlainRecorder
    ) {
        for index in 0..<count * gateCount { workspace.gateBuckets[index] = Workspace.unknownBucket }
        if hasForcedUnits { findForced(count, values, bytes, &workspace) }
        for gate in gates { hash(gate, count, values, bytes, &workspace) }
        for position in order.indices {
            let index = order[position]
            let entry = entries[index]
            var left = admit(index, entry, count, values, bytes, &workspace, &recorder)
            guard left > 0 else { continue }
            if entry.audience >= 0 {
                var candidates = workspace.candidates.mutableSpan
                left = conditions.filter(
                    Int(entry.audience), &candidates, left, values, stride: attributeCount, bytes, &recorder)
            }
            if entry.status == .concluded {
                let conclusion = conclusion(entry)
                for candidate in 0..<left {
                    decide(index, Int(workspace.candidates[candidate]), conclusion, &workspace)
                }
            } else {
                split(index, entry, left, values, bytes, &workspace, &recorder)
            }
        }
    }

    /// Makes the checks before the audience; returns how many candidates are left. Their decision is the audience's
    /// refusal until it is replaced.
    @inline(__always)
    private func admit(
        _ index: Int, _ entry: PlanCore.Entry, _ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ workspace: inout Workspace, _ recorder: inout PlainRecorder
    ) -> Int {
        var left = 0
        if asksForUnitOnly(index, entry, workspace) {
            for row in 0..<count {
                let hasUnit = Self.isUnit(values[row &* attributeCount &+ Int(entry.unit)])
                decide(index, row, .none(hasUnit ? .audience : .noUnit), &workspace)
                workspace.candidates[left] = Int32(truncatingIfNeeded: row)
                left &+= hasUnit ? 1 : 0
            }
            return left
        }
        for row in 0..<count {
            let subject = values.extracting(row &* attributeCount..<(row &+ 1) &* attributeCount)
            let refusal = refusal(index, entry, row: row, subject, bytes, &workspace, &recorder)
            decide(index, row, refusal ?? .none(.audience), &workspace)
            workspace.candidates[left] = Int32(truncatingIfNeeded: row)
            left &+= refusal == nil ? 1 : 0
        }
        return left
    }

    /// Hashes the candidates and draws their variants.
    @inline(__always)
    private func split(
        _ index: Int, _ entry: PlanCore.Entry, _ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ workspace: inout Workspace, _ recorder: inout PlainRecorder
    ) {
        // Taken out for the time being, so that each is this function's alone.
        var candidates: [Int32] = []
        var decisions: [Decision] = []
        swap(&candidates, &workspace.candidates)
        swap(&decisions, &workspace.decisions)
        workspace.queue.fill(count, from: bytes, under: salts.span[index]) { candidate in
            values[Int(candidates[candidate]) &* attributeCount &+ Int(entry.unit)].range
        }
        workspace.queue.hash()
        var target = decisions.mutableSpan
        for candidate in 0..<count {
            target[Int(candidates[candidate]) &* experimentCount &+ index] = draw(
                entry, workspace.queue[candidate], &recorder)
        }
        swap(&candidates, &workspace.candidates)
        swap(&decisions, &workspace.decisions)
    }

    @inline(__always)
    private func decide(_ index: Int, _ row: Int, _ decision: Decision, _ workspace: inout Workspace) {
        workspace.decisions[row &* experimentCount &+ index] = decision
    }

    /// Hashes the units of a layer or holdout.
    private func hash(
        _ gate: Int, _ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ workspace: inout Workspace
    ) {
        let randomisation = randomisation(gate)
        workspace.queue.fill(count, from: bytes, under: randomisation.salt) { row in
            let unit = values[row &* attributeCount &+ randomisation.unit]
            return Self.isUnit(unit) ? unit.range : 0..<0
        }
        workspace.queue.hash()
        for row in 0..<count {
            let isUnit = Self.isUnit(values[row &* attributeCount &+ randomisation.unit])
            workspace.gateBuckets[row &* gateCount &+ gate] =
                isUnit ? Int32(truncatingIfNeeded: workspace.queue[row].first) : -1
        }
    }

    // MARK: Checks

    /// Whether ``refusal(_:_:row:_:_:_:_:)`` can refuse a subject of the group only for the lack of a unit.
    private func asksForUnitOnly(_ index: Int, _ entry: PlanCore.Entry, _ workspace: Workspace) -> Bool {
        entry.status == .running && outsideSchedule[index] == nil && entry.layer < 0 && entry.holdouts.isEmpty
            && entry.requirements.isEmpty && workspace.forced.isEmpty
    }

    /// The checks before the audience: the decision if one of them gives it.
    @inline(__always)
    private func refusal<R: Recorder>(
        _ index: Int, _ entry: PlanCore.Entry, row: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ workspace: inout Workspace, _ recorder: inout R
    ) -> Decision? {
        let unit = values[Int(entry.unit)]
        let hasUnit = Self.isUnit(unit)
        recorder.unit(unit, isValid: hasUnit)
        guard hasUnit else { return .none(.noUnit) }
        recorder.status(entry.status)
        if entry.status == .paused { return .none(.paused) }
        let isForced = workspace.isForced(row: row)
        if isForced, let variant = workspace.forcedVariant(of: index, row: row) {
            recorder.forced(variant)
            return .held(variant, .forced)
        }
        if entry.status == .draft { return .none(.draft) }
        if isForced, let rival = displacingRival(entry, row: row, workspace) {
            recorder.displaced(by: rival)
            return .none(.displaced)
        }
        if entry.status == .running {
            recorder.schedule()
            if entry.hasSchedule, let reason = outsideSchedule[index] { return .none(reason) }
        }
        for holdout in entry.holdouts
        where isHeld(plan.core.holdoutPool[Int(holdout)], row: row, values, bytes, &workspace, &recorder) {
            return .none(.holdout)
        }
        if entry.status == .running, entry.layer >= 0, !isInSlots(entry, row: row, values, bytes, &workspace, &recorder)
        {
            return .none(.slot)
        }
        for requirement in entry.requirements
        where !isMet(plan.core.requirementPool[Int(requirement)], row: row, workspace, &recorder) {
            return .none(.requirement)
        }
        return nil
    }

    /// Whether a value can be hashed: text or whole number of 1 to 1024 bytes.
    @inline(__always)
    static func isUnit(_ value: AttributeValue) -> Bool {
        (value.isText || value.isWholeNumber) && UnitID.isValidLength(value.length)
    }

    private func findForced(
        _ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ workspace: inout Workspace
    ) {
        workspace.forced.removeAll(keepingCapacity: true)
        workspace.forcedEnds.removeAll(keepingCapacity: true)
        for row in 0..<count {
            for table in plan.core.forcedTables.indices {
                let unit = values[row * attributeCount + plan.core.forcedTables[table].unit]
                guard Self.isUnit(unit),
                    let list = plan.core.forcedTables[table].units.find(bytes.extracting(unit.range))
                else { continue }
                workspace.forced.append(contentsOf: plan.core.forcedTables[table].lists[list])
            }
            workspace.forcedEnds.append(workspace.forced.count)
        }
    }

    private func displacingRival(_ entry: PlanCore.Entry, row: Int, _ workspace: Workspace) -> Int? {
        for rival in entry.rivals {
            let experiment = plan.core.rivalPool[Int(rival)]
            if workspace.forcedVariant(of: experiment, row: row) != nil { return experiment }
        }
        return nil
    }

    /// The first bucket of the unit of a layer or holdout, hashed once for each subject; -1 if it has no unit.
    private func bucket(
        _ gate: Int, row: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ workspace: inout Workspace
    ) -> Int {
        let known = workspace.gateBuckets[row &* gateCount &+ gate]
        if known != Workspace.unknownBucket { return Int(known) }
        let randomisation = randomisation(gate)
        let unit = values[randomisation.unit]
        let bucket = Self.isUnit(unit) ? randomisation.salt.buckets(of: bytes.extracting(unit.range)).first : -1
        workspace.gateBuckets[row &* gateCount &+ gate] = Int32(truncatingIfNeeded: bucket)
        return bucket
    }

    /// A layer, or behind the layers a holdout.
    private func randomisation(_ gate: Int) -> PlanCore.Randomisation {
        gate < plan.core.layers.count ? plan.core.layers[gate] : plan.core.holdouts[gate - plan.core.layers.count]
    }

    private func isHeld<R: Recorder>(
        _ holdout: Int, row: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ workspace: inout Workspace,
        _ recorder: inout R
    ) -> Bool {
        let bucket = bucket(plan.core.layers.count + holdout, row: row, values, bytes, &workspace)
        let isHeld = bucket >= 0 && bucket < plan.core.holdouts[holdout].share
        recorder.holdout(holdout, bucket: bucket < 0 ? nil : bucket, isHeld: isHeld)
        return isHeld
    }

    private func isInSlots<R: Recorder>(
        _ entry: PlanCore.Entry, row: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ workspace: inout Workspace, _ recorder: inout R
    ) -> Bool {
        let bucket = bucket(Int(entry.layer), row: row, values, bytes, &workspace)
        var isInside = false
        for slot in entry.slots where plan.core.slotPool[Int(slot)].contains(bucket) { isInside = true }
        recorder.slot(layer: Int(entry.layer), bucket: bucket < 0 ? nil : bucket, isInside: isInside)
        return isInside
    }

    private func isMet<R: Recorder>(
        _ requirement: PlanCore.Requirement, row: Int, _ workspace: Workspace, _ recorder: inout R
    ) -> Bool {
        let held = workspace.decisions[row &* experimentCount &+ requirement.experiment].variant
        var isMet = false
        for variant in requirement.variants where plan.core.variantPool[Int(variant)] == held { isMet = true }
        recorder.requirement(requirement.experiment, held: held, isMet: isMet)
        return isMet
    }

    /// What a concluded experiment gives to its audience.
    private func conclusion(_ entry: PlanCore.Entry) -> Decision {
        entry.winner >= 0 ? .held(Int(entry.winner), .winner) : .none(.concluded)
    }

    /// Traffic and split.
    @inline(__always)
    private func draw<R: Recorder>(_ entry: PlanCore.Entry, _ buckets: BucketPair, _ recorder: inout R) -> Decision {
        recorder.traffic(bucket: buckets.first, isBelow: buckets.first < Int(entry.traffic))
        guard buckets.first < Int(entry.traffic) else { return .none(.traffic) }
        let owner = owner(of: buckets.second, in: entry.owners)
        recorder.split(bucket: buckets.second, owner: owner)
        return owner.map { .split($0, bucket: buckets.second) } ?? .none(.unallocated)
    }

    /// The variant that owns a second bucket. Complexity: O(log of the number of ranges).
    @inline(__always)
    private func owner(of bucket: Int, in owners: Range<Int32>) -> Int? {
        var low = Int(owners.lowerBound)
        var high = Int(owners.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if plan.core.ownerPool[middle].upperBound <= bucket { low = middle + 1 } else { high = middle }
        }
        guard low < Int(owners.upperBound), plan.core.ownerPool[low].lowerBound <= bucket else { return nil }
        return plan.core.ownerPool[low].variant
    }

    // MARK: Results

    /// The decisions of one row, none for experiments that were not asked for.
    func selectedDecisions(row: Int, of workspace: Workspace) -> [Decision] {
        isSelected.indices.map { isSelected[$0] ? workspace.decisions[row * experimentCount + $0] : .none(.noUnit) }
    }

    /// The indices of all holdouts that hold the subject of a row.
    ///
    /// - Parameter values: the values of that row.
    func holdouts(
        row: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ workspace: inout Workspace
    ) -> [Int] {
        var recorder = PlainRecorder(plan.core.conditions)
        return plan.holdouts.indices.filter { isHeld($0, row: row, values, bytes, &workspace, &recorder) }
    }
}
