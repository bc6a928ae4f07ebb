import AllotConfiguration
import AllotCore

/// The effect of a change of definitions on the units of one experiment, as exact shares.
///
/// Computed from ranges of buckets, never sampled. The shares are of the units that the audience admits: before and
/// after where it stays the same, and else of those that both audiences admit. If no unit is in both, the shares of
/// those that leave are of the old audience, and the shares of those that enter of the new one.
public struct ExperimentReassignment: Sendable {
    /// Units that go from one state to another.
    public struct Transition: Sendable, Hashable {
        /// The variant before, `nil` for none.
        public let from: String?
        /// The variant after, `nil` for none.
        public let to: String?
        /// Above none.
        public let share: ExactShare

        /// The kind of transition for those units.
        public var kind: TransitionKind { TransitionKind(from: from, to: to) }
        /// `control → green`
        var text: String { "\(from ?? "none") → \(to ?? "none")" }
    }

    /// A unit that leaves its randomised variant because a definition now forces it into another one, here or in
    /// an experiment that shares a setting or the layer; or that loses a winner to such an experiment.
    struct ForcedMove: Sendable, Hashable {
        let unit: String
        /// The variant that its bucket gives it, or the winner.
        let from: String
        /// The variant that it is forced into, `nil` for one of another experiment.
        let to: String?
    }

    struct VariantShares: Sendable, Hashable {
        let variant: String
        /// `nil` where the variant is not defined.
        let before: ExactShare?
        let after: ExactShare?
    }

    /// The experiment's key.
    public let experiment: String
    /// Who answers for it, if its definition says so.
    public let owner: String?
    /// The changes of the definition and of its surroundings, for people: `traffic 100% → 40%`.
    public let changes: [String]
    let variants: [VariantShares]
    /// Every pair of states that some unit goes through, without units that have no variant either time.
    public let transitions: [Transition]
    /// Units that it enrolled before and no longer does, because it stopped or its traffic was lowered, and that would
    /// come back to another variant.
    let returning: [Transition]
    /// Units that were randomised into a variant, or had the winner, and are now forced into another variant or
    /// experiment.
    let forcedMoves: [ForcedMove]
    /// The difference of the conditions that units have to meet: units then come in or go out that no range shows.
    let audience: AudienceChange
    /// The attributes of a unit that leaves, in words; `nil` if none is known.
    let leavingExample: String?
    /// The attributes of a unit that enters, in words; `nil` if none is known.
    let enteringExample: String?
    /// Later steps that are new and lower the traffic: `50% → 20% from 2026-12-10T09:00Z`.
    let fallingSteps: [String]
    /// Whether units have randomised variants before, so that moving them harms the comparison.
    let isRandomisedBefore: Bool
    /// Whether every unit is randomised anew, because the salt or the unit changed while the experiment runs.
    let isRerandomised: Bool
    /// The variants whose units have met other settings under the same salt, and carry that over into results.
    public let carryOver: [String]
    /// The carry-over of units into results, for people.
    public let warnings: [String]
    let settings: [SettingChange]

    /// The share of units of one kind of transition.
    public func share(_ kind: TransitionKind) -> ExactShare { transitions.filter { $0.kind == kind }.share }

    /// Whether units with a randomised variant get another one, or none, or may do so because the audience changed.
    public var reassignsEnrolledUnits: Bool {
        reassignsByBuckets || (isRandomisedBefore && [.narrowed, .disjoint, .changed, .requirement].contains(audience))
    }

    /// Whether ranges of buckets, later steps and forced units alone move randomised units, whatever the audience.
    var reassignsByBuckets: Bool {
        !returning.isEmpty
            || (isRandomisedBefore
                && (!forcedMoves.isEmpty || !fallingSteps.isEmpty
                    || transitions.contains { $0.kind == .moves || $0.kind == .leaves }))
    }

    var isChanged: Bool {
        !changes.isEmpty || !settings.isEmpty || !forcedMoves.isEmpty || !carryOver.isEmpty
            || transitions.contains { $0.kind != .stays }
    }
}

/// The effect of a change of definitions on a unit, in the order of tables: harm to a comparison comes first.
public enum TransitionKind: String, Sendable, CaseIterable {
    /// The unit gets another variant.
    case moves
    /// The unit had a variant and gets none.
    case leaves
    /// The unit had no variant and gets one.
    case enters
    /// The unit keeps its variant.
    case stays

    /// The kind of a transition from one state to another.
    public init(from: String?, to: String?) {
        self =
            switch (from, to) {
            case (nil, _): .enters
            case (_, nil): .leaves
            case (let from?, let to?): from == to ? .stays : .moves
            }
    }

    var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

struct SettingChange: Sendable, Hashable {
    let setting: String
    let before: JSONValue?
    let after: JSONValue?
    /// The transitions of the affected units; empty for a change of the base.
    var transitions: [ExperimentReassignment.Transition] = []

    var share: ExactShare { transitions.share }
}

extension [ExperimentReassignment.Transition] {
    var share: ExactShare { reduce(.none) { $0 + $1.share } }
}
