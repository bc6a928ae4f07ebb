/// The reason why a unit is assigned a variant of an experiment, or none: the first check that applies, in this order.
///
/// A unit is assigned a variant for the reasons ``forced``, ``winner``, ``everyone`` and ``split``, and none for all
/// others.
///
/// ```swift
/// func isRandomised(_ assignment: Assignment) -> Bool {
///     assignment.reason == .split  // neither forced nor a winner
/// }
/// ```
public enum Reason: UInt8, Sendable, CaseIterable {
    /// The unit ID is missing, empty, longer than 1024 bytes, or neither text nor a whole number.
    case noUnit
    /// The experiment is paused.
    case paused
    /// The definition names this unit and its variant, for testing. Never counted as randomised.
    case forced
    /// The experiment is a draft.
    case draft
    /// The unit is forced in another experiment that shares a setting or the layer with this one.
    case displaced
    /// The experiment has not started.
    case notStarted
    /// The experiment has ended.
    case ended
    /// A holdout that covers the experiment holds the unit out.
    case holdout
    /// The unit's slot of the layer is not among the experiment's slots.
    case slot
    /// The unit is not assigned one of the required variants of another experiment, or is assigned one where it must
    /// have none.
    case requirement
    /// The audience condition does not match.
    case audience
    /// The experiment is concluded, and everyone in its audience gets the winner.
    case winner
    /// The experiment is concluded without a winner.
    case concluded
    /// The experiment randomises nothing, and everyone in its audience gets its one variant. No unit is counted.
    case everyone
    /// The unit's first bucket is not below the traffic at the instant.
    case traffic
    /// The unit's second bucket, or its number of another system's hash, belongs to no variant.
    case unallocated
    /// The variant owns the unit's second bucket, or its number of another system's hash. The only reason that is
    /// randomised.
    case split

    /// The number of reasons, as a constant.
    @inlinable public static var count: Int { Int(Reason.split.rawValue) &+ 1 }

    /// The reason as files and protocols spell it.
    public var text: String {
        switch self {
        case .noUnit: "no-unit"
        case .paused: "paused"
        case .forced: "forced"
        case .draft: "draft"
        case .displaced: "displaced"
        case .notStarted: "not-started"
        case .ended: "ended"
        case .holdout: "holdout"
        case .slot: "slot"
        case .requirement: "requirement"
        case .audience: "audience"
        case .winner: "winner"
        case .concluded: "concluded"
        case .everyone: "everyone"
        case .traffic: "traffic"
        case .unallocated: "unallocated"
        case .split: "split"
        }
    }
}
