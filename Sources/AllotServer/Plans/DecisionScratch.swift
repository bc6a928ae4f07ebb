import Allot

/// What answering one request after another for one plan takes, in memory that is used again.
struct DecisionScratch: Sendable {
    var evaluator: Evaluator
    var buffer: AttributeBuffer
    /// Where the names of a buffer's attributes stand in its bytes.
    var names: [Range<Int>] = []
    /// By experiment and reason how often it was decided since the counts were last passed on.
    private(set) var counts: [UInt32]
    private(set) var uncounted = 0

    /// Counts are passed on after this many requests: shared counters are slow to change from many threads.
    static let countLimit = 1024

    private static let reasonCount = Reason.allCases.count

    init(_ plan: Plan, at instant: Instant) {
        evaluator = Evaluator(plan: plan, at: instant)
        buffer = AttributeBuffer(plan)
        counts = Array(repeating: 0, count: plan.experiments.count * Self.reasonCount)
    }

    mutating func count(_ decisions: [Decision]) {
        for index in decisions.indices {
            counts[index &* Self.reasonCount &+ Int(decisions[index].reason.rawValue)] &+= 1
        }
        uncounted += 1
    }

    /// Gives the counts away, by experiment and reason.
    mutating func takeCounts(_ body: (_ experiment: Int, _ reason: Reason, _ count: Int) -> Void) {
        guard uncounted > 0 else { return }
        uncounted = 0
        for index in counts.indices where counts[index] > 0 {
            body(index / Self.reasonCount, Reason.allCases[index % Self.reasonCount], Int(counts[index]))
            counts[index] = 0
        }
    }
}
