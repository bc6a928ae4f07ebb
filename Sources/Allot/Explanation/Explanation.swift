import AllotConfiguration

/// Why a subject gets what it gets: every step of every decision, with the numbers that were compared.
///
/// It is written down by the evaluation itself, not worked out again.
public struct Explanation: Sendable {
    /// The instant of evaluation.
    public let instant: Instant
    /// The revision of the configuration.
    public let revision: String
    /// One entry for each experiment that was asked for, in key order.
    public let experiments: [Experiment]

    /// One experiment's decision and the steps that led to it.
    public struct Experiment: Sendable {
        public let assignment: Assignment
        /// The attribute that holds the unit ID.
        public let unit: String
        /// The unit ID that was hashed, `nil` if there is none.
        public let unitID: String?
        /// What was checked, in order; the last step decided.
        public let steps: [Step]
    }

    /// One check and what was found.
    public enum Step: Sendable {
        /// The unit ID as it was given, if it was.
        case unit(attribute: String, given: String?, isValid: Bool)
        case status(ExperimentStatus)
        case forced(variant: String)
        case displaced(by: String)
        case schedule(starts: Instant?, ends: Instant?, now: Instant)
        /// `bucket` is `nil` when the subject has no unit ID for this holdout.
        case holdout(name: String, salt: String, unit: String, bucket: Int?, share: Int, isHeldOut: Bool)
        case slot(layer: String, salt: String, unit: String, bucket: Int?, slots: [Range<Int>], isInside: Bool)
        case requirement(experiment: String, wanted: [String], assigned: String?, isMet: Bool)
        /// `matches` is `nil` when everyone is eligible.
        case audience(matches: Bool?, tests: [Test])
        case traffic(salt: String, bucket: Int, traffic: Int, isBelow: Bool)
        case split(salt: String, bucket: Int, owner: String?, variants: [(key: String, buckets: [Range<Int>])])
    }

    /// One line of an audience condition: a connective with deeper lines below it, or a test.
    public struct Test: Sendable {
        /// 0 for the outermost.
        public let depth: Int
        /// The attribute that was tested; `nil` for a connective.
        public let attribute: String?
        /// What was asked, in words.
        public let text: String
        /// The value that was seen, as JSON text; `nil` for a connective or a missing attribute.
        public let seen: String?
        /// The answer; `nil` for a connective.
        public let holds: Bool?
    }
}

extension Plan {
    /// Explains decisions for a subject.
    ///
    /// - Parameter keys: the experiments that are asked for, `nil` for all; unknown keys are left out.
    public func explanation(for subject: Subject, at instant: Instant, experiments keys: [String]? = nil) -> Explanation
    {
        let prepared = PreparedSubject(subject, for: self)
        let loop = DecisionLoop(plan: self, at: instant, selection: nil)
        var scratch = Scratch(self, groupSize: 0)
        var recorder = ExplanationRecorder(plan: self, instant: instant, prepared: prepared)
        loop.decide(1, prepared.values.span, prepared.bytes.span, &scratch, &recorder)
        let wanted = recorder.experiments.filter { keys?.contains($0.assignment.experiment) ?? true }
            .sorted { UTF8Order.precedes($0.assignment.experiment, $1.assignment.experiment) }
        return Explanation(instant: instant, revision: revision, experiments: wanted)
    }
}
