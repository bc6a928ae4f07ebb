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
    private let timerBounds: [Double]
    private let recorderBounds: [Double]
    private let seriesLimit: Int

    /// A registry without metrics. Timers have buckets of seconds, aggregating recorders those of numbers; bounds that
    /// are not finite are left out, and so are those after the first 31 in growing order. A metric has at most
    /// `seriesLimit` series; further ones are counted together in one more, with "other" as each label's value.
    public init(bounds: [Double]? = nil, recorderBounds: [Double]? = nil, seriesLimit: Int = 10_000) {
        timerBounds = Self.usable(bounds ?? Self.defaultBounds)
        self.recorderBounds = Self.usable(recorderBounds ?? Self.defaultRecorderBounds)
        self.seriesLimit = max(seriesLimit, 1)
    }

    /// The finite bounds in growing order, each once, up to the limit.
    private static func usable(_ bounds: [Double]) -> [Double] {
        Array(Set(bounds.filter(\.isFinite)).sorted().prefix(31))
    }

    /// Sets the help text of a metric, whose name is the one that ``text()`` shows, such as `http_requests_total`.
    func setHelp(_ help: String, for name: String) {
        table.withLock { $0.helps[PrometheusText.name(name, unit: "")] = help }
    }

    func gauge(_ name: String, help: String, _ value: @escaping @Sendable () -> Double) {
        measure(name, help: help) { [([], value())] }
    }

    /// Adds facts that any thread looks up each time the text is written: the labels of a gauge that is always 1.
    public func info(_ name: String, help: String, _ labels: @escaping @Sendable () -> [(String, String)]) {
        measure(name, help: help) { [(labels(), 1)] }
    }

    /// Adds gauges that any thread measures each time the text is written, in the place of those of the name so far.
    func measure(_ name: String, help: String, _ samples: @escaping @Sendable () -> [([(String, String)], Double)]) {
        table.withLock { table in
            let shown = table.change(MetricKey(name, .gauge)) { family in
                family.measure = samples
                return family.name
            }
            table.helps[shown] = help
        }
    }

    /// All metrics, in the order of their names and labels.
    public func text() -> [UInt8] {
        // A copy, so that measuring gauges and writing block no caller.
        Array(table.withLock { $0 }.text.utf8)
    }
}

extension PrometheusRegistry: MetricsFactory {
    /// The counter of a label, whose name ends in `_total`.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(MetricKey(label, .counter), dimensions)
    }

    /// The counter of a label, the same one as for whole numbers.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(MetricKey(label, .counter), dimensions)
    }

    /// The gauge of a label.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(MetricKey(label, .gauge), dimensions)
    }

    /// A histogram if the recorder aggregates, otherwise a gauge of the last value.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(MetricKey(label, aggregate ? .histogram : .gauge), dimensions, recorderBounds)
    }

    /// The histogram of a label, whose name ends in `_seconds`.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(MetricKey(label, .histogram, unit: "_seconds"), dimensions, timerBounds, scale: 1e9)
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

    private func series(
        _ metric: MetricKey, _ dimensions: [(String, String)], _ bounds: [Double] = [], scale: Double = 1
    ) -> MetricSeries {
        let labels = PrometheusText.labels(dimensions)
        return table.withLock {
            $0.change(metric) {
                $0.series(labels, limit: seriesLimit, overflow: PrometheusText.labels(dimensions, value: "other")) {
                    MetricSeries(metric, labels: $0, bounds: bounds, scale: scale)
                }
            }
        }
    }

    private func destroy(_ handler: AnyObject) {
        // A handler of another factory has no series here.
        if let series = handler as? MetricSeries { table.withLock { $0.remove(series) } }
    }
}
