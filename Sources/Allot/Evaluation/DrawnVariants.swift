/// The variants of units that were hashed together, by the checks of traffic and split of one experiment.
///
/// Each check is made of all units before the next one, and nothing branches on a bucket. A processor goes on with one
/// side of a branch before it knows the condition; a hash cannot be guessed, and each wrong guess costs as much time as
/// a third of the hash. The sums below are made of four units at once.
struct DrawnVariants: Sendable {
    /// By position the variant's index, or -1 for none.
    var variants: [Int32]
    /// By position 0 for a unit that is split, -1 for one whose bucket has no owner, -2 for one that is not enrolled.
    var outcomes: [Int32]

    /// The most owners of buckets of an experiment: with more, a search for each unit takes less time.
    static let mostOwners = 32

    /// Makes room for `capacity` units.
    init(capacity: Int) {
        variants = Array(repeating: -1, count: capacity)
        outcomes = Array(repeating: 0, count: capacity)
    }

    /// Gives the first `count` units no variant.
    @inline(__always)
    mutating func reset(_ count: Int) {
        variants.withUnsafeMutableBufferPointer { variants in
            for position in 0..<count { variants[position] = -1 }
        }
    }

    /// The decision for a unit with a second bucket.
    @inline(__always)
    func decision(_ position: Int, second: Int) -> Decision {
        let reasons: InlineArray<3, Reason> = [.traffic, .unallocated, .split]
        let variant = variants[position]
        return .drawn(
            variant, reasons[Int(outcomes[position]) &+ 2],
            bucket: Int32(truncatingIfNeeded: second) | (variant &>> 31))
    }
}
