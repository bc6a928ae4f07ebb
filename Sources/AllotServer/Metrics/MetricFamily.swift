/// All metrics of a registry.
struct MetricTable: Sendable {
    private var families: [MetricFamily.Key: MetricFamily] = [:]
    /// Help texts by the name that Prometheus sees.
    private var helps: [String: String] = [:]
    /// The names of all samples, and those of the metrics.
    private var taken: Set<String> = []

    /// All metrics, in the order of their names and labels.
    var text: [UInt8] {
        var text = PrometheusText()
        for family in families.values.sorted(by: { $0.name < $1.name }) {
            family.append(to: &text, help: helps[family.name])
        }
        return text.bytes
    }

    mutating func setHelp(_ help: String, for name: String) {
        helps[name] = help
    }

    /// Changes a family, which is made if it does not exist.
    ///
    /// - Parameter help: replaces the help text.
    mutating func change<Result>(
        _ key: MetricFamily.Key, help: String? = nil, _ body: (inout MetricFamily) -> Result
    ) -> Result {
        let name = families[key]?.name ?? takeName(key)
        if let help { helps[name] = help }
        return body(&families[key, default: MetricFamily(key: key, name: name)])
    }

    mutating func remove(_ series: any MetricSeries) {
        families[series.key.family]?.remove(series)
    }

    /// The name under which Prometheus sees a metric: the requested one, or a substitute where another kind of metric
    /// writes samples of that name. A name has one kind, or Prometheus would refuse the whole text.
    private mutating func takeName(_ key: MetricFamily.Key) -> String {
        var (name, attempt) = (key.name, 0)
        while !taken.isDisjoint(with: key.kind.sampleNames(of: name)) {
            attempt += 1
            name = key.kind.substitute(for: key.name, attempt: attempt)
        }
        taken.formUnion(key.kind.sampleNames(of: name))
        return name
    }
}

/// All series of one name.
struct MetricFamily: Sendable {
    /// The requested name, in the form that Prometheus takes, and the kind.
    struct Key: Hashable, Sendable {
        let name: String
        let kind: MetricKind
    }

    let key: Key
    /// The name that Prometheus sees.
    let name: String
    /// The labels of series that are always 1.
    var info: (@Sendable () -> [[(String, String)]])?
    private var series: [MetricLabels: any MetricSeries] = [:]
    private var overflow: MetricLabels?

    init(key: Key, name: String) {
        self.key = key
        self.name = name
    }

    /// The series of the labels, made if it does not exist.
    ///
    /// Beyond the limit all labels get one and the same series; only the one without labels, which no input can
    /// multiply, is always made.
    mutating func series<Series: MetricSeries>(
        _ labels: MetricLabels, limit: Int, _ make: (SeriesKey) -> Series
    ) -> Series {
        if let known = series[labels] as? Series { return known }
        var labels = labels
        if series.count >= limit, !labels.labels.isEmpty {
            labels = overflow ?? labels.overflow
            overflow = labels
            if let known = series[labels] as? Series { return known }
        }
        let made = make(SeriesKey(family: key, labels: labels))
        series[labels] = made
        return made
    }

    /// Adds a gauge that is measured, in the place of any series with its labels.
    mutating func measure(_ labels: MetricLabels, _ value: @escaping @Sendable () -> Double) {
        series[labels] = NumberSeries(key: SeriesKey(family: key, labels: labels), measure: value)
    }

    /// Removes a series that is still among those of the family; the text does not show the numbers that it counts from
    /// then on. The series of all labels beyond the limit stays, as several handlers share it.
    mutating func remove(_ old: any MetricSeries) {
        guard series[old.key.labels] === old, old.key.labels != overflow else { return }
        series[old.key.labels] = nil
    }

    /// Writes the series in the order of their labels.
    fileprivate func append(to text: inout PrometheusText, help: String?) {
        guard info != nil || !series.isEmpty else { return }
        text.begin(name, key.kind, help: help)
        for labels in info?() ?? [] { text.sample(name, MetricLabels(labels), "1") }
        for (_, series) in series.sorted(by: { $0.key < $1.key }) { series.append(to: &text, name) }
    }
}

/// The type of a metric for Prometheus.
enum MetricKind: String, Sendable {
    case counter
    case gauge
    case histogram

    /// The names of the samples that a metric of this kind writes, and its own.
    func sampleNames(of name: String) -> [String] {
        self == .histogram ? [name, name + "_bucket", name + "_sum", name + "_count"] : [name]
    }

    /// Another name for a metric whose own is taken by one of another kind; each attempt, from 1, gives another.
    func substitute(for name: String, attempt: Int) -> String {
        let suffix = attempt == 1 ? "_\(rawValue)" : "_\(rawValue)_\(attempt)"
        let unit = "_total"
        guard self == .counter, name.hasSuffix(unit) else { return name + suffix }
        return name.dropLast(unit.count) + suffix + unit
    }
}
