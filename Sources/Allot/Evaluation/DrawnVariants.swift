/// The variants of units that were hashed together, by the checks of traffic and split of one experiment.
///
/// Each check is made of all units before the next one, and nothing branches on a bucket. A processor goes on with one
/// side of a branch before it knows the condition; a hash cannot be guessed, and each wrong guess costs as much time as
/// a third of the hash. The sums below are made of four units at once.
struct DrawnVariants: Sendable {
    /// By position the variant's index, or -1 for none.
    private var variants: [Int32]
    /// By position 0 for a unit that is split, -1 for one whose bucket has no owner, -2 for one that is not enrolled.
    private var outcomes: [Int32]

    /// The most owners of buckets of an experiment: with more, a search for each unit takes less time.
    static let mostOwners = 32

    /// Makes room for `capacity` units.
    init(capacity: Int) {
        variants = Array(repeating: -1, count: capacity)
        outcomes = variants
    }

    /// Forgets the first `count` variants.
    @inline(__always)
    mutating func removeAll(_ count: Int) {
        variants.withUnsafeMutableBufferPointer { variants in
            for position in 0..<count { variants[position] = -1 }
        }
    }

    /// The split: gives units a variant whose second buckets one of its owners has. No two owners share a bucket.
    mutating func assign(_ owner: BucketOwner, _ seconds: Span<UInt32>) {
        let lower = UInt32(truncatingIfNeeded: owner.buckets.lowerBound)
        let count = UInt32(truncatingIfNeeded: owner.buckets.count)
        let fromNone = Int32(truncatingIfNeeded: owner.variant &+ 1)
        seconds.withUnsafeBufferPointer { seconds in
            variants.withUnsafeMutableBufferPointer { variants in
                for position in seconds.indices {
                    variants[position] &+= seconds[position] &- lower < count ? fromNone : 0
                }
            }
        }
    }

    /// The traffic, which comes before the split: takes the variants of units whose first buckets are not below it.
    mutating func enrol(_ traffic: Int, _ firsts: Span<UInt32>) {
        let traffic = UInt32(truncatingIfNeeded: traffic)
        firsts.withUnsafeBufferPointer { firsts in
            variants.withUnsafeMutableBufferPointer { variants in
                outcomes.withUnsafeMutableBufferPointer { outcomes in
                    for position in firsts.indices {
                        let refused: Int32 = firsts[position] >= traffic ? -1 : 0
                        let variant = variants[position] | refused
                        variants[position] = variant
                        // The sign of -1 is in all of its bits.
                        outcomes[position] = (variant &>> 31) &+ refused
                    }
                }
            }
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
