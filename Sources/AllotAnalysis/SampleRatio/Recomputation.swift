import Allot

/// Works out again, from the definitions, what a unit gets in one experiment.
struct Recomputation: Sendable {
    private let hash: SaltedHash
    private let owned: [BucketSet]
    private let forced: ByteTable

    init(_ plan: Plan, experiment: Int) {
        hash = SaltedHash(plan.experiments[experiment].salt)
        owned = plan.experiments[experiment].variants.map { BucketSet($0.buckets) }
        forced = plan.forcedUnits[experiment]
    }

    /// Whether the definition names the unit a tester.
    func isForced(_ unit: Span<UInt8>) -> Bool {
        forced.find(unit) != nil
    }

    /// The variant whose buckets hold the unit's second bucket: what it gets if it is enrolled.
    func variant(of unit: Span<UInt8>) -> Int? {
        let bucket = hash.buckets(of: unit).second
        return owned.firstIndex { $0.contains(bucket) }
    }
}
