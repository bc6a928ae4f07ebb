import CoreMetrics
import Synchronization

/// One number that many threads change: the bits of a `Double` in an atomic.
final class AtomicNumber: Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double {
        Double(bitPattern: bits.load(ordering: .relaxed))
    }

    func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (exchanged, current) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if exchanged { return }
            old = current
        }
    }
}

/// A counter: it only grows.
final class CounterSeries: CounterHandler, FloatingPointCounterHandler {
    private let count = Atomic<Int64>(0)
    private let fraction = AtomicNumber()

    var value: Double {
        Double(count.load(ordering: .relaxed)) + fraction.value
    }

    func increment(by amount: Int64) {
        count.wrappingAdd(max(amount, 0), ordering: .relaxed)
    }

    func increment(by amount: Double) {
        if amount > 0, amount.isFinite { fraction.add(amount) }
    }

    func reset() {
        count.store(0, ordering: .relaxed)
        fraction.set(0)
    }
}

/// A number that goes up and down.
final class GaugeSeries: MeterHandler, RecorderHandler {
    private let number = AtomicNumber()

    var value: Double { number.value }

    func set(_ value: Int64) { number.set(Double(value)) }
    func set(_ value: Double) { number.set(value) }
    func increment(by amount: Double) { number.add(amount) }
    func decrement(by amount: Double) { number.add(-amount) }
    func record(_ value: Int64) { number.set(Double(value)) }
    func record(_ value: Double) { number.set(value) }
}

/// How often values fell into buckets.
final class HistogramSeries: TimerHandler, RecorderHandler {
    /// The upper bounds of the buckets, in growing order; above the last there is one more.
    private let bounds: [Double]
    private let counts: [CounterSeries]
    private let total = AtomicNumber()

    init(bounds: [Double]) {
        self.bounds = bounds
        counts = (0...bounds.count).map { _ in CounterSeries() }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        counts[index].increment(by: Int64(1))
        total.add(value)
    }

    /// The sum of the values, and for each bound, infinity the last, how many are not above it.
    var snapshot: (sum: Double, cumulative: [(bound: Double, count: Double)]) {
        var running = 0.0
        let cumulative = (bounds + [.infinity]).enumerated().map { index, bound in
            running += counts[index].value
            return (bound, running)
        }
        return (total.value, cumulative)
    }
}
