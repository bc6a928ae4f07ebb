// Check: the split among the variants, the last one.

/// The buckets of one variant, or a part of them: what a plan compiles weights and buckets to, in order.
struct BucketOwner: Sendable {
    let buckets: Range<Int>
    let variant: Int

    static func owners(_ variants: [VariantDefinition]) -> [BucketOwner] {
        variants.enumerated().flatMap { index, variant in
            variant.buckets.map { BucketOwner(buckets: $0, variant: index) }
        }.filter { !$0.buckets.isEmpty }.sorted { $0.buckets.lowerBound < $1.buckets.lowerBound }
    }
}

extension DecisionLoop {
    /// A unit gets the variant that owns its second bucket, or its number of another system's hash; if no variant does,
    /// it is not assigned.
    @inline(__always)
    func split<R: Recorder>(_ experiment: CompiledExperiment, bucket: Int, _ recorder: inout R) -> Decision {
        let owner = plan.owner(of: bucket, in: experiment.owners)
        recorder.split(bucket: bucket, owner: owner)
        guard let owner else { return .none(.unallocated) }
        return .split(owner, bucket: experiment.keepsBucket ? bucket : -1)
    }
}

extension BucketedVariants {
    /// Gives the variant of some buckets to the units that have them as their second ones. No two owners share a
    /// bucket, so that sums will do: no unit gets two variants.
    mutating func assign(_ owner: BucketOwner, _ seconds: Span<UInt32>) {
        let lower = UInt32(truncatingIfNeeded: owner.buckets.lowerBound)
        let count = UInt32(truncatingIfNeeded: owner.buckets.count)
        // The difference leads from the reason of a unit without a variant to that of a split.
        let variant = Decision.outcome(of: owner.variant) &+ Decision.outcome(.split) &- Decision.outcome(.unallocated)
        seconds.withUnsafeBufferPointer { seconds in
            outcomes.withUnsafeMutableBufferPointer { outcomes in
                for position in seconds.indices {
                    outcomes[position] &+= seconds[position] &- lower < count ? variant : 0
                }
            }
        }
    }
}

extension HashScheme {
    /// Whether a decision keeps the bucket: not one of 60 bits.
    package var fitsDecision: Bool { defaultResolution <= Int(Int32.max) }
}

extension Plan {
    /// The variant of an experiment that owns a bucket. Returns `nil` if no variant does. Complexity: O(log of the
    /// number of ranges).
    package func owner(of bucket: Int, in experiment: Int) -> Int? {
        owner(of: bucket, in: compiled.experiments[experiment].owners)
    }

    @inline(__always) fileprivate func owner(of bucket: Int, in owners: Pool<BucketOwner>.Part) -> Int? {
        var (low, high) = (owners.positions.lowerBound, owners.positions.upperBound)
        while low < high {
            let middle = (low &+ high) / 2
            if compiled.owners[middle].buckets.upperBound <= bucket { low = middle &+ 1 } else { high = middle }
        }
        guard low < owners.positions.upperBound, compiled.owners[low].buckets.lowerBound <= bucket else { return nil }
        return compiled.owners[low].variant
    }
}
