/// Decides experiments for one subject after another at one instant, in memory that is used again.
///
/// Evaluation allocates nothing while attributes are scalars. Make one for each thread.
///
/// ```swift
/// import Allot
///
/// let plan = try Plan.load(folder: "Experiments")
/// var evaluator = Evaluator(plan: plan, at: .now)
/// for id in ["user-1", "user-2"] {
///     evaluator.evaluate(PreparedSubject(Subject(id: id), for: plan))
///     for (experiment, decision) in zip(plan.experiments, evaluator.decisions) {
///         let variant = decision.variant.map { experiment.variants[$0].key } ?? "none"
///         print(id, experiment.key, variant, decision.reason.text)
///     }
/// }
/// ```
public struct Evaluator: Sendable {
    private var loop: DecisionLoop
    private var scratch: Scratch
    private var recorder: ConditionMemo
    /// The subject of the last ``decide(_:for:)``, if nothing else was decided since.
    private var last: PreparedSubject?

    /// Prepares to decide experiments.
    ///
    /// - Parameter selection: indices of the experiments to decide, `nil` for all. Those that they require are decided
    ///   as well.
    /// - Parameter instant: The instant of evaluation.
    /// - Parameter plan: The plan to evaluate.
    public init(plan: Plan, at instant: Instant, selection: [Int]? = nil) {
        self.init(plan: plan, at: instant, selection: selection, groupSize: 0)
    }

    package init(plan: Plan, at instant: Instant, selection: [Int]?, groupSize: Int) {
        loop = DecisionLoop(plan: plan, at: instant, selection: selection)
        scratch = Scratch(plan, groupSize: groupSize)
        recorder = ConditionMemo(plan, capacity: scratch.capacity)
    }

    /// The plan whose experiments are decided.
    public var plan: Plan { loop.plan }
    /// The decisions of the last subject, by the index of the experiment in the plan.
    public var decisions: [Decision] { scratch.decisions }
    /// The decisions of the last group, where `DecisionPlaces` of the group size has them. Decisions after the last
    /// subject are left over from larger groups.
    package var groupDecisions: [Decision] { scratch.decisions }
    /// The decision on one experiment for the last subject, or the first of a group, without a copy of all decisions.
    public func decision(of experiment: Int) -> Decision { scratch.decisions[scratch.places.of(experiment, row: 0)] }
    /// The number of texts that were too long to be searched for a pattern.
    public var boundCount: Int { recorder.boundCount }

    /// Decides every experiment for a subject that was prepared for this plan. A subject that was prepared for another
    /// plan traps: the indices of its attributes mean something else here.
    public mutating func evaluate(_ subject: borrowing PreparedSubject) {
        precondition(subject.plan === loop.plan, "the subject was prepared for another plan; prepare it again")
        decide(1, subject.values.span, subject.bytes.span)
    }

    /// Decides one experiment for a subject, and those that it requires: much sooner than all of them. Decisions for
    /// one subject, one after another, share the hashes of layers and holdouts.
    ///
    /// The subject must have been prepared for this plan, as for ``evaluate(_:)``. Of ``decisions`` only those of these
    /// experiments are the subject's.
    ///
    /// ```swift
    /// func variant(of key: String, for subject: Subject, in plan: Plan) -> String? {
    ///     guard let index = plan.index(of: key) else { return nil }
    ///     var evaluator = Evaluator(plan: plan, at: .now)
    ///     let decision = evaluator.decide(index, for: PreparedSubject(subject, for: plan))
    ///     return decision.variant.map { plan.experiments[index].variants[$0].key }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - experiment: The experiment's index in the plan, as `Plan.index(of:)` returns it.
    ///   - subject: The unit with its attributes, prepared for this plan.
    public mutating func decide(_ experiment: Int, for subject: borrowing PreparedSubject) -> Decision {
        precondition(subject.plan === loop.plan, "the subject was prepared for another plan; prepare it again")
        precondition(scratch.capacity == 1, "the evaluator decides groups")
        let isSame = isLast(subject)
        if !isSame {
            last = copy subject
            recorder.begin(subjects: 1)
        }
        loop.decide(
            experiment: experiment, isSame: isSame, subject.values.span, subject.bytes.span, &scratch, &recorder)
        return scratch.decisions[experiment]
    }

    package mutating func decide(
        _ experiment: Int, for subject: borrowing PreparedSubject, at instant: Instant
    ) -> Decision {
        loop.instant = instant
        return decide(experiment, for: subject)
    }

    package mutating func evaluate(_ subject: borrowing PreparedSubject, at instant: Instant) {
        loop.instant = instant
        evaluate(subject)
    }

    package mutating func evaluate(_ buffer: borrowing AttributeBuffer, at instant: Instant) {
        loop.instant = instant
        decide(1, buffer.values.span, buffer.bytes.span)
    }

    package func decided(_ buffer: borrowing AttributeBuffer) -> SubjectDecisions {
        decided(buffer.values.span, buffer.bytes.span)
    }

    func decided(_ values: Span<AttributeValue>, _ bytes: Span<UInt8>) -> SubjectDecisions {
        precondition(scratch.capacity == 1, "the evaluator decides groups")
        return SubjectDecisions(
            decisions: scratch.decisions, holdouts: holdouts(values, bytes), plan: plan, instant: loop.instant)
    }

    /// Decides every experiment for a group of subjects: the same decisions as one by one, sooner. `values` has subject
    /// after subject its values by the plan's attribute indices; then the elements of lists, whose values have the
    /// index of the first counted from the subject's first value. There are no objects. They point into `bytes`, valid
    /// UTF-8.
    package mutating func evaluate(group count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>) {
        precondition(count <= scratch.capacity, "the group is larger than the evaluator was made for")
        decide(count, values, bytes)
    }

    /// Decides every experiment for a group of subjects, each at its own instant: subject after subject, and perhaps
    /// more.
    package mutating func evaluate(
        group count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, at instants: [Instant]
    ) {
        loop.instants = instants
        evaluate(group: count, values, bytes)
        loop.instants = []
    }

    /// Whether a subject is the last one: its values are in the memory that the last one still holds.
    @inline(__always) private func isLast(_ subject: borrowing PreparedSubject) -> Bool {
        guard let last else { return false }
        return subject.values.span.isIdentical(to: last.values.span)
            && subject.bytes.span.isIdentical(to: last.bytes.span)
    }

    private mutating func decide(_ count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>) {
        last = nil
        recorder.begin(subjects: count)
        loop.decide(count, values, bytes, &scratch, &recorder)
    }

    /// The ID of a unit of several attributes of a subject in the last group; `nil` if a part is missing or not valid,
    /// and for other units.
    package func joinedUnit(of experiment: Int, row: Int) -> Range<Int>? {
        guard let composite = loop.compiled.experiments[experiment].unit.composite else { return nil }
        let unit = scratch.joined[composite, row]
        return unit.length > 0 ? unit.range : nil
    }

    /// The text whose ranges ``joinedUnit(of:row:)`` gives.
    package var joinedBytes: [UInt8] { scratch.joined.bytes }
    func selectedDecisions(row: Int = 0) -> [Decision] { loop.selectedDecisions(row: row, of: scratch) }

    func holdouts(row: Int = 0, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>) -> [Int] {
        loop.holdouts(row: row, values, bytes, scratch)
    }
}
