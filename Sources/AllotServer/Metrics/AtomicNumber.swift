import Synchronization

/// A number that many threads change without a lock: the bits of a `Double` in an atomic.
struct AtomicNumber: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double {
        Double(bitPattern: bits.load(ordering: .relaxed))
    }

    func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    /// Adds a finite amount. A sum of finite numbers stays finite: nothing could be added to infinity any more.
    func add(_ amount: Double) {
        let limit = Double.greatestFiniteMagnitude
        var old = bits.load(ordering: .relaxed)
        while true {
            let sum = Double(bitPattern: old) + amount
            let new = Double(bitPattern: old).isFinite ? min(max(sum, -limit), limit) : sum
            let (isExchanged, current) = bits.weakCompareExchange(
                expected: old, desired: new.bitPattern, ordering: .relaxed)
            if isExchanged { return }
            old = current
        }
    }
}
