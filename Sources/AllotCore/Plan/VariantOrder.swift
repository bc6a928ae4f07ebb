import AllotConfiguration

/// The variants of each experiment in the order of their keys' bytes: the same for definitions that list them in
/// another order, which have the same revision.
struct VariantOrder: Sendable {
    private var places: [Int32] = []
    private var starts: [Int32] = []

    /// Complexity: O(*n* log *n*) for each experiment with *n* variants, O(*n*) if they are in order.
    init(_ experiments: [Plan.Experiment]) {
        starts.reserveCapacity(experiments.count)
        for index in experiments.indices {
            let start = places.count
            starts.append(Int32(start))
            let variants = experiments[index].variants
            places += (0..<Int32(variants.count))
            let isInOrder = variants.indices.dropFirst().allSatisfy {
                UTF8Order.precedes(variants[$0 - 1].key, variants[$0].key)
            }
            guard !isInOrder else { continue }
            let sorted = variants.indices.sorted { UTF8Order.precedes(variants[$0].key, variants[$1].key) }
            for (place, variant) in sorted.enumerated() { places[start + variant] = Int32(place) }
        }
    }

    /// The place of a variant among those of its experiment, from 0.
    func place(of variant: Int, in experiment: Int) -> Int { Int(places[Int(starts[experiment]) + variant]) }
}
