import Allot

/// Works out again, from the definitions, what a unit gets in one experiment.
package struct Recomputation: Sendable {
    private struct Owner: Sendable {
        let buckets: Range<Int>
        let variant: Int
    }

    private let hash: SaltedHash
    private let owners: [Owner]
    private let forced: ByteTable

    package init(_ plan: Plan, experiment: Int) {
        hash = SaltedHash(plan.experiments[experiment].salt)
        owners = plan.experiments[experiment].variants.enumerated()
            .flatMap { index, variant in variant.buckets.map { Owner(buckets: $0, variant: index) } }
            .sorted { $0.buckets.lowerBound < $1.buckets.lowerBound }
        forced = plan.forcedUnits[experiment]
    }

    /// Whether the definition names the unit a tester.
    package func isForced(_ unit: Span<UInt8>) -> Bool {
        forced.count > 0 && forced.find(unit) != nil
    }

    /// The variant whose buckets hold the unit's second bucket: what it gets if it is enrolled.
    package func variant(of unit: Span<UInt8>) -> Int? {
        let bucket = hash.buckets(of: unit).second
        var low = 0
        var high = owners.count
        while low < high {
            let middle = (low + high) / 2
            if owners[middle].buckets.upperBound <= bucket { low = middle + 1 } else { high = middle }
        }
        return low < owners.count && owners[low].buckets.contains(bucket) ? owners[low].variant : nil
    }
}
