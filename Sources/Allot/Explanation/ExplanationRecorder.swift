import AllotConfiguration

/// Records the steps of decisions as they are made.
struct ExplanationRecorder: Recorder {
    private let plan: Plan
    private let instant: Instant
    private let subject: Subject
    private(set) var experiments: [Explanation.Experiment] = []

    private var current = 0
    private var unitID: String?
    private var steps: [Explanation.Step] = []
    private var tests: [Explanation.Test] = []

    init(plan: Plan, instant: Instant, subject: Subject) {
        self.plan = plan
        self.instant = instant
        self.subject = subject
    }

    private var experiment: Plan.Experiment { plan.experiments[current] }

    // MARK: Conditions

    static var hearsEverything: Bool { true }

    mutating func entered(node: Int, depth: Int) {
        let words = plan.compiled.conditions.words[node]
        tests.append(
            .init(depth: depth, attribute: nil, text: words.text, seen: nil, holds: nil, mismatch: nil))
    }

    mutating func tested(node: Int, _ value: AttributeValue, holds: Bool, depth: Int) {
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
    }

    mutating func unit(_ value: AttributeValue, isValid: Bool) {
        guard let attribute = experiment.unit else { return }
        let given: String? =
            switch self.given(attribute) {
            case nil: nil
            case .string(let text): text
            case .number(let number): UnitID.digits(of: number) ?? number.text
            case .some(let other): other.canonicalText
            }
        unitID = isValid ? given : nil
        steps.append(.unit(attribute: attribute, given: given, isValid: isValid))
    }

    mutating func status(_ status: ExperimentStatus) {
        steps.append(.status(status))
    }

    mutating func forced(_ variant: Int) {
        steps.append(.forced(variant: experiment.variants[variant].key))
    }

    mutating func displaced(by experiment: Int) {
        steps.append(.displaced(by: plan.experiments[experiment].key))
    }

    mutating func schedule() {
        guard experiment.starts != nil || experiment.ends != nil else { return }
        steps.append(.schedule(starts: experiment.starts, ends: experiment.ends, now: instant))
    }

    mutating func holdout(_ holdout: Int, bucket: Int?, isHeldOut: Bool) {
        let entry = plan.holdouts[holdout]
        steps.append(
            .holdout(
                name: entry.name, hash: entry.hash, unit: entry.unit, bucket: bucket, share: entry.share,
                isHeldOut: isHeldOut))
    }

    mutating func slot(layer: Int, bucket: Int?, isInside: Bool) {
        let entry = plan.layers[layer]
        steps.append(
            .slot(
                layer: entry.name, hash: entry.hash, unit: entry.unit, bucket: bucket, slots: experiment.slots,
                isInside: isInside))
    }

    mutating func requirement(_ target: Int, assigned index: Int?, isMet: Bool) {
        let other = plan.experiments[target]
        let requirement = plan.definitions.experiments[current].requirements.first { $0.experiment == other.key }
        var wanted: [String] = []
        if case .variants(let variants)? = requirement?.admitted { wanted = variants }
        steps.append(
            .requirement(
                experiment: other.key, wanted: wanted, assigned: index.map { other.variants[$0].key }, isMet: isMet))
    }

    mutating func audience(matches: Bool?) {
        steps.append(.audience(matches: matches, tests: tests))
    }

    mutating func traffic(bucket: Int, isBelow: Bool) {
        guard let salt = experiment.salt else { return }
        steps.append(
            .traffic(
                salt: salt, bucket: bucket, traffic: plan.compiled.steps[current], now: instant, isBelow: isBelow))
    }

    mutating func split(bucket: Int, owner: Int?) {
        guard let hash = experiment.hash else { return }
        steps.append(
            .split(
                hash: hash, bucket: bucket, owner: owner.map { experiment.variants[$0].key },
                variants: experiment.variants.map { ($0.key, $0.buckets) }))
    }

    mutating func end(_ decision: Decision) {
        experiments.append(
            .init(
                assignment: plan.assignment(current, decision), unit: experiment.unit,
                owner: plan.definitions.experiments[current].owner, unitID: unitID, steps: steps))
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
