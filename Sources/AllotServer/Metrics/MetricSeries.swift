import CoreMetrics
import Synchronization

/// The numbers of one name and one set of labels: one, or for a histogram the sum and the counts of the buckets.
final class MetricSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    let metric: MetricKey
    let labels: String
    /// The upper bounds of the buckets: finite and growing.
    private let bounds: [Double]
    /// One more than the bounds: for what is above the last. Empty unless the series is a histogram.
    private let buckets: [AtomicNumber]
    /// The number of recorded units in one that is shown: nanoseconds are shown as seconds.
    private let scale: Double
    private let number = AtomicNumber()

    init(_ metric: MetricKey, labels: String, bounds: [Double], scale: Double) {
        (self.metric, self.labels, self.bounds, self.scale) = (metric, labels, bounds, scale)
        buckets = metric.kind == .histogram ? (0...bounds.count).map { _ in AtomicNumber() } : []
    }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { number.set(value) }
    func reset() { set(0.0) }
    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { if amount > 0 { number.add(amount) } }
    func decrement(by amount: Double) { if amount > 0 { number.add(-amount) } }
    /// Records a duration; a negative one, which a clock set back can give, counts as 0.
    func recordNanoseconds(_ duration: Int64) { record(max(duration, 0)) }
    func record(_ value: Int64) { record(Double(value)) }

    /// Sets a gauge, or counts a finite value of a histogram: another one would spoil the sum for good.
    func record(_ value: Double) {
        guard !buckets.isEmpty else { return set(value) }
        guard value.isFinite else { return }
        let scaled = value / scale
        buckets[bounds.firstIndex { scaled <= $0 } ?? bounds.count].add(1)
        number.add(value)
    }

    /// The lines of the samples, with the name that Prometheus sees.
    func text(_ name: String) -> String {
        guard !buckets.isEmpty else { return PrometheusText.sample(name, labels, number.value) }
        var text = ""
        // The total is that of the buckets just read: it cannot disagree with them.
        var total = 0.0
        for (bucket, bound) in zip(buckets, bounds + [Double.infinity]) {
            total += bucket.value
            let own = "le=\"\(PrometheusText.number(bound))\""
            text += PrometheusText.sample(name + "_bucket", labels.isEmpty ? own : "\(labels),\(own)", total)
        }
        text += PrometheusText.sample(name + "_sum", labels, number.value / scale)
        return text + PrometheusText.sample(name + "_count", labels, total)
    }
}

/// A number that many threads change without a lock: the bits of a `Double` in an atomic.
final class AtomicNumber: Sendable {
    private let bits = Atomic<UInt64>(0)
    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }
    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    /// Adds an amount if it is finite. A sum of finite numbers stays finite: infinity would take no more amounts.
    func add(_ amount: Double) {
        guard amount.isFinite else { return }
        let limit = Double.greatestFiniteMagnitude
        var (isExchanged, old) = (false, bits.load(ordering: .relaxed))
        while !isExchanged {
            let value = Double(bitPattern: old)
            let sum = value.isFinite ? min(max(value + amount, -limit), limit) : value + amount
            (isExchanged, old) = bits.weakCompareExchange(expected: old, desired: sum.bitPattern, ordering: .relaxed)
        }
    }
}
