import CoreMetrics

/// A number that goes up and down, or one that is measured when it is asked for.
final class GaugeSeries: MeterHandler, RecorderHandler, MetricSeries {
    let key: SeriesKey
    private let number = AtomicNumber()
    private let measure: (@Sendable () -> Double)?

    /// - Parameter measure: takes the place of the numbers that are set.
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
