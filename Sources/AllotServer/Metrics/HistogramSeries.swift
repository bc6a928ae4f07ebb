import CoreMetrics
import Synchronization

/// How often values fell into buckets, and their sum.
final class HistogramSeries: TimerHandler, RecorderHandler, MetricSeries {
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

    /// Records a duration, in seconds for the reader; a negative one, which a clock set back can give, counts as 0.
    func recordNanoseconds(_ duration: Int64) {
        let duration = max(duration, 0)
        count(Double(duration) / 1e9)
        nanoseconds.add(duration)
    }

    func record(_ value: Int64) { record(Double(value)) }

    /// Records a value. Numbers that are not finite would spoil the sum for ever and are left out.
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
