import AllotConfiguration

/// The reasons of a subject's decisions: every step of every decision, with the numbers that were compared.
///
/// Evaluation itself records it; there is no second implementation.
///
/// ```swift
/// import Allot
///
/// let plan = try Plan.load(folder: "Experiments")
/// let explanation = plan.explanation(for: Subject(id: "user-42"), at: .now)
/// print(explanation.text)
/// ```
public struct Explanation: Sendable {
    /// The instant of evaluation.
    public let instant: Instant
    /// The revision of the configuration.
    public let revision: String
    /// One entry for each requested experiment, in key order.
    public let experiments: [Experiment]
    /// The attributes that were given and that no definition reads, in the order of their bytes.
    public let unread: [UnreadAttribute]

    /// One experiment's decision and the steps that led to it.
    public struct Experiment: Sendable {
        /// The decision.
        public let assignment: Assignment
        /// The attribute that holds the unit ID, or the name of several, `city|line`; `nil` for an experiment that
        /// randomises nothing.
        public let unit: String?
        /// The person or team that answers for the experiment, if its definition says so.
        public let owner: String?
        /// The unit ID that was hashed, `nil` if there is none.
        public let unitID: String?
        /// The checks that were made, in order; the last one decided.
        public let steps: [Step]
        /// The attributes that were not given and that the decision rests on, in the order of their bytes: with values
        /// for them the unit may be assigned another variant, or none. If there are none, the decision is the same
        /// whatever else the unit has. An attribute can be named although no value of it changes the decision, such as
        /// one of a required experiment that leads to no required variant.
        ///
        /// An attribute that was set to an empty text or to JSON's `null` is given: the unit is known not to have it.
        public let dependsOn: [String]
    }

    /// One check and what was found.
    public enum Step: Sendable {
        /// The unit ID as it was given, if it was; of a unit of several attributes the joined ID, or the part that is
        /// missing or not valid.
        case unit(attribute: String, given: String?, isValid: Bool)
        /// The experiment's status.
        case status(ExperimentStatus)
        /// The variant that the definition forces on the unit.
        case forced(variant: String)
        /// The key of the experiment in which the subject is forced.
        case displaced(by: String)
        /// When the experiment is live, and the instant of evaluation.
        case schedule(starts: Instant?, ends: Instant?, now: Instant)
        /// `bucket` is `nil` when the subject has no unit ID for this holdout.
        case holdout(name: String, hash: UnitHash, unit: String, bucket: Int?, share: Int, isHeldOut: Bool)
        /// `bucket` is `nil` when the subject has no unit ID for this layer.
        case slot(layer: String, hash: UnitHash, unit: String, bucket: Int?, slots: [Range<Int>], isInside: Bool)
        /// The variants that admit a unit, none if only a unit without one is admitted, and the variant that the unit
        /// is assigned there, if any.
        case requirement(experiment: String, wanted: [String], assigned: String?, isMet: Bool)
        /// `matches` is `nil` when everyone is eligible.
        case audience(matches: Bool?, tests: [Test])
        /// The window of the experiment's period, the text that is hashed in it, and whether the second bucket is the
        /// mirror image of what that text gives.
        case window(Window, input: String, isMirrored: Bool)
        /// The first bucket, compared with the traffic at the instant of evaluation. Only steps that change something
        /// while the experiment is live are listed.
        case traffic(salt: String, bucket: Int, traffic: Traffic, now: Instant, isBelow: Bool)
        /// The second bucket or the number of another system's hash, its owner, and what each variant owns.
        case split(hash: UnitHash, bucket: Int, owner: String?, variants: [(key: String, buckets: [Range<Int>])])
    }

    /// One line of an audience condition: a connective with deeper lines below it, or a test.
    public struct Test: Sendable {
        /// 0 for the outermost.
        public let depth: Int
        /// The attribute that was tested; `nil` for a connective.
        public let attribute: String?
        /// The test in words.
        public let text: String
        /// The value that was seen, as JSON text; `nil` for a connective or a missing attribute.
        public let seen: String?
        /// The answer; `nil` for a connective.
        public let holds: Bool?
        /// The reason why a value of its type never passes the test; `nil` if it can.
        let mismatch: String?
    }
}

extension Plan {
    /// Explains decisions for a subject.
    ///
    /// - Parameter keys: the experiments to explain, `nil` for all; unknown keys are ignored.
    /// - Parameter instant: The instant of evaluation.
    /// - Parameter subject: The unit and its attributes.
    public func explanation(for subject: Subject, at instant: Instant, experiments keys: [String]? = nil) -> Explanation
    {
        let prepared = PreparedSubject(subject, for: self)
        let loop = DecisionLoop(plan: self, at: instant, selection: nil)
        var scratch = Scratch(self, groupSize: 0)
        var recorder = ExplanationRecorder(plan: self, instant: instant, subject: subject)
        loop.decide(1, prepared.values.span, prepared.bytes.span, &scratch, &recorder)
        let wanted = recorder.experiments.filter { keys?.contains($0.assignment.experiment) ?? true }
            .sorted { UTF8Order.precedes($0.assignment.experiment, $1.assignment.experiment) }
        return Explanation(
            instant: instant, revision: revision, experiments: wanted, unread: unreadAttributes(of: subject))
    }
}

extension Explanation {
    /// The explanation for a client that sent a part of the subject: without the unread attributes that an application
    /// added, which the client cannot fix.
    package func forClient(sending sent: Subject) -> Explanation {
        let names = Set(sent.attributeNames.map(UTF8Key.init))
        return Explanation(
            instant: instant, revision: revision, experiments: experiments,
            unread: unread.filter { names.contains(UTF8Key($0.name)) })
    }
}
