/// The deciding itself: what an ``Evaluator`` does with whichever recorder.
@usableFromInline
struct Evaluation: Sendable {
    let plan: Plan
    private let instant: Instant
    /// The experiments that are decided, those that they require among them.
    private let order: [Int]
    /// Whether an experiment was asked for, rather than required by one that was.
    private let isSelected: [Bool]
    /// The decisions of the last subject, by the index of the experiment in the plan.
    @usableFromInline var decisions: [Decision]

    // The plan's own arrays, one step nearer.
    private let entries: [PlanCore.Entry]
    private let salts: [SaltedHash]
    private let conditions: ConditionProgram
    private let hasForcedUnits: Bool

    /// Hash results of the present subject; an entry counts when its generation is the present one.
    private var memo: [Memo]
    /// By experiment why its schedule keeps everyone out at the instant, if it does.
    private let outsideSchedule: [Reason?]
    private var generation: UInt64 = 0
    /// Where the present subject is forced.
    private var forced: [PlanCore.Forced] = []

    private struct Memo: Sendable {
        var generation: UInt64
        var bucket: Int
    }

    init(plan: Plan, at instant: Instant, selection: [Int]?) {
        self.plan = plan
        self.instant = instant
        order = selection.map(plan.core.order.closure) ?? plan.core.order.indices
        let selected = Set(selection ?? Array(plan.experiments.indices))
        isSelected = plan.experiments.indices.map(selected.contains)
        entries = plan.core.entries
        salts = plan.core.salts
        conditions = plan.core.conditions
        hasForcedUnits = !plan.core.forcedTables.isEmpty
        outsideSchedule = plan.experiments.map { experiment in
            if let starts = experiment.starts, instant < starts { return .notStarted }
            if let ends = experiment.ends, instant >= ends { return .ended }
            return nil
        }
        decisions = Array(repeating: .none(.noUnit), count: plan.experiments.count)
        memo = Array(repeating: Memo(generation: 0, bucket: -1), count: plan.layers.count + plan.holdouts.count)
    }

    /// Decides every experiment for one subject, telling a recorder of each step.
    mutating func evaluate<R: Recorder>(_ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ recorder: inout R) {
        generation += 1
        if hasForcedUnits { findForced(values, bytes) }
        for position in order.indices {
            let index = order[position]
            recorder.begin(experiment: index)
            let decision = decide(index, values, bytes, &recorder)
            decisions[index] = decision
            recorder.end(decision)
        }
    }

    /// Section 5 of the design, in its order: the first check that applies gives the reason.
    @inline(__always)
    private mutating func decide<R: Recorder>(
        _ index: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ recorder: inout R
    ) -> Decision {
        let entry = entries[index]
        let unit = values[Int(entry.unit)]
        let hasUnit = Self.isUnit(unit)
        recorder.unit(unit, isValid: hasUnit)
        guard hasUnit else { return .none(.noUnit) }
        recorder.status(entry.status)
        if entry.status == .paused { return .none(.paused) }
        if !forced.isEmpty {
            if let variant = forcedVariant(of: index) {
                recorder.forced(variant)
                return .held(variant, .forced)
            }
            if entry.status == .draft { return .none(.draft) }
            if let rival = displacingRival(entry) {
                recorder.displaced(by: rival)
                return .none(.displaced)
            }
        } else if entry.status == .draft {
            return .none(.draft)
        }
        if entry.status == .running {
            recorder.schedule()
            if entry.hasSchedule, let reason = outsideSchedule[index] { return .none(reason) }
        }
        for holdout in entry.holdouts where isHeld(plan.core.holdoutPool[Int(holdout)], values, bytes, &recorder) {
            return .none(.holdout)
        }
        if entry.status == .running, entry.layer >= 0, !isInSlots(entry, values, bytes, &recorder) {
            return .none(.slot)
        }
        for requirement in entry.requirements where !isMet(plan.core.requirementPool[Int(requirement)], &recorder) {
            return .none(.requirement)
        }
        if entry.audience >= 0 {
            let matches = conditions.holds(
                Int(entry.audience), values, bytes, element: .missing, depth: 0, &recorder)
            recorder.audience(matches: matches)
            guard matches else { return .none(.audience) }
        } else {
            recorder.audience(matches: nil)
        }
        if entry.status == .concluded {
            return entry.winner >= 0 ? .held(Int(entry.winner), .winner) : .none(.concluded)
        }
        let buckets = buckets(index, bytes.extracting(unit.range))
        recorder.traffic(bucket: buckets.first, isBelow: buckets.first < Int(entry.traffic))
        guard buckets.first < Int(entry.traffic) else { return .none(.traffic) }
        let owner = owner(of: buckets.second, in: entry.owners)
        recorder.split(bucket: buckets.second, owner: owner)
        return owner.map { .split($0, bucket: buckets.second) } ?? .none(.unallocated)
    }

