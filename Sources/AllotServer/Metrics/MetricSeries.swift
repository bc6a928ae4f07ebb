import CoreMetrics
import Synchronization

/// The numbers of one name and one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    static var kind: MetricKind { get }
    var key: SeriesKey { get }

    func append(to text: inout PrometheusText)
}

/// The place of a series in the table.
struct SeriesKey: Hashable, Sendable {
    /// The name that Prometheus sees.
    let family: String
    let labels: MetricLabels
}

/// A number that only grows, in whole steps and in others.
final class CounterSeries: CounterHandler, FloatingPointCounterHandler, MetricSeries {
    static let kind = MetricKind.counter
    let key: SeriesKey
    private let whole = AtomicTotal()
    private let fraction = AtomicNumber()

    init(key: SeriesKey) {
        self.key = key
    }

    func increment(by amount: Int64) {
        whole.add(amount)
    }

    func increment(by amount: Double) {
        if amount > 0, amount.isFinite { fraction.add(amount) }
    }

    func reset() {
        whole.reset()
        fraction.set(0)
    }

    func append(to text: inout PrometheusText) {
        let (whole, fraction) = (whole.value, fraction.value)
        // A `Double` would round totals above 2⁵³.
        let number = fraction == 0 ? String(whole) : PrometheusText.number(Double(whole) + fraction)
        text.sample(key.family, key.labels, number)
    }
}

/// A number that goes up and down, or one that is measured each time the text is written.
final class GaugeSeries: MeterHandler, RecorderHandler, MetricSeries {
    static let kind = MetricKind.gauge
    let key: SeriesKey
    private let number = AtomicNumber()
    private let measure: (@Sendable () -> Double)?

    /// - Parameter measure: replaces the numbers that are set.
    init(key: SeriesKey, measure: (@Sendable () -> Double)? = nil) {
        self.key = key
        self.measure = measure
    }

    func set(_ value: Int64) { number.set(Double(value)) }
    func set(_ value: Double) { number.set(value) }
    func record(_ value: Int64) { number.set(Double(value)) }
    func record(_ value: Double) { number.set(value) }

    func increment(by amount: Double) {
        if amount > 0, amount.isFinite { number.add(amount) }
    }

    func decrement(by amount: Double) {
        if amount > 0, amount.isFinite { number.add(-amount) }
    }

    func append(to text: inout PrometheusText) {
        text.sample(key.family, key.labels, PrometheusText.number(measure?() ?? number.value))
    }
}

/// The number of values in each bucket, and their sum.
final class HistogramSeries: TimerHandler, RecorderHandler, MetricSeries {
    static let kind = MetricKind.histogram
    let key: SeriesKey
    private let bounds: HistogramBounds
    // In place, so that recording follows no pointer and counts no reference. One longer than the longest bounds.
    private let counts: InlineArray<32, Atomic<Int64>>
    private let sum = AtomicNumber()
    private let nanoseconds = AtomicTotal()

    init(key: SeriesKey, bounds: HistogramBounds) {
        self.key = key
        self.bounds = bounds
        counts = InlineArray { _ in Atomic(0) }
    }

    /// Records a duration, which is shown in seconds; a negative one, which a clock set back can give, counts as 0.
    func recordNanoseconds(_ duration: Int64) {
        let duration = max(duration, 0)
        count(Double(duration) / 1e9)
        nanoseconds.add(duration)
    }

    func record(_ value: Int64) { record(Double(value)) }

    /// Records a value. Values that are not finite are left out: one of them would spoil the sum for good.
    func record(_ value: Double) {
        guard value.isFinite else { return }
        count(value)
        sum.add(value)
    }

    private func count(_ value: Double) {
        counts[bounds.bucket(of: value)].wrappingAdd(1, ordering: .relaxed)
    }

    func append(to text: inout PrometheusText) {
        // The total is that of the buckets just read: it cannot disagree with them.
        var running: Int64 = 0
        for (index, bound) in bounds.labels.enumerated() {
            running &+= counts[index].load(ordering: .relaxed)
            text.sample(key.family + "_bucket", key.labels, bound: bound, String(running))
        }
        let total = sum.value + Double(nanoseconds.value) / 1e9
        text.sample(key.family + "_sum", key.labels, PrometheusText.number(total))
        text.sample(key.family + "_count", key.labels, String(running))
    }
}

/// The upper bounds of a histogram's buckets: finite, growing, at most ``limit``. Above the last is one more bucket.
struct HistogramBounds: Sendable {
    /// The most bounds of a histogram.
    static let limit = 31

    let values: [Double]
    /// The bounds as the `le` label shows them, the infinite one last.
    let labels: [String]

    /// Takes the finite bounds in growing order, each once, up to the limit.
    init(_ bounds: [Double]) {
        values = Array(Set(bounds.filter(\.isFinite)).sorted().prefix(Self.limit))
        labels = (values + [.infinity]).map(PrometheusText.number)
    }

    /// The bucket of a value: the first whose bound is not below it.
    func bucket(of value: Double) -> Int {
        var index = 0
        while index < values.count, value > values[index] { index += 1 }
        return index
    }
}

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
