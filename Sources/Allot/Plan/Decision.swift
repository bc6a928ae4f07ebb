/// The decision for one unit and one experiment by indices, as an ``Evaluator`` makes it. ``Assignment`` has the names.
public struct Decision: Sendable, Hashable {
    /// The variant's index, or -1 for none.
    @usableFromInline let variantIndex: Int32
    /// Why.
    public let reason: Reason
    /// The second bucket, or the number of another system's hash, where the reason is ``Reason/split``, else -1.
    @usableFromInline let splitBucket: Int32

    private init(variantIndex: Int32, reason: Reason, splitBucket: Int32) {
        self.variantIndex = variantIndex
        self.reason = reason
        self.splitBucket = splitBucket
    }

    /// No variant.
    @inline(__always)
    static func none(_ reason: Reason) -> Decision {
        Decision(variantIndex: -1, reason: reason, splitBucket: -1)
    }

    /// A variant that is assigned without a split.
    @inline(__always)
    static func assigned(_ variant: Int, _ reason: Reason) -> Decision {
        Decision(variantIndex: Int32(truncatingIfNeeded: variant), reason: reason, splitBucket: -1)
    }

    /// The variant that owns a bucket; -1 for one that the decision does not keep.
    @inline(__always)
    static func split(_ variant: Int, bucket: Int) -> Decision {
        Decision(
            variantIndex: Int32(truncatingIfNeeded: variant), reason: .split,
            splitBucket: Int32(truncatingIfNeeded: bucket))
    }

    /// What the traffic and the split decide.
    ///
    /// - Parameters:
    ///   - variant: The variant's index, or -1 for none.
    ///   - bucket: The second bucket, or -1 without a variant.
    @inline(__always)
    static func drawn(_ variant: Int32, _ reason: Reason, bucket: Int32) -> Decision {
        Decision(variantIndex: variant, reason: reason, splitBucket: bucket)
    }

    /// The index of the variant that the unit is assigned, `nil` for none.
    @inlinable
    public var variant: Int? {
        variantIndex < 0 ? nil : Int(variantIndex)
    }

    /// The second bucket if the reason is ``Reason/split``, else `nil`.
    ///
    /// With another system's hash it is the unit's number there; `nil` for those of 60 bits, `launchdarkly/1` and
    /// `planout/1`.
    @inlinable
    public var bucket: Int? {
        splitBucket < 0 ? nil : Int(splitBucket)
    }
}

/// The decision for one unit and one experiment: a variant, or none, and the reason.
///
/// ```swift
/// import Allot
/// import AllotDefinitions
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
    /// Why.
    public let reason: Reason
    /// The second bucket, 0 ..< 1,000,000, where the reason is ``Reason/split``; with another system's hash the unit's
    /// number there, unless that has 60 bits.
    public let bucket: Int?
    /// The revision of the experiment's definition, 16 hexadecimal digits.
    public let revision: String
}
