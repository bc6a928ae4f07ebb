/// All metrics of a registry.
struct MetricTable: Sendable {
    private struct Request: Hashable {
        let name: String
        let kind: MetricKind
    }

    let seriesLimit: Int
    /// By the name that Prometheus sees.
    private(set) var families: [String: MetricFamily] = [:]
    /// Help texts by the name that Prometheus sees.
    var helps: [String: String] = [:]
    private var given: [Request: String] = [:]
    private var taken: Set<String> = []

    init(seriesLimit: Int) {
        self.seriesLimit = seriesLimit
    }

    /// The series of a name and labels, made if it does not exist.
    mutating func series<Series: MetricSeries>(
        _ name: String, _ labels: MetricLabels, _ make: (SeriesKey) -> Series
    ) -> Series {
        let family = family(name, Series.kind)
        return families[family, default: MetricFamily(kind: Series.kind)].series(labels, limit: seriesLimit) {
            make(SeriesKey(family: family, labels: $0))
        }
    }

    /// Adds a gauge that is measured, in the place of any with its name and labels.
    mutating func measure(
        _ name: String, _ labels: MetricLabels, help: String, _ measure: @escaping @Sendable () -> Double
    ) {
        let key = SeriesKey(family: family(name, .gauge), labels: labels)
        families[key.family, default: MetricFamily(kind: .gauge)].replace(with: GaugeSeries(key: key, measure: measure))
        helps[key.family] = help
    }

    /// Adds gauges that are always 1, and whose labels are looked up.
    mutating func inform(_ name: String, help: String, _ labels: @escaping @Sendable () -> [[(String, String)]]) {
        let family = family(name, .gauge)
        families[family, default: MetricFamily(kind: .gauge)].info = labels
        helps[family] = help
    }

    mutating func remove(_ series: any MetricSeries) {
        families[series.key.family]?.remove(series)
    }

    /// The name under which Prometheus sees a metric: the requested one, or a substitute where another kind of metric
    /// writes samples of that name. A name has one kind, or Prometheus would refuse the whole text.
    private mutating func family(_ name: String, _ kind: MetricKind) -> String {
        let request = Request(name: name, kind: kind)
        if let known = given[request] { return known }
        var (family, attempt) = (name, 0)
        while !taken.isDisjoint(with: kind.sampleNames(of: family)) {
            attempt += 1
            family = kind.substitute(for: name, attempt: attempt)
        }
        taken.formUnion(kind.sampleNames(of: family))
        given[request] = family
        return family
    }
}

/// All series of one name.
struct MetricFamily: Sendable {
    let kind: MetricKind
    /// The labels of series that are always 1.
    var info: (@Sendable () -> [[(String, String)]])?
    private var series: [MetricLabels: any MetricSeries] = [:]
    private var overflow: MetricLabels?

    init(kind: MetricKind) {
        self.kind = kind
    }

    /// The series of the labels, made if it does not exist.
    ///
    /// Beyond the limit all labels get one and the same series; only the one without labels, which no input can
    /// multiply, is always made.
    mutating func series<Series: MetricSeries>(
        _ labels: MetricLabels, limit: Int, _ make: (MetricLabels) -> Series
    ) -> Series {
        if let known = series[labels] as? Series { return known }
        var labels = labels
        if series.count >= limit, !labels.labels.isEmpty {
            labels = overflow ?? labels.overflow
            overflow = labels
            if let known = series[labels] as? Series { return known }
        }
        let made = make(labels)
        series[labels] = made
        return made
    }

    /// Puts a series in the place of any that has its labels.
    mutating func replace(with new: any MetricSeries) {
        series[new.key.labels] = new
    }

    /// Takes a series out, if it is still in; what it counts from then on is not shown. The series of all labels beyond
    /// the limit stays: others use it, too.
    mutating func remove(_ old: any MetricSeries) {
        guard series[old.key.labels] === old, old.key.labels != overflow else { return }
        series[old.key.labels] = nil
    }

    /// Writes the series in the order of their labels.
    func append(to text: inout PrometheusText, _ name: String, help: String?) {
        guard info != nil || !series.isEmpty else { return }
        text.begin(name, kind, help: help)
        for labels in info?() ?? [] { text.sample(name, MetricLabels(labels), "1") }
        for (_, series) in series.sorted(by: { $0.key < $1.key }) { series.append(to: &text) }
    }
}

/// The type of a metric for Prometheus.
enum MetricKind: String, Sendable {
    case counter
    case gauge
    case histogram

    /// The names of the samples that a metric of this kind writes, and its own.
    func sampleNames(of name: String) -> [String] {
        switch self {
        case .counter, .gauge: [name]
        case .histogram: [name, name + "_bucket", name + "_sum", name + "_count"]
        }
    }

    /// Another name for a metric whose own is taken by one of another kind; each attempt, from 1, gives another.
    func substitute(for name: String, attempt: Int) -> String {
        let suffix = attempt == 1 ? "_\(rawValue)" : "_\(rawValue)_\(attempt)"
        let unit = "_total"
        guard self == .counter, name.hasSuffix(unit) else { return name + suffix }
        return name.dropLast(unit.count) + suffix + unit
    }
}
