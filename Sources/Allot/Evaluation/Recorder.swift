/// Records the steps of decisions. Evaluation is the same with any recorder.
protocol Recorder: ConditionListener {
    mutating func begin(experiment: Int)
    mutating func unit(_ value: AttributeValue, isValid: Bool)
    mutating func status(_ status: ExperimentStatus)
    mutating func forced(_ variant: Int)
    mutating func displaced(by experiment: Int)
    mutating func schedule()
    mutating func holdout(_ holdout: Int, bucket: Int?, isHeldOut: Bool)
    mutating func slot(layer: Int, bucket: Int?, isInside: Bool)
    mutating func requirement(_ experiment: Int, assigned: Int?, isMet: Bool)
    /// `nil` when the audience is everyone.
    mutating func audience(matches: Bool?)
    mutating func traffic(bucket: Int, isBelow: Bool)
    mutating func split(bucket: Int, owner: Int?)
    mutating func end(_ decision: Decision)
}

/// The recorder of evaluation without an explanation: it counts texts beyond the bound of patterns, remembers the
/// results of tests, and ignores the rest.
struct PlainRecorder: Recorder, Sendable {
    private(set) var boundCount = 0
    private var memo: TestMemo
    private var subjectCount = 0

    /// One subject alone is not worth the memory of a memo.
    private static let subjectsBeforeMemo = 64

    init(_ program: ConditionProgram) {
        memo = TestMemo(program)
    }

    @inline(__always)
    mutating func beginSubject(_ count: Int = 1) {
        let isOpen = subjectCount >= Self.subjectsBeforeMemo
        subjectCount &+= count
        if !isOpen, subjectCount >= Self.subjectsBeforeMemo { memo.open() }
    }

    static var hearsEverything: Bool { false }
    func entered(node: Int, depth: Int) {}
    func tested(node: Int, _ value: AttributeValue, holds: Bool, depth: Int) {}
    mutating func reachedBound() { boundCount += 1 }
    @inline(__always)
    func recall(node: Int, _ text: ShortText) -> Bool? { memo.recall(node, text) }
    mutating func remember(node: Int, _ text: ShortText, holds: Bool) { memo.remember(node, text, holds) }
    func begin(experiment: Int) {}
    func unit(_ value: AttributeValue, isValid: Bool) {}
    func status(_ status: ExperimentStatus) {}
    func forced(_ variant: Int) {}
    func displaced(by experiment: Int) {}
    func schedule() {}
    func holdout(_ holdout: Int, bucket: Int?, isHeldOut: Bool) {}
    func slot(layer: Int, bucket: Int?, isInside: Bool) {}
    func requirement(_ experiment: Int, assigned: Int?, isMet: Bool) {}
    func audience(matches: Bool?) {}
    func traffic(bucket: Int, isBelow: Bool) {}
    func split(bucket: Int, owner: Int?) {}
    func end(_ decision: Decision) {}
}
