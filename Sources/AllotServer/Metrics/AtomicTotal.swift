import Synchronization

/// A whole number that only grows, up to `Int64.max`, where it stays.
struct AtomicTotal: ~Copyable, Sendable {
    private let total = Atomic<Int64>(0)

    var value: Int64 {
        let value = total.load(ordering: .relaxed)
        return value < 0 ? .max : value
    }

    /// Adds an amount; a negative one counts as 0.
    func add(_ amount: Int64) {
        let sum = total.wrappingAdd(max(amount, 0), ordering: .relaxed).newValue
        // One addition and a rarely taken branch are cheaper than a loop of comparisons.
        if sum < 0 { total.store(.max, ordering: .relaxed) }
    }

    func reset() {
        total.store(0, ordering: .relaxed)
    }
}
