/// Exposures that were recorded once; of too many the oldest are forgotten.
struct SeenExposures: Sendable {
    let limit: Int
    private var keys: Set<ExposureKey> = []
    private var order: [ExposureKey] = []
    private var oldest = 0

    init(limit: Int) {
        self.limit = limit
    }

    func contains(_ key: ExposureKey) -> Bool {
        keys.contains(key)
    }

    /// Remembers an exposure. Complexity: O(1), amortised.
    mutating func insert(_ key: ExposureKey) {
        guard keys.insert(key).inserted else { return }
        order.append(key)
        while order.count - oldest > limit {
            keys.remove(order[oldest])
            oldest += 1
        }
        if oldest > limit {
            order.removeFirst(oldest)
            oldest = 0
        }
    }
}
