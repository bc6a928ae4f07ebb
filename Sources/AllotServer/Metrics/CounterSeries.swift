import CoreMetrics

/// A number that only grows, in whole steps and in others.
final class CounterSeries: CounterHandler, FloatingPointCounterHandler, MetricSeries {
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
