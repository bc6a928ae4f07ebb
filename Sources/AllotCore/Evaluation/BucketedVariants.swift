/// The outcomes of units that were hashed together, by the checks of one experiment that read their buckets. Each check
/// is made of all units before the next one, and nothing branches on a bucket. A processor goes on with one side of a
/// branch before it knows the condition; a hash cannot be guessed, and each wrong guess costs as much time as a third
/// of the hash. The sums of ``assign(_:_:)`` and the masks of ``enrol(_:_:)`` are made of four units at once.
struct BucketedVariants: Sendable {
    /// By position the outcome of the decision.
    var outcomes: [UInt32]
    /// The most owners of buckets of an experiment: with more, a search for each unit takes less time.
    static let mostOwners = 32

    init(capacity: Int) { outcomes = Array(repeating: 0, count: capacity) }

    /// Gives the first `count` units no variant.
    @inline(__always) mutating func reset(_ count: Int) {
        let outcome = Decision.outcome(.unallocated)
        outcomes.withUnsafeMutableBufferPointer { outcomes in
            for position in 0..<count { outcomes[position] = outcome }
        }
    }

    /// The decision on a unit, which keeps the second bucket if it assigns a variant.
    @inline(__always) func decision(_ position: Int, second: UInt32) -> Decision {
        let outcome = outcomes[position]
        let unassigned: UInt32 = outcome < Decision.outcome(of: 0) ? .max : 0
        return Decision(outcome: outcome, splitBucket: Int32(truncatingIfNeeded: second | unassigned))
    }
}
