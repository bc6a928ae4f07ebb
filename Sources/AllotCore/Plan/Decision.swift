/// The decision for one unit and one experiment by indices, as an ``Evaluator`` makes it. ``Assignment`` has the names.
public struct Decision: Sendable, Hashable {
    /// The variant's index plus 1 (0 for none) in the upper 24 bits, the reason in the lower 8. Decisions of eight
    /// bytes are written at once, and those of many units take little of the cache.
    @usableFromInline let outcome: UInt32
    /// The second bucket, or the number of another system's hash, where the reason is ``Reason/split``, else -1.
    @usableFromInline let splitBucket: Int32

    /// Takes the sum of an outcome's parts, and the second bucket if the reason is ``Reason/split``, else -1.
    @inline(__always) init(outcome: UInt32, splitBucket: Int32 = -1) {
        self.outcome = outcome
        self.splitBucket = splitBucket
    }

    @inline(__always) package static func none(_ reason: Reason) -> Decision { Decision(outcome: outcome(reason)) }

    /// A variant that is assigned without a split.
    @inline(__always) package static func assigned(_ variant: Int, _ reason: Reason) -> Decision {
        Decision(outcome: outcome(of: variant) | outcome(reason))
    }

    /// The variant that owns a bucket, which is -1 if it is not kept.
    @inline(__always) static func split(_ variant: Int, bucket: Int) -> Decision {
        Decision(outcome: outcome(of: variant) | outcome(.split), splitBucket: Int32(truncatingIfNeeded: bucket))
    }

    @inline(__always) static func outcome(_ reason: Reason) -> UInt32 { UInt32(reason.rawValue) }
    /// The part of an outcome that is a variant.
    @inline(__always) static func outcome(of variant: Int) -> UInt32 { UInt32(truncatingIfNeeded: variant &+ 1) &<< 8 }

    /// The reason, which names the check that decided.
    @inlinable
    public var reason: Reason { Reason(rawValue: UInt8(truncatingIfNeeded: reasonNumber)) ?? .noUnit }
    /// The raw value of the reason, for tables by reason. Reading it is cheaper than reading ``reason``, which checks
    /// the value.
    @inlinable public var reasonNumber: Int { Int(UInt8(truncatingIfNeeded: outcome)) }

    /// The index of the variant that the unit is assigned, `nil` for none.
    @inlinable public var variant: Int? {
        let number = Int(outcome &>> 8)
        return number == 0 ? nil : number &- 1
    }

    /// The second bucket if the reason is ``Reason/split``, else `nil`.
    ///
    /// With another system's hash it is the unit's number there; `nil` for those of 60 bits, `launchdarkly/1` and
    /// `planout/1`.
    @inlinable public var bucket: Int? { splitBucket < 0 ? nil : Int(splitBucket) }
}

/// The decision for one unit and one experiment: a variant, or none, and the reason.
///
/// ```swift
/// import Allot
///
/// let plan = try Plan.load(folder: "Experiments")
/// for assignment in plan.assignments(for: Subject(id: "user-42"), at: .now) where assignment.reason == .split {
///     print(assignment.experiment, assignment.variant ?? "none", assignment.bucket ?? 0)
/// }
/// ```
public struct Assignment: Sendable, Hashable {
    /// The experiment's key.
    public let experiment: String
    /// The key of the variant that the unit is assigned, `nil` for none.
    public let variant: String?
    /// The reason, which names the check that decided.
    public let reason: Reason
    /// The second bucket, 0 ..< 1,000,000, where the reason is ``Reason/split``; with another system's hash the unit's
    /// number there, unless that has 60 bits.
    public let bucket: Int?
    /// The revision of the experiment's definition, 16 hexadecimal digits.
    public let revision: String
    /// The window of the experiment's period that decided; `nil` without a period, and if none of its windows did.
    public let window: Window?
}
