import AllotCore
import Metrics

/// The memory for decisions on one request after another of one plan. `Sendable`.
package struct RequestScratch: Sendable {
    package var attributes: AttributeBuffer
    private var evaluator: Evaluator
    /// By experiment and reason the number of decisions since the counts were last taken.
    private var counts: [UInt32]
    private var uncounted: UInt32 = 0
    /// The texts not searched for patterns that were counted.
    private var unsearched = 0
    private var unread: UnreadNames

    init(_ plan: Plan, at instant: Instant) {
        evaluator = Evaluator(plan: plan, at: instant)
        attributes = AttributeBuffer(plan)
        unread = UnreadNames(plan)
        counts = Array(repeating: 0, count: plan.experiments.count * Reason.count)
    }

    package mutating func decide(at instant: Instant) -> SubjectDecisions {
        evaluator.evaluate(attributes, at: instant)
        return counted(evaluator.decided(attributes))
    }

    /// The header that names those of a subject's attributes that no definition reads. Returns `nil` if there are none.
    mutating func unreadHeader(of subject: Subject) -> String? {
        // The ID is that of the path.
        let names = subject.attributeNames.filter { $0 != Subject.defaultUnit }
        return unread.header(names) { subject.isGiven($0) }
    }

    /// The header that names attributes of the present request that the plan does not use, of `all` that it has.
    mutating func unreadHeader(_ names: [Range<Int>], among all: some Sequence<Range<Int>>) -> String? {
        let bytes = attributes.bytes
        return unread.header(names.lazy.map { String(decoding: bytes[$0], as: UTF8.self) }) { hint in
            all.contains { bytes[$0].elementsEqual(hint.utf8) }
        }
    }

    package mutating func decide(_ subject: Subject, at instant: Instant) -> SubjectDecisions {
        counted(evaluator.decide(PreparedSubject(subject, for: evaluator.plan), at: instant))
    }

    /// Decides some experiments, given by their indices: sooner than all of them.
    mutating func decide(_ experiments: [Int], for subject: Subject, at instant: Instant) -> [Decision] {
        let prepared = PreparedSubject(subject, for: evaluator.plan)
        let decisions = experiments.map { evaluator.decide($0, for: prepared, at: instant) }
        for (experiment, decision) in zip(experiments, decisions) { count(decision, of: experiment) }
        uncounted += 1
        return decisions
    }

    private mutating func counted(_ decided: SubjectDecisions) -> SubjectDecisions {
        for index in decided.decisions.indices { count(decided.decisions[index], of: index) }
        uncounted += 1
        return decided
    }

    private mutating func count(_ decision: Decision, of experiment: Int) {
        counts[experiment &* Reason.count &+ decision.reasonNumber] &+= 1
    }

    /// Passes the counts of `minimum` requests on, and that of the texts too long to be searched for a pattern.
    mutating func passCounts(to counters: EvaluationCounters, minimum: UInt32 = 1) {
        guard uncounted >= minimum else { return }
        if evaluator.boundCount > unsearched {
            Counter(label: MetricName.unsearchedTexts).increment(by: evaluator.boundCount - unsearched)
            unsearched = evaluator.boundCount
        }
        uncounted = 0
        for index in counts.indices where counts[index] > 0 {
            let key = evaluator.plan.experiments[index / Reason.count].key
            counters.record(key, Reason.allCases[index % Reason.count], Int(counts[index]))
            counts[index] = 0
        }
    }
}
