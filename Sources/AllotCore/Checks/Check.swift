/// The checks that decide an experiment for a unit, in their order: the first that applies gives the reason. This is
/// the only place that states the order. Evaluation, SQL, conflict proofs and the ``Gate``s, which all other proofs and
/// reports take, go through these cases and switch over them without a default: a new check does not compile until each
/// of them has an answer for it. Each check has a file of its own in this folder.
package enum Check: UInt8, Sendable, CaseIterable {
    /// The unit ID is missing or not valid.
    case unit
    /// The experiment is paused.
    case paused
    /// The definition names the unit and its variant.
    case forced
    /// The experiment is a draft.
    case draft
    /// The subject is forced in another experiment that shares a setting or the layer.
    case displacement
    /// The experiment has not started, or has ended.
    case schedule
    /// A holdout that covers the experiment holds the unit out.
    case holdout
    /// The unit's slot of the layer is not among the experiment's slots.
    case slot
    /// The unit is not assigned a required variant of another experiment, or is assigned one where it must have none.
    case requirement
    /// The audience condition does not match.
    case audience
    /// The experiment is concluded, with or without a winner, or it randomises nothing.
    case conclusion
    /// The unit's first bucket is not below the traffic at the instant. Another system's hash gives one number, so that
    /// an experiment with one has no such check.
    case traffic
    /// The unit's second bucket, or its number of another system's hash, belongs to a variant, or to none.
    case split

    /// The check as one that reads the unit's buckets under the experiment's hash. Returns `nil` for all others.
    @inline(__always) var ofBuckets: BucketCheck? {
        switch self {
        case .traffic: .traffic
        case .split: .split
        case .unit, .paused, .forced, .draft, .displacement, .schedule, .holdout, .slot, .requirement, .audience,
            .conclusion:
            nil
        }
    }

    /// Whether the check reads the hash of a unit under the salt of a layer or holdout.
    @inline(__always) var readsGate: Bool { self == .holdout || self == .slot }

    /// Whether the check reads the ID of the experiment's own unit. An experiment without a draw has none of these.
    fileprivate var readsUnit: Bool {
        switch self {
        case .unit, .forced, .slot, .holdout, .traffic, .split: true
        case .paused, .draft, .displacement, .schedule, .requirement, .audience, .conclusion: false
        }
    }
}

/// Some of the checks, taken one by one in their order.
struct CheckSet: Sendable {
    private var bits: UInt32

    init(where isIncluded: (Check) -> Bool) {
        bits = Check.allCases.filter(isIncluded).reduce(0) { $0 | 1 << UInt32($1.rawValue) }
    }

    static let all = CheckSet { _ in true }
    /// The checks that need no unit ID.
    static let withoutUnit = CheckSet { !$0.readsUnit }

    @inline(__always) func contains(_ check: Check) -> Bool { bits & 1 << UInt32(check.rawValue) != 0 }
    @inline(__always) mutating func remove(_ check: Check) { bits &= ~(1 << UInt32(check.rawValue)) }

    /// Removes and returns the first check. Returns `nil` if none is left.
    @inline(__always) mutating func popFirst() -> Check? {
        guard bits != 0 else { return nil }
        defer { bits &= bits &- 1 }
        return Check(rawValue: UInt8(truncatingIfNeeded: bits.trailingZeroBitCount))
    }
}

/// A check that reads the unit's buckets under the experiment's hash. These are made when many units are hashed.
enum BucketCheck {
    case traffic
    case split
}

/// The checks of a set that read the unit's buckets, in their order.
struct BucketChecks: Sendable {
    let first, second: BucketCheck?

    init(_ checks: CheckSet) {
        var checks = checks
        var found: [BucketCheck] = []
        while let check = checks.popFirst() {
            if let check = check.ofBuckets { found.append(check) }
        }
        first = found.first
        second = found.dropFirst().first
    }
}
