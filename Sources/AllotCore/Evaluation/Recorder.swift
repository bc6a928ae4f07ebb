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
struct PlainRecorder: Recorder, Sendable {
    private(set) var boundCount = 0
    private var memo: ConditionMemo
    private var subjectCount = 0
    /// One subject alone is not worth the memory of a memo.
    private static let subjectsBeforeMemo = 64

    init(_ plan: Plan, groupSize: Int) { memo = ConditionMemo(plan, capacity: groupSize) }

    @inline(__always) mutating func begin(subjects count: Int) {
        memo.beginGroup()
        let isOpen = subjectCount >= Self.subjectsBeforeMemo
        subjectCount &+= count
        if !isOpen, subjectCount >= Self.subjectsBeforeMemo { memo.open() }
    }

    static var hearsEverything: Bool { false }
    func entered(node: Int, depth: Int) {}
    func tested(node: Int, _ value: AttributeValue, holds: Bool, depth: Int) {}
    mutating func reachedBound() { boundCount += 1 }
    @inline(__always) mutating func recall(
        _ node: Int, _ attribute: Int, row: Int, _ value: AttributeValue, _ bytes: Span<UInt8>
    ) -> Bool? { memo.recall(node, attribute, row: row, value, bytes) }
    mutating func remember(_ node: Int, _ attribute: Int, row: Int, _ holds: Bool) {
        memo.remember(node, attribute, row: row, holds)
    }
    mutating func lookUp(
        _ node: Int, _ attribute: Int, _ rows: borrowing MutableSpan<Int32>, _ range: Range<Int>,
        _ values: Span<AttributeValue>, stride: Int, _ bytes: Span<UInt8>
    ) { memo.lookUp(node, attribute, rows, range, values, stride: stride, bytes) }
    @inline(__always) mutating func filter(
        _ node: Int, _ attribute: Int, _ rows: inout MutableSpan<Int32>, _ range: Range<Int>, isNegated: Bool,
        _ end: inout Int
    ) -> Int { memo.filter(node, attribute, &rows, range, isNegated: isNegated, &end) }
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