    /// The buckets under an experiment's salt, which is read in place.
    @inline(__always)
    private func buckets(_ experiment: Int, _ unit: Span<UInt8>) -> BucketPair {
        salts.span[experiment].buckets(of: unit)
    }

    /// Whether a value can be hashed: text or whole number of 1 to 1024 bytes.
    @inline(__always)
    static func isUnit(_ value: AttributeValue) -> Bool {
        (value.isText || value.isWholeNumber) && UnitID.isValidLength(value.length)
    }

    /// The decisions of the last subject, none for experiments that were not asked for.
    var selectedDecisions: [Decision] {
        zip(decisions, isSelected).map { $1 ? $0 : .none(.noUnit) }
    }

    // MARK: Forced units

    private mutating func findForced(_ values: Span<AttributeValue>, _ bytes: Span<UInt8>) {
        forced.removeAll(keepingCapacity: true)
        for table in plan.core.forcedTables.indices {
            let unit = values[plan.core.forcedTables[table].unit]
            guard Self.isUnit(unit), let list = plan.core.forcedTables[table].units.find(bytes.extracting(unit.range))
            else { continue }
            forced.append(contentsOf: plan.core.forcedTables[table].lists[list])
        }
    }

    private func forcedVariant(of experiment: Int) -> Int? {
        for entry in forced where entry.experiment == experiment { return entry.variant }
        return nil
    }

    private func displacingRival(_ entry: PlanCore.Entry) -> Int? {
        for rival in entry.rivals {
            let experiment = plan.core.rivalPool[Int(rival)]
            for entry in forced where entry.experiment == experiment { return experiment }
        }
        return nil
    }

    // MARK: Gates

    /// The first bucket of the unit of a layer or holdout, hashed once for each subject; -1 if it has no unit.
    private mutating func bucket(
        _ randomisation: PlanCore.Randomisation, memo slot: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>
    ) -> Int {
        if memo[slot].generation == generation { return memo[slot].bucket }
        let unit = values[randomisation.unit]
        let bucket = Self.isUnit(unit) ? randomisation.salt.buckets(of: bytes.extracting(unit.range)).first : -1
        memo[slot] = Memo(generation: generation, bucket: bucket)
        return bucket
    }

    private mutating func isHeld<R: Recorder>(
        _ holdout: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ recorder: inout R
    ) -> Bool {
        let entry = plan.core.holdouts[holdout]
        let bucket = bucket(entry, memo: plan.layers.count + holdout, values, bytes)
        let isHeld = bucket >= 0 && bucket < entry.share
        recorder.holdout(holdout, bucket: bucket < 0 ? nil : bucket, isHeld: isHeld)
        return isHeld
    }

    private mutating func isInSlots<R: Recorder>(
        _ entry: PlanCore.Entry, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ recorder: inout R
    ) -> Bool {
        let bucket = bucket(plan.core.layers[Int(entry.layer)], memo: Int(entry.layer), values, bytes)
        var isInside = false
        for slot in entry.slots where plan.core.slotPool[Int(slot)].contains(bucket) { isInside = true }
        recorder.slot(layer: Int(entry.layer), bucket: bucket < 0 ? nil : bucket, isInside: isInside)
        return isInside
    }

    private func isMet<R: Recorder>(_ requirement: PlanCore.Requirement, _ recorder: inout R) -> Bool {
        let held = decisions[requirement.experiment].variant
        var isMet = false
        for variant in requirement.variants where plan.core.variantPool[Int(variant)] == held { isMet = true }
        recorder.requirement(requirement.experiment, held: held, isMet: isMet)
        return isMet
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

    /// The indices of all holdouts that hold the present subject.
    mutating func holdouts(_ values: Span<AttributeValue>, _ bytes: Span<UInt8>) -> [Int] {
        var recorder = PlainRecorder(plan.core.conditions)
        return plan.holdouts.indices.filter { isHeld($0, values, bytes, &recorder) }
    }
}
