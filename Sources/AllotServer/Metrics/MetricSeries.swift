import CoreMetrics
import Synchronization

/// The numbers of one name and one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    var key: SeriesKey { get }

    /// Writes the samples.
    ///
    /// - Parameter name: The name that Prometheus sees.
    func append(to text: inout PrometheusText, _ name: String)
}

/// The place of a series in the table.
struct SeriesKey: Sendable {
    let family: MetricFamily.Key
    let labels: MetricLabels
}

/// A counter or a gauge: one number, or one that is measured each time the text is written.
final class NumberSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler {
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
    func reset() { number.set(0) }

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    func increment(by amount: Double) {
        if amount > 0 { number.add(amount) }
    }

    func decrement(by amount: Double) {
        if amount > 0 { number.add(-amount) }
    }

    func append(to text: inout PrometheusText, _ name: String) {
        text.sample(name, key.labels, PrometheusText.number(measure?() ?? number.value))
    }
}

/// The number of values in each bucket, and their sum.
final class HistogramSeries: MetricSeries, TimerHandler, RecorderHandler {
    let key: SeriesKey
    private let bounds: HistogramBounds
    /// The number of recorded units in one that is shown: nanoseconds are shown as seconds.
    private let scale: Double
    // In place, so that recording follows no pointer and counts no reference. One longer than the longest bounds.
    private let counts: InlineArray<32, Atomic<Int64>>
    private let sum = AtomicNumber()

    init(key: SeriesKey, bounds: HistogramBounds, scale: Double) {
        self.key = key
        self.bounds = bounds
        self.scale = scale
        counts = InlineArray { _ in Atomic(0) }
    }

    /// Records a duration; a negative one, which a clock set back can give, counts as 0.
    func recordNanoseconds(_ duration: Int64) { record(max(duration, 0)) }

    func record(_ value: Int64) { record(Double(value)) }

    /// Records a value. Values that are not finite are left out: one of them would spoil the sum for good.
    func record(_ value: Double) {
        guard value.isFinite else { return }
        counts[bounds.bucket(of: value / scale)].wrappingAdd(1, ordering: .relaxed)
        sum.add(value)
    }

    func append(to text: inout PrometheusText, _ name: String) {
        // The total is that of the buckets just read: it cannot disagree with them.
        var running: Int64 = 0
        for (index, bound) in bounds.labels.enumerated() {
            running &+= counts[index].load(ordering: .relaxed)
            text.sample(name + "_bucket", key.labels, bound: bound, String(running))
        }
        text.sample(name + "_sum", key.labels, PrometheusText.number(sum.value / scale))
        text.sample(name + "_count", key.labels, String(running))
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
        values.firstIndex { value <= $0 } ?? values.count
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

    /// Adds an amount if it is finite. A sum of finite numbers stays finite: infinity would take no more amounts.
    func add(_ amount: Double) {
        guard amount.isFinite else { return }
        let limit = Double.greatestFiniteMagnitude
        var old = bits.load(ordering: .relaxed)
        var isExchanged = false
        while !isExchanged {
            let value = Double(bitPattern: old)
            let sum = value.isFinite ? min(max(value + amount, -limit), limit) : value + amount
            (isExchanged, old) = bits.weakCompareExchange(expected: old, desired: sum.bitPattern, ordering: .relaxed)
        }
    }
}
