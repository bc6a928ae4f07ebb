/// Decides experiments for one subject after another at one instant, in memory that is used again.
///
/// Evaluation allocates nothing while attributes are scalars. Make one for each thread.
public struct Evaluator: Sendable {
    public let instant: Instant
    @usableFromInline var evaluation: Evaluation
    private var recorder: PlainRecorder

    /// Prepares to decide experiments.
    ///
    /// - Parameter selection: indices of the experiments that are asked for; `nil` for all.
    public init(plan: Plan, at instant: Instant, selection: [Int]? = nil) {
        self.instant = instant
        evaluation = Evaluation(plan: plan, at: instant, selection: selection)
        recorder = PlainRecorder(plan.core.conditions)
    }

    public var plan: Plan { evaluation.plan }

    /// The decisions of the last subject, by the index of the experiment in the plan.
    public var decisions: [Decision] { evaluation.decisions }

    /// The decision of the last subject on one experiment.
    @inlinable
    public func decision(of experiment: Int) -> Decision {
        evaluation.decisions[experiment]
    }

    /// The decisions of the last subject, none for experiments that were not asked for.
    var selectedDecisions: [Decision] { evaluation.selectedDecisions }

    /// How often a pattern was not searched for because the text was beyond the bound.
    public var boundCount: Int { recorder.boundCount }

    /// Decides every experiment for a subject that was prepared for this plan, and for no other: indices of one plan
    /// mean other attributes in another.
    public mutating func evaluate(_ subject: borrowing PreparedSubject) {
        precondition(subject.plan === evaluation.plan, "the subject was prepared for another plan; prepare it anew")
        evaluate(subject.values.span, subject.bytes.span)
    }

    /// Decides every experiment for one subject.
    ///
    /// - Parameters:
    ///   - values: the subject's values by the plan's attribute indices, elements of arrays and objects behind them.
    ///   - bytes: valid UTF-8 that the values point into.
    package mutating func evaluate(_ values: Span<AttributeValue>, _ bytes: Span<UInt8>) {
        recorder.beginSubject()
        evaluation.evaluate(values, bytes, &recorder)
    }

    /// The indices of all holdouts that hold the present subject.
    package mutating func holdouts(_ values: Span<AttributeValue>, _ bytes: Span<UInt8>) -> [Int] {
        evaluation.holdouts(values, bytes)
    }

    /// Whether a value can be a unit ID: a text or whole number of 1 to 1024 bytes.
    package static func isUnit(_ value: AttributeValue) -> Bool {
        Evaluation.isUnit(value)
    }
}
