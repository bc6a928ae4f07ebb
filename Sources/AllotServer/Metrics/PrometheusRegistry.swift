public import CoreMetrics
import Synchronization

/// Metrics as the text that Prometheus reads (its exposition format, version 0.0.4).
///
///     let registry = PrometheusRegistry()
///     MetricsSystem.bootstrap(registry)
///     allot.metrics = { registry.text() }
///
/// Counting is one atomic addition. A metric has a bounded number of series: label values that come from requests cannot
/// fill the memory.
public final class PrometheusRegistry: MetricsFactory {
    /// The most series of one metric; further ones are counted together, with "other" as each label's value.
    public static let seriesLimit = 10_000

    enum Series: Sendable {
        case counter(CounterSeries)
        case gauge(GaugeSeries)
        case histogram(HistogramSeries)
    }

    private struct Labels: Hashable {
        let pairs: [[String]]
    }

    private struct Family {
        var series: [Labels: Series] = [:]
    }

    private struct Measured {
        let help: String
        let value: @Sendable () -> (labels: [(String, String)], value: Double)
    }

    private struct State {
        var families: [String: Family] = [:]
        var measured: [String: Measured] = [:]
    }

    private let state = Mutex(State())
    private let bounds: [Double]

    /// From a tenth of a millisecond to ten seconds.
    public static let defaultBounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// - Parameter bounds: the upper bounds of the buckets of timers, in seconds and growing order.
    public init(bounds: [Double] = defaultBounds) {
        self.bounds = bounds
    }

    /// A gauge that is measured whenever the text is asked for.
    public func gauge(_ name: String, help: String, _ value: @escaping @Sendable () -> Double) {
        let measured = Measured(help: help) { ([], value()) }
        state.withLock { $0.measured[PrometheusText.name(name)] = measured }
    }

    /// Facts that are looked up whenever the text is asked for: the labels of a gauge that is always 1.
    public func info(_ name: String, help: String, _ labels: @escaping @Sendable () -> [(String, String)]) {
        let measured = Measured(help: help) { (labels(), 1) }
        state.withLock { $0.measured[PrometheusText.name(name)] = measured }
    }

    // MARK: Handlers

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        guard case .counter(let series) = series(label + "_total", dimensions, { .counter(CounterSeries()) }) else {
            return NOOPMetricsHandler.instance
        }
        return series
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        guard case .counter(let series) = series(label + "_total", dimensions, { .counter(CounterSeries()) }) else {
            return NOOPMetricsHandler.instance
        }
        return series
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        guard case .gauge(let series) = series(label, dimensions, { .gauge(GaugeSeries()) }) else {
            return NOOPMetricsHandler.instance
        }
        return series
    }

    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        let bounds = bounds
        let made = series(label, dimensions) {
            aggregate ? .histogram(HistogramSeries(bounds: bounds)) : .gauge(GaugeSeries())
        }
        switch made {
        case .histogram(let series): return series
        case .gauge(let series): return series
        case .counter: return NOOPMetricsHandler.instance
        }
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let bounds = bounds
        guard
            case .histogram(let series) = series(
                label + "_seconds", dimensions, { .histogram(HistogramSeries(bounds: bounds)) })
        else { return NOOPMetricsHandler.instance }
        return series
    }

    // Handlers are made once for each set of labels and shared, so that none may be taken away from the others.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}

    /// The series of a name and labels, made if there is none; what is asked of a name for another kind of metric comes
    /// back as it is.
    private func series(
        _ label: String, _ dimensions: [(String, String)], _ make: () -> Series
    ) -> Series {
        let name = PrometheusText.name(label)
        return state.withLock { state in
            var labels = Labels(pairs: dimensions.map { [$0.0, $0.1] })
            if let known = state.families[name]?.series[labels] { return known }
            if (state.families[name]?.series.count ?? 0) >= Self.seriesLimit {
                labels = Labels(pairs: dimensions.map { [$0.0, "other"] })
                if let known = state.families[name]?.series[labels] { return known }
            }
            let made = make()
            state.families[name, default: Family()].series[labels] = made
            return made
        }
    }

    // MARK: Text

    /// All metrics, in the order of their names and labels.
    public func text() -> [UInt8] {
        let (families, measured) = state.withLock { ($0.families, $0.measured) }
        var text = PrometheusText()
        for name in Set(families.keys).union(measured.keys).sorted() {
            if let gauge = measured[name] {
                text.begin(name, type: "gauge", help: gauge.help)
                let measured = gauge.value()
                text.add(name, measured.labels, measured.value)
            }
            guard let family = families[name] else { continue }
            let sorted = family.series.sorted { left, right in
                left.key.pairs.lexicographicallyPrecedes(right.key.pairs) { $0.lexicographicallyPrecedes($1) }
            }
            for (index, entry) in sorted.enumerated() {
                let labels = entry.key.pairs.map { ($0[0], $0[1]) }
                switch entry.value {
                case .counter(let series):
                    if index == 0 { text.begin(name, type: "counter") }
                    text.add(name, labels, series.value)
                case .gauge(let series):
                    if index == 0 { text.begin(name, type: "gauge") }
                    text.add(name, labels, series.value)
                case .histogram(let series):
                    if index == 0 { text.begin(name, type: "histogram") }
                    let snapshot = series.snapshot
                    for (bound, count) in snapshot.cumulative {
                        text.add(name + "_bucket", labels + [("le", PrometheusText.number(bound))], count)
                    }
                    text.add(name + "_sum", labels, snapshot.sum)
                    text.add(name + "_count", labels, snapshot.cumulative.last?.count ?? 0)
                }
            }
        }
        return text.bytes
    }
}
