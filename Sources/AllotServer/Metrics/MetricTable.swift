/// All metrics of a registry.
struct MetricTable: Sendable {
    private struct Wish: Hashable {
        let name: String
        let kind: MetricKind
    }

    let seriesLimit: Int
    private(set) var counters: [String: MetricFamily<CounterSeries>] = [:]
    private(set) var gauges: [String: MetricFamily<GaugeSeries>] = [:]
    private(set) var histograms: [String: MetricFamily<HistogramSeries>] = [:]
    private(set) var infos: [String: @Sendable () -> [(String, String)]] = [:]
    /// Help texts by the name that Prometheus sees.
    var helps: [String: String]
    private var given: [Wish: String] = [:]
    private var taken: Set<String> = []

    init(seriesLimit: Int, helps: [String: String]) {
        self.seriesLimit = seriesLimit
        self.helps = helps
    }

    mutating func counter(_ name: String, _ labels: MetricLabels) -> CounterSeries {
        let family = family(name, .counter)
        return counters[family, default: MetricFamily()].series(labels, limit: seriesLimit) {
            CounterSeries(key: SeriesKey(family: family, labels: $0))
        }
    }

    mutating func gauge(_ name: String, _ labels: MetricLabels) -> GaugeSeries {
        let family = family(name, .gauge)
        return gauges[family, default: MetricFamily()].series(labels, limit: seriesLimit) {
            GaugeSeries(key: SeriesKey(family: family, labels: $0))
        }
    }

    mutating func histogram(_ name: String, _ labels: MetricLabels, _ bounds: HistogramBounds) -> HistogramSeries {
        let family = family(name, .histogram)
        return histograms[family, default: MetricFamily()].series(labels, limit: seriesLimit) {
            HistogramSeries(key: SeriesKey(family: family, labels: $0), bounds: bounds)
        }
    }

    mutating func measure(
        _ name: String, _ labels: MetricLabels, help: String, _ measure: @escaping @Sendable () -> Double
    ) {
        let key = SeriesKey(family: family(name, .gauge), labels: labels)
        gauges[key.family, default: MetricFamily()].replace(with: GaugeSeries(key: key, measure: measure))
        helps[key.family] = help
    }

    mutating func inform(_ name: String, help: String, _ labels: @escaping @Sendable () -> [(String, String)]) {
        let family = family(name, .gauge)
        infos[family] = labels
        helps[family] = help
    }

    mutating func remove(_ series: CounterSeries) { counters[series.key.family]?.remove(series) }
    mutating func remove(_ series: GaugeSeries) { gauges[series.key.family]?.remove(series) }
    mutating func remove(_ series: HistogramSeries) { histograms[series.key.family]?.remove(series) }

    /// The name under which Prometheus sees a metric: the one asked for, or a substitute where another kind of metric
    /// writes samples of that name. A name has one kind, or Prometheus would refuse the whole text.
    private mutating func family(_ name: String, _ kind: MetricKind) -> String {
        let wish = Wish(name: name, kind: kind)
        if let known = given[wish] { return known }
        var (family, attempt) = (name, 0)
        while !taken.isDisjoint(with: kind.sampleNames(of: family)) {
            attempt += 1
            family = kind.substitute(for: name, attempt: attempt)
        }
        taken.formUnion(kind.sampleNames(of: family))
        given[wish] = family
        return family
    }
}
