/// Decides experiments for one subject after another at one instant, in memory that is used again.
///
/// Evaluation allocates nothing while attributes are scalars. Make one for each thread.
public struct Evaluator: Sendable {
    public private(set) var instant: Instant
    private var evaluation: Evaluation
    private var workspace: Workspace
    private var recorder: PlainRecorder

    /// Prepares to decide experiments.
    ///
    /// - Parameter selection: indices of the experiments that are asked for; `nil` for all.
    public init(plan: Plan, at instant: Instant, selection: [Int]? = nil) {
        self.init(plan: plan, at: instant, selection: selection, groupSize: 0)
    }

    /// Prepares to decide groups of at most `groupSize` subjects.
    package init(plan: Plan, at instant: Instant, selection: [Int]?, groupSize: Int) {
        self.instant = instant
        evaluation = Evaluation(plan: plan, at: instant, selection: selection, inGroups: groupSize > 0)
        workspace = Workspace(plan, capacity: groupSize)
        recorder = PlainRecorder(plan.core.conditions)
    }

    public var plan: Plan { evaluation.plan }

    /// The decisions of the last subject, by the index of the experiment in the plan. Of a group, those of each subject
    /// behind those of the one before; what is behind the last subject's is left over from larger groups.
    public var decisions: [Decision] { workspace.decisions }

    /// The decision of the last subject, of a group the first, on one experiment, without a copy of all.
    public func decision(of experiment: Int) -> Decision { workspace.decisions[experiment] }

    /// How often a pattern was not searched for because the text was beyond the bound.
    public var boundCount: Int { recorder.boundCount }

    /// Decides every experiment for a subject that was prepared for this plan, and for no other: indices of one plan
    /// mean other attributes in another.
    public mutating func evaluate(_ subject: borrowing PreparedSubject) {
        precondition(subject.plan === evaluation.plan, "the subject was prepared for another plan; prepare it anew")
        recorder.beginSubject()
        evaluation.evaluate(subject.values.span, subject.bytes.span, &workspace, &recorder)
    }

    /// Decides every experiment for a subject at another instant.
    package mutating func evaluate(_ subject: borrowing PreparedSubject, at instant: Instant) {
        setInstant(instant)
        evaluate(subject)
    }

    /// Decides every experiment for a buffer that was made for this plan, and for no other.
    package mutating func evaluate(_ buffer: borrowing AttributeBuffer, at instant: Instant) {
        setInstant(instant)
        recorder.beginSubject()
        evaluation.evaluate(together: buffer.values.span, buffer.bytes.span, &workspace, &recorder)
    }

    private mutating func setInstant(_ instant: Instant) {
        guard instant != self.instant else { return }
        self.instant = instant
        evaluation.setInstant(instant)
    }

    /// What was decided for a buffer.
    package mutating func decided(_ buffer: borrowing AttributeBuffer) -> SubjectDecisions {
        SubjectDecisions(
            decisions: workspace.decisions, holdouts: holdouts(buffer.values.span, buffer.bytes.span))
    }

    /// Decides every experiment for a group of subjects: the same decisions as one by one, sooner.
    ///
    /// - Parameters:
    ///   - count: the number of subjects, at most the group size.
    ///   - values: subject after subject its values, scalars only, by the plan's attribute indices.
    ///   - bytes: valid UTF-8 that the values point into.
    package mutating func evaluate(group count: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>) {
        precondition(count <= workspace.capacity, "the group is larger than the evaluator was made for")
        recorder.beginSubject(count)
        evaluation.evaluate(rows: count, values, bytes, &workspace, &recorder)
    }

    /// The decisions of a subject of the group, none for experiments that were not asked for.
    func selectedDecisions(row: Int = 0) -> [Decision] {
        evaluation.selectedDecisions(row: row, of: workspace)
    }

    /// The indices of all holdouts that hold a subject of the group.
    ///
    /// - Parameter values: the values of that subject.
    mutating func holdouts(row: Int = 0, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>) -> [Int] {
        evaluation.holdouts(row: row, values, bytes, &workspace)
    }
}
