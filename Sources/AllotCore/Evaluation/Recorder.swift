/// Records the steps of decisions. Evaluation is the same with any recorder.
protocol Recorder: ConditionListener {
    mutating func begin(experiment: Int)
    mutating func unit(_ value: AttributeValue, isValid: Bool)
    mutating func status(_ status: ExperimentStatus)
    mutating func forced(_ variant: Int)
    /// `nil` when no rival forces the unit, which only a recorder that hears everything receives.
    mutating func displaced(by experiment: Int?)
    mutating func schedule()
    mutating func holdout(_ holdout: Int, bucket: Int?, isHeldOut: Bool)
    mutating func slot(layer: Int, bucket: Int?, isInside: Bool)
    mutating func requirement(_ experiment: Int, assigned: Int?, isMet: Bool)
    /// `nil` when the audience is everyone.
    mutating func audience(matches: Bool?)
    mutating func traffic(bucket: Int, isBelow: Bool)
    mutating func split(bucket: Int, owner: Int?)
    /// A check has decided. Returns whether the checks that follow are made too: where the decision rests on what was
    /// not given, they tell whether it could be another one.
    mutating func goesOn(after decision: Decision) -> Bool
    /// All checks are made. Returns the decision, which is the first one.
    mutating func end(_ last: Decision) -> Decision
}

/// The recorder of evaluation without an explanation: it counts texts beyond the bound of patterns, remembers the
/// results of tests, and ignores the rest.
extension ConditionMemo: Recorder {
    static var hearsEverything: Bool { false }
    func entered(node: Int, depth: Int) {}
    func tested(node: Int, _ value: AttributeValue, holds: Bool, depth: Int) {}
    mutating func reachedBound() { boundCount += 1 }
    func begin(experiment: Int) {}
    func unit(_ value: AttributeValue, isValid: Bool) {}
    func status(_ status: ExperimentStatus) {}
    func forced(_ variant: Int) {}
    func displaced(by experiment: Int?) {}
    func schedule() {}
    func holdout(_ holdout: Int, bucket: Int?, isHeldOut: Bool) {}
    func slot(layer: Int, bucket: Int?, isInside: Bool) {}
    func requirement(_ experiment: Int, assigned: Int?, isMet: Bool) {}
    func audience(matches: Bool?) {}
    func traffic(bucket: Int, isBelow: Bool) {}
    func split(bucket: Int, owner: Int?) {}
    func goesOn(after decision: Decision) -> Bool { false }
    func end(_ last: Decision) -> Decision { last }
}
