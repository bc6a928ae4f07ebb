import CoreMetrics
import Synchronization

/// Writes metrics as the text that Prometheus reads (its exposition format, version 0.0.4). `Sendable`.
///
/// ```swift
/// import Metrics
///
/// let registry = PrometheusRegistry()
/// MetricsSystem.bootstrap(registry)
/// Counter(label: "app.starts").increment()
/// let body = registry.text()  // # TYPE app_starts_total counter …
/// ```
///
/// Counting takes no lock. Names are changed to what Prometheus accepts: `http.requests` becomes `http_requests`,
/// counters end in `_total`, timers in `_seconds`. Equal names and dimensions, in any order, share one handler. If
/// metrics of two kinds request one name, the later gets a suffix, such as `_gauge`. A metric has a bounded number of
/// series: label values that come from requests cannot fill the memory.
public final class PrometheusRegistry: Sendable {
    /// The media type of ``text()``.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The bounds of timers in seconds: from a tenth of a millisecond to ten seconds.
    static let defaultBounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// The bounds of recorders, for sizes and counts: from one to a million.
    static let defaultRecorderBounds: [Double] = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000,
        1_000_000,
    ]

    private let table = Mutex(MetricTable())
    private let timerBounds: HistogramBounds
    private let recorderBounds: HistogramBounds
    private let seriesLimit: Int

    /// A registry without metrics.
    ///
    /// Bounds that are not finite are left out, and so are those after the first 31 in growing order.
    ///
    /// - Parameters:
    ///   - bounds: the upper bounds of the buckets of timers, in seconds; from a tenth of a millisecond to ten seconds
    ///     by default.
    ///   - recorderBounds: the upper bounds of the buckets of aggregating recorders; from one to a million by default.
    ///   - seriesLimit: the most series of one metric, at least 1; further ones are counted together in one more, with
    ///     "other" as each label's value.
    public init(bounds: [Double]? = nil, recorderBounds: [Double]? = nil, seriesLimit: Int = 10_000) {
        timerBounds = HistogramBounds(bounds ?? Self.defaultBounds)
        self.recorderBounds = HistogramBounds(recorderBounds ?? Self.defaultRecorderBounds)
        self.seriesLimit = max(seriesLimit, 1)
    }

    /// Sets the help text of a metric.
    ///
    /// - Parameter name: the metric's name as ``text()`` shows it, such as `http_requests_total`.
    /// - Parameter help: What the number means, for Prometheus.
    func setHelp(_ help: String, for name: String) {
        table.withLock { $0.setHelp(help, for: PrometheusName.metric(name)) }
    }

    /// Adds a gauge that is measured each time the text is written; one of the same name and labels is replaced.
    ///
    /// - Parameters:
    ///   - help: what the gauge means.
    ///   - value: gives the number; it may be called from any thread, by several at once, and may use the registry.
    ///   - dimensions: Names and values of its labels.
    ///   - name: The name of the metric.
    func gauge(
        _ name: String, dimensions: [(String, String)] = [], help: String, _ value: @escaping @Sendable () -> Double
    ) {
        let labels = MetricLabels(dimensions)
        table.withLock { $0.change(Self.gaugeKey(name), help: help) { $0.measure(labels, value) } }
    }

    /// Adds facts that are looked up each time the text is written: the labels of a gauge that is always 1.
    ///
    /// - Parameter labels: gives the facts; it may be called from any thread, by several at once.
    /// - Parameter help: What the number means, for Prometheus.
    /// - Parameter name: The name of the metric.
    public func info(_ name: String, help: String, _ labels: @escaping @Sendable () -> [(String, String)]) {
        infos(name, help: help) { [labels()] }
    }

    /// Adds facts about several things, each with a gauge that is always 1.
    func infos(_ name: String, help: String, _ labels: @escaping @Sendable () -> [[(String, String)]]) {
        table.withLock { $0.change(Self.gaugeKey(name), help: help) { $0.info = labels } }
    }

    /// All metrics, in the order of their names and labels.
    public func text() -> [UInt8] {
        // A copy, so that measuring gauges and writing block no caller.
        table.withLock { $0 }.text
    }
}

extension PrometheusRegistry: MetricsFactory {
    /// The counter of a label, whose name ends in `_total`.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counter(label, dimensions)
    }

    /// The counter of a label, the same one as for whole numbers.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        counter(label, dimensions)
    }

    /// The gauge of a label.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions)
    }

    /// A histogram if the recorder aggregates, otherwise a gauge of the last value.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return gauge(label, dimensions) }
        return histogram(PrometheusName.metric(label), dimensions, recorderBounds, scale: 1)
    }

    /// The histogram of a label, whose name ends in `_seconds`.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(PrometheusName.metric(label, unit: "_seconds"), dimensions, timerBounds, scale: 1e9)
    }

    /// Takes the series out of the text, for all handlers of it; a handler made afterwards starts from 0.
    public func destroyCounter(_ handler: any CounterHandler) { destroy(handler) }

    /// Like ``destroyCounter(_:)``.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { destroy(handler) }

    /// Like ``destroyCounter(_:)``.
    public func destroyMeter(_ handler: any MeterHandler) { destroy(handler) }

    /// Like ``destroyCounter(_:)``.
    public func destroyRecorder(_ handler: any RecorderHandler) { destroy(handler) }

    /// Like ``destroyCounter(_:)``.
    public func destroyTimer(_ handler: any TimerHandler) { destroy(handler) }

    private func counter(_ label: String, _ dimensions: [(String, String)]) -> NumberSeries {
        let name = PrometheusName.metric(label, unit: "_total")
        return series(MetricFamily.Key(name: name, kind: .counter), dimensions) { NumberSeries(key: $0) }
    }

    private func gauge(_ label: String, _ dimensions: [(String, String)]) -> NumberSeries {
        series(Self.gaugeKey(label), dimensions) { NumberSeries(key: $0) }
    }

    private static func gaugeKey(_ label: String) -> MetricFamily.Key {
        MetricFamily.Key(name: PrometheusName.metric(label), kind: .gauge)
    }

    private func histogram(
        _ name: String, _ dimensions: [(String, String)], _ bounds: HistogramBounds, scale: Double
    ) -> HistogramSeries {
        series(MetricFamily.Key(name: name, kind: .histogram), dimensions) {
            HistogramSeries(key: $0, bounds: bounds, scale: scale)
        }
    }

    private func series<Series: MetricSeries>(
        _ key: MetricFamily.Key, _ dimensions: [(String, String)], _ make: (SeriesKey) -> Series
    ) -> Series {
        let labels = MetricLabels(dimensions)
        return table.withLock { $0.change(key) { $0.series(labels, limit: seriesLimit, make) } }
    }

    private func destroy(_ handler: AnyObject) {
        // A handler of another factory has no series here.
        guard let series = handler as? any MetricSeries else { return }
        table.withLock { $0.remove(series) }
    }
}
