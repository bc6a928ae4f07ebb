/// The variants of units that were hashed together, by the checks of traffic and split of one experiment.
///
/// Each check is made of all units before the next one, and nothing branches on a bucket. A processor goes on with one
/// side of a branch before it knows the condition; a hash cannot be guessed, and each wrong guess costs as much time as
/// a third of the hash. The sums below are made of four units at once.
struct BucketedVariants: Sendable {
    /// By position the outcome of the decision, or before the traffic the part of it that is a variant.
    var outcomes: [UInt32]
    /// By position the second bucket of a unit that is split, else -1.
    var buckets: [Int32]

    /// The most owners of buckets of an experiment: with more, a search for each unit takes less time.
    static let mostOwners = 32

    init(capacity: Int) {
        outcomes = Array(repeating: 0, count: capacity)
        buckets = Array(repeating: -1, count: capacity)
    }

    /// Gives the first `count` units no variant.
    @inline(__always)
    mutating func reset(_ count: Int) {
        outcomes.withUnsafeMutableBufferPointer { outcomes in
            for position in 0..<count { outcomes[position] = 0 }
        }
    }

    @inline(__always)
    subscript(position: Int) -> Decision { Decision(outcome: outcomes[position], splitBucket: buckets[position]) }
}
