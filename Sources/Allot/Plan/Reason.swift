/// Why a unit got a variant of an experiment, or none: the first check that applies, in this order.
public enum Reason: UInt8, Sendable, CaseIterable {
    /// The unit ID is missing, empty, longer than 1024 bytes, or not a text.
    case noUnit
    /// The experiment is paused.
    case paused
    /// A tester: the definition names this unit.
    case forced
    /// The experiment is a draft.
    case draft
    /// The unit is forced in another experiment that shares a setting or the layer with this one.
    case displaced
    /// The schedule has not begun.
    case notStarted
    /// The schedule is over.
    case ended
    /// A holdout that covers the experiment holds the unit.
    case holdout
    /// The unit's slot of the layer belongs to others.
    case slot
    /// The unit holds none of the required variants of another experiment.
    case requirement
    /// The audience condition does not match.
    case audience
    /// The experiment is over and everyone in its audience gets the winner.
    case winner
    /// The experiment is over without a winner.
    case concluded
    /// The first bucket is not below the traffic.
    case traffic
    /// No variant owns the second bucket.
    case unallocated
    /// The owner of the second bucket: randomised.
    case split

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
        case .traffic: "traffic"
        case .unallocated: "unallocated"
        case .split: "split"
        }
    }
}
