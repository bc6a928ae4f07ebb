import CoreMetrics
import Synchronization

/// Metrics as the text that Prometheus reads (its exposition format, version 0.0.4). `Sendable`.
///
///     let registry = PrometheusRegistry()
///     MetricsSystem.bootstrap(registry)
///     let body = registry.text()
///
/// Counting takes no lock. Names are made fit for Prometheus: `http.requests` becomes `http_requests`, counters end in
/// `_total`, timers in `_seconds`. Equal names and dimensions, in whatever order, share one handler. Where metrics of
/// two kinds ask for one name, the later gets a suffix, such as `_gauge`. A metric has a bounded number of series:
/// label values that come from requests cannot fill the memory.
public final class PrometheusRegistry: Sendable {
    /// The media type of ``text()``.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The most series of one metric, unless asked for otherwise.
    public static let defaultSeriesLimit = 10_000

    /// The bounds of timers in seconds: from a tenth of a millisecond to ten seconds.
    public static let defaultBounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// The bounds of recorders, for sizes and numbers of things: from one to a million.
    public static let defaultRecorderBounds: [Double] = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000,
        1_000_000,
    ]

    private let table: Mutex<MetricTable>
    private let timerBounds: HistogramBounds
    private let recorderBounds: HistogramBounds

    /// A registry without metrics.
    ///
    /// Bounds that are not finite are left out, and so are those after the first 31 in growing order.
    ///
    /// - Parameters:
    ///   - bounds: the upper bounds of the buckets of timers, in seconds.
    ///   - recorderBounds: the upper bounds of the buckets of aggregating recorders.
    ///   - seriesLimit: the most series of one metric, at least 1; further ones are counted together in one more, with
    ///     "other" as each label's value.
    ///   - helps: what metrics mean, by name; see ``setHelp(_:for:)``.
    public init(
        bounds: [Double] = defaultBounds, recorderBounds: [Double] = defaultRecorderBounds,
        seriesLimit: Int = defaultSeriesLimit, helps: [String: String] = [:]
    ) {
        timerBounds = HistogramBounds(bounds)
        self.recorderBounds = HistogramBounds(recorderBounds)
        table = Mutex(MetricTable(seriesLimit: max(seriesLimit, 1), helps: [:]))
        for (name, help) in helps { setHelp(help, for: name) }
    }

    /// Says what a metric means.
    ///
    /// - Parameter name: the metric's name as ``text()`` shows it, such as `http_requests_total`.
    public func setHelp(_ help: String, for name: String) {
        table.withLock { $0.helps[PrometheusName.metric(name)] = help }
    }

    /// Adds a gauge that is measured whenever the text is asked for; one of the same name and labels is replaced.
    ///
    /// - Parameters:
    ///   - help: what the gauge means.
    ///   - value: gives the number; it may be called from any thread, by several at once, and may use the registry.
    public func gauge(
        _ name: String, dimensions: [(String, String)] = [], help: String, _ value: @escaping @Sendable () -> Double
    ) {
        let (name, labels) = (PrometheusName.metric(name), MetricLabels(dimensions))
        table.withLock { $0.measure(name, labels, help: help, value) }
    }

    /// Adds facts that are looked up whenever the text is asked for: the labels of a gauge that is always 1.
    ///
    /// - Parameter labels: gives the facts; it may be called from any thread, by several at once.
    public func info(_ name: String, help: String, _ labels: @escaping @Sendable () -> [(String, String)]) {
        table.withLock { $0.inform(PrometheusName.metric(name), help: help, labels) }
    }

    /// All metrics, in the order of their names and labels.
    public func text() -> [UInt8] {
        // A copy, so that measuring gauges and writing hold up nobody.
        let table = table.withLock { $0 }
        var text = PrometheusText()
        let names =
            Array(table.counters.keys) + Array(table.gauges.keys) + Array(table.histograms.keys)
            + Array(table.infos.keys)
        for name in names.sorted() {
            let help = table.helps[name]
            if let family = table.counters[name] { family.append(to: &text, name, .counter, help: help) }
            if let labels = table.infos[name] {
                text.begin(name, .gauge, help: help)
                text.sample(name, MetricLabels(labels()), "1")
            }
            if let family = table.gauges[name] { family.append(to: &text, name, .gauge, help: help) }
            if let family = table.histograms[name] { family.append(to: &text, name, .histogram, help: help) }
        }
        return text.bytes
    }
}

extension PrometheusRegistry: MetricsFactory {
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counter(label, dimensions)
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        counter(label, dimensions)
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions)
    }

    /// A histogram if the recorder aggregates, else a gauge of the last value.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return gauge(label, dimensions) }
        let (name, labels) = (PrometheusName.metric(label), MetricLabels(dimensions))
        return table.withLock { $0.histogram(name, labels, recorderBounds) }
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let (name, labels) = (PrometheusName.timer(label), MetricLabels(dimensions))
        return table.withLock { $0.histogram(name, labels, timerBounds) }
    }

    /// Takes the series out of the text, for all who share it; a handler asked for afterwards starts from 0.
    public func destroyCounter(_ handler: any CounterHandler) {
        destroy(handler)
    }

    /// Like ``destroyCounter(_:)``.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
        destroy(handler)
    }

    /// Like ``destroyCounter(_:)``.
    public func destroyMeter(_ handler: any MeterHandler) {
        destroy(handler)
    }

    /// Like ``destroyCounter(_:)``.
    public func destroyRecorder(_ handler: any RecorderHandler) {
        destroy(handler)
    }

    /// Like ``destroyCounter(_:)``.
    public func destroyTimer(_ handler: any TimerHandler) {
        destroy(handler)
    }

    private func counter(_ label: String, _ dimensions: [(String, String)]) -> CounterSeries {
        let (name, labels) = (PrometheusName.counter(label), MetricLabels(dimensions))
        return table.withLock { $0.counter(name, labels) }
    }

    private func gauge(_ label: String, _ dimensions: [(String, String)]) -> GaugeSeries {
        let (name, labels) = (PrometheusName.metric(label), MetricLabels(dimensions))
        return table.withLock { $0.gauge(name, labels) }
    }

    private func destroy(_ handler: AnyObject) {
        switch handler {
        case let series as CounterSeries: table.withLock { $0.remove(series) }
        case let series as GaugeSeries: table.withLock { $0.remove(series) }
        case let series as HistogramSeries: table.withLock { $0.remove(series) }
        default: break  // The handler of another factory.
        }
    }
}

extension MetricFamily {
    fileprivate func append(to text: inout PrometheusText, _ name: String, _ kind: MetricKind, help: String?) {
        guard !isEmpty else { return }
        text.begin(name, kind, help: help)
        for series in sorted { series.append(to: &text) }
    }
}
