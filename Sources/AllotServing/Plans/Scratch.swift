import Allot

/// What deciding for one request after another of one plan takes, in memory that is reused. `Sendable`.
package struct Scratch: Sendable {
    /// The attributes of the present request.
    package var attributes: AttributeBuffer
    private var evaluator: Evaluator
    /// By experiment and reason the number of decisions since the counts were last taken.
    private var counts: [UInt32]
    private var uncounted: UInt32 = 0

    private static let reasonCount = Reason.allCases.count

    init(_ plan: Plan, at instant: Instant) {
        evaluator = Evaluator(plan: plan, at: instant)
        attributes = AttributeBuffer(plan)
        counts = Array(repeating: 0, count: plan.experiments.count * Self.reasonCount)
    }

    /// Decides for ``attributes``.
    package mutating func decide(at instant: Instant) -> SubjectDecisions {
        evaluator.evaluate(attributes, at: instant)
        return counted(evaluator.decided(attributes))
    }

    /// Decides for a subject of any form.
    package mutating func decide(_ subject: Subject, at instant: Instant) -> SubjectDecisions {
        counted(evaluator.decide(PreparedSubject(subject, for: evaluator.plan), at: instant))
    }

    private mutating func counted(_ decided: SubjectDecisions) -> SubjectDecisions {
        for index in decided.decisions.indices {
            counts[index &* Self.reasonCount &+ Int(decided.decisions[index].reason.rawValue)] &+= 1
        }
        uncounted += 1
        return decided
    }

    /// Gives the counts away, by experiment and reason, if there are those of `minimum` requests.
    mutating func takeCounts(minimum: UInt32 = 1, _ body: (_ experiment: Int, _ reason: Reason, _ count: Int) -> Void) {
        guard uncounted >= minimum else { return }
        uncounted = 0
        for index in counts.indices where counts[index] > 0 {
            body(index / Self.reasonCount, Reason.allCases[index % Self.reasonCount], Int(counts[index]))
            counts[index] = 0
        }
    }
}
