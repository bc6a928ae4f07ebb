import AllotConfiguration

struct ExplanationRecorder: Recorder {
    private let plan: Plan
    private let instant: Instant
    private let subject: Subject
    private(set) var experiments: [Explanation.Experiment] = []
    private var current = 0
    private var unitID: String?
    private var steps: [Explanation.Step] = []
    private var tests: [Explanation.Test] = []
    private var openness: Openness

    init(plan: Plan, instant: Instant, subject: Subject) {
        (self.plan, self.instant, self.subject) = (plan, instant, subject)
        openness = Openness(plan: plan, subject: subject)
    }

    private var experiment: Plan.Experiment { plan.experiments[current] }

    // MARK: Conditions

    static var hearsEverything: Bool { true }

    mutating func entered(node: Int, depth: Int) {
        let words = plan.compiled.conditions.words[node]
        tests.append(.init(depth: depth, attribute: nil, text: words.text, seen: nil, holds: nil, mismatch: nil))
    }

    mutating func tested(node: Int, _ value: AttributeValue, holds: Bool, depth: Int) {
        openness.tested(node, value, holds: holds)
        let words = plan.compiled.conditions.words[node]
        let test = plan.compiled.conditions.nodes[node]
        let name = test.attribute.map { plan.attributes.names[$0] }
        let seen = value.kind == .missing ? nil : name.flatMap(given)?.canonicalText
        tests.append(
            .init(
                depth: depth, attribute: words.attribute, text: words.text, seen: seen, holds: holds,
                mismatch: test.kind.mismatch(value.kind)))
    }

    func reachedBound() {}

    // MARK: Steps

    mutating func begin(experiment: Int) {
        current = experiment
        unitID = nil
        steps = []
        tests = []
        openness.begin()
    }

    /// Adds a step, unless the decision is made already.
    private mutating func add(_ step: Explanation.Step) { if openness.decision == nil { steps.append(step) } }

    mutating func unit(_ value: AttributeValue, isValid: Bool) {
        guard let draw = experiment.draw else { return }
        let parts = draw.unitAttributes
        let isComposite = parts.count > 1
        unitID = isValid ? isComposite ? subject.unitID(draw.unit) : givenText(draw.unit) : nil
        // Of several parts the one at fault.
        let fault = isValid || !isComposite ? nil : parts.first { subject.unitID($0) == nil }
        let shown = fault ?? draw.unit
        let given = isComposite && fault == nil ? subject.unitID(draw.unit) : givenText(shown)
        add(.unit(attribute: shown, given: given, isValid: isValid))
        guard !isValid else { return }
        for part in parts { openness.failed(without: part, forcing: experiment.forcesAnyUnit) }
    }

    private func givenText(_ attribute: String) -> String? {
        switch given(attribute) {
        case nil: nil
        case .string(let text): text
        case .number(let number): UnitID.digits(of: number) ?? number.text
        case .some(let other): other.canonicalText
        }
    }

    mutating func status(_ status: ExperimentStatus) { add(.status(status)) }
    mutating func forced(_ variant: Int) { add(.forced(variant: experiment.variants[variant].key)) }

    mutating func displaced(by experiment: Int?) {
        if let experiment {
            add(.displaced(by: plan.experiments[experiment].key))
            return
        }
        // A unit that was not given may be one that a rival forces.
        for unit in Set(plan.rivals(of: current).compactMap { plan.experiments[$0].unit }) { passed(without: unit) }
    }

    mutating func schedule() {
        let schedule = experiment.schedule
        guard schedule.isLimited else { return }
        add(.schedule(starts: schedule.starts, ends: schedule.ends, now: instant))
    }

    /// A check that lets the subject pass found no ID of a unit.
    private mutating func passed(without unit: String) {
        for part in CompositeUnit.parts(of: unit) { openness.passed(without: part) }
    }

    mutating func holdout(_ holdout: Int, bucket: Int?, isHeldOut: Bool) {
        let entry = plan.holdouts[holdout]
        add(
            .holdout(
                name: entry.name, hash: entry.hash, unit: entry.unit, bucket: bucket, share: entry.share,
                isHeldOut: isHeldOut))
        if bucket == nil { passed(without: entry.unit) }
    }

    mutating func slot(layer: Int, bucket: Int?, isInside: Bool) {
        let entry = plan.layers[layer]
        add(
            .slot(
                layer: entry.name, hash: entry.hash, unit: entry.unit, bucket: bucket, slots: experiment.slots,
                isInside: isInside))
        guard bucket == nil else { return }
        for part in CompositeUnit.parts(of: entry.unit) { openness.failed(without: part) }
    }

    mutating func requirement(_ target: Int, assigned index: Int?, isMet: Bool) {
        let other = plan.experiments[target]
        let requirement = experiment.requirements.first { $0.experiment == other.key }
        var wanted: [String] = []
        if case .variants(let variants)? = requirement?.admitted { wanted = variants }
        add(
            .requirement(
                experiment: other.key, wanted: wanted, assigned: index.map { other.variants[$0].key }, isMet: isMet))
        openness.requirement(target, isMet: isMet)
    }

    mutating func audience(matches: Bool?) {
        add(.audience(matches: matches, tests: tests))
        if let matches, let root = plan.compiled.experiments[current].audience {
            openness.audience(Int(root), matches: matches)
        }
    }

    mutating func traffic(bucket: Int, isBelow: Bool) {
        guard let salt = experiment.salt else { return }
        if let period = experiment.draw?.period, let window = period.window(at: instant), let unitID {
            add(
                .window(
                    window, input: period.input(salt: salt, unitID: unitID, window: window.number),
                    isMirrored: period.isMirrored(window.number)))
        }
        add(.traffic(salt: salt, bucket: bucket, traffic: plan.compiled.steps[current], now: instant, isBelow: isBelow))
    }

    mutating func split(bucket: Int, owner: Int?) {
        guard let hash = experiment.hash else { return }
        add(
            .split(
                hash: hash, bucket: bucket, owner: owner.map { experiment.variants[$0].key },
                variants: experiment.variants.map { ($0.key, $0.buckets) }))
    }

    mutating func goesOn(after decision: Decision) -> Bool { openness.goesOn(after: decision) }

    mutating func end(_ last: Decision) -> Decision {
        let dependsOn = openness.end(current)
        let decision = openness.decision ?? last
        experiments.append(
            .init(
                assignment: plan.assignment(current, decision, at: instant), unit: experiment.unit,
                owner: experiment.owner, unitID: unitID, steps: steps, dependsOn: dependsOn))
        return decision
    }

    /// The value of an attribute as it was given, with its own digits.
    private func given(_ attribute: String) -> JSONValue? {
        switch subject.value(of: attribute) {
        case .typed(let value): value
        case .untyped(let text): .string(text)
        case nil: nil
        }
    }
}
