import Allot
import AllotConfiguration

/// What a change of definitions does to the units of one experiment, as exact shares.
///
/// Computed from ranges of buckets, never sampled. The shares are of the units that the audience admits: before and
/// after where it stays the same, and else of those that both audiences admit.
public struct ExperimentMovement: Sendable {
    /// Units that go from one state to another.
    public struct Transition: Sendable, Hashable {
        /// The variant held before, `nil` for none.
        public let from: String?
        /// The variant held after, `nil` for none.
        public let to: String?
        /// Above none.
        public let share: ExactShare

        /// What it is for those units.
        public var kind: TransitionKind { TransitionKind(from: from, to: to) }
    }

    /// A unit that leaves the variant it was drawn into because a definition now forces it into another one, here or in
    /// an experiment that shares a setting or the layer.
    public struct ForcedMove: Sendable, Hashable {
        /// The unit ID.
        public let unit: String
        /// The variant that its bucket gives it.
        public let from: String
        /// The variant that it is forced into, `nil` for one of another experiment.
        public let to: String?
    }

    /// A variant's share before and after.
    public struct VariantShares: Sendable, Hashable {
        public let variant: String
        /// `nil` where the variant is not defined.
        public let before: ExactShare?
        /// `nil` where the variant is not defined.
        public let after: ExactShare?
    }

    /// The experiment's key.
    public let experiment: String
    /// What changed in the definition and in what it leans on, for people: `traffic 100% → 40%`.
    public let changes: [String]
    /// Every variant, those of before first.
    public let variants: [VariantShares]
    /// Every pair of states that some unit goes through, without those who hold nothing before and after.
    public let transitions: [Transition]
    /// Units that it enrolled before it was paused or ended and that would come back to another variant.
    public let returning: [Transition]
    /// Units that were drawn into one variant and are now forced into another, or into another experiment.
    public let forcedMoves: [ForcedMove]
    /// How the conditions differ that units have to meet: units then come in or go out that no range tells of.
    public let audience: AudienceChange
    /// Whether units hold their variants by a draw before, so that moving them harms the comparison.
    public let isRandomisedBefore: Bool
    /// Whether the salt or the unit changed while it was and stays in use: every unit is drawn anew.
    public let isRerandomised: Bool
    /// What moved units carry over into results, for people.
    public let warnings: [String]
    /// Which settings change for whom.
    public let settings: [SettingChange]

    /// The share of units of one kind of transition.
    public func share(_ kind: TransitionKind) -> ExactShare {
        transitions.filter { $0.kind == kind }.reduce(.none) { $0 + $1.share }
    }

    /// Whether units that were drawn into a variant hold another one after, or none, or may do so because the audience
    /// changed.
    public var movesEnrolled: Bool {
        movesByDraw || (isRandomisedBefore && (audience == .narrowed || audience == .changed))
    }

    /// Whether ranges of buckets and forced units alone move units that were drawn, whatever the audience.
    public var movesByDraw: Bool {
        !returning.isEmpty || !forcedMoves.isEmpty
            || (isRandomisedBefore && transitions.contains { $0.kind == .moves || $0.kind == .leaves })
    }

    /// Whether there is anything to tell.
    public var isChanged: Bool {
        !changes.isEmpty || !settings.isEmpty || !forcedMoves.isEmpty || transitions.contains { $0.kind != .stays }
    }
}

/// What a change of definitions is for a unit.
public enum TransitionKind: String, Sendable, CaseIterable {
    /// It holds the variant that it held.
    case stays
    /// It holds another variant.
    case moves
    /// It held none and holds one.
    case enters
    /// It held one and holds none.
    case leaves

    /// What going from one state to another is.
    public init(from: String?, to: String?) {
        self =
            switch (from, to) {
            case (nil, _): .enters
            case (_, nil): .leaves
            case (let from?, let to?): from == to ? .stays : .moves
            }
    }
}

/// A setting that has another value for some units.
public struct SettingChange: Sendable, Hashable {
    /// `Section.Setting`.
    public let setting: String
    /// The value before, `nil` where the base does not declare it.
    public let before: JSONValue?
    /// The value after, `nil` where the base does not declare it.
    public let after: JSONValue?
    /// For whom: the states before and after. Empty for a change of the base, which is for all whom no variant gives
    /// another value.
    public let transitions: [ExperimentMovement.Transition]

    /// The share of units.
    public var share: ExactShare {
        transitions.reduce(.none) { $0 + $1.share }
    }
}
