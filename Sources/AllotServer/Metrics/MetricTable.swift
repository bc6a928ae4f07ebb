struct MetricTable: Sendable {
    var helps: [String: String] = [:]
    private var families: [MetricKey: MetricFamily] = [:]
    /// The names of all samples, and those of the metrics.
    private var taken: Set<String> = []
    var text: String { families.values.sorted { $0.name < $1.name }.map { $0.text(help: helps[$0.name]) }.joined() }

    /// Changes a family, which is made if it does not exist.
    mutating func change<Result>(_ metric: MetricKey, _ body: (inout MetricFamily) -> Result) -> Result {
        let name = families[metric]?.name ?? takeName(metric)
        return body(&families[metric, default: MetricFamily(name: name, kind: metric.kind)])
    }

    mutating func remove(_ series: MetricSeries) { families[series.metric]?.remove(series) }

    /// The name of a metric, or a substitute where another kind writes samples of it: Prometheus would refuse the text.
    private mutating func takeName(_ metric: MetricKey) -> String {
        let unit = metric.kind.unit
        var (name, attempt) = (metric.name, 0)
        while !taken.isDisjoint(with: metric.kind.sampleNames(of: name)) {
            attempt += 1
            let suffix = attempt == 1 ? "_\(metric.kind.rawValue)" : "_\(metric.kind.rawValue)_\(attempt)"
            name = metric.name.dropLast(unit.count) + suffix + unit
        }
        taken.formUnion(metric.kind.sampleNames(of: name))
        return name
    }
}

struct MetricFamily: Sendable {
    let name: String
    let kind: MetricKind
    /// Gives the labels and numbers of samples that are measured each time the text is written.
    var measure: (@Sendable () -> [([(String, String)], Double)])?
    fileprivate var members: [String: MetricSeries] = [:]
    /// The labels of the series beyond the limit.
    fileprivate var overflow: String?

    /// The series of the labels, made if it does not exist. Beyond the limit all labels get one series; only that
    /// without labels, which no input can multiply, is always made.
    mutating func series(
        _ labels: String, limit: Int, overflow other: @autoclosure () -> String, _ make: (String) -> MetricSeries
    ) -> MetricSeries {
        if let known = members[labels] { return known }
        var labels = labels
        if members.count >= limit, !labels.isEmpty {
            labels = overflow ?? other()
            overflow = labels
            if let known = members[labels] { return known }
        }
        let made = make(labels)
        members[labels] = made
        return made
    }

    /// Removes a series of the family, but not that of all labels beyond the limit, which several handlers share.
    fileprivate mutating func remove(_ old: MetricSeries) {
        if members[old.labels] === old, old.labels != overflow { members[old.labels] = nil }
    }

    /// The lines of the family. A measured sample replaces a series with its labels.
    fileprivate func text(help: String?) -> String {
        guard measure != nil || !members.isEmpty else { return "" }
        var text = help.map { "# HELP \(name) \(PrometheusText.escaped($0, quotes: false))\n" } ?? ""
        text += "# TYPE \(name) \(kind.rawValue)\n"
        var others = members
        for (dimensions, value) in measure?() ?? [] {
            let labels = PrometheusText.labels(dimensions)
            others[labels] = nil
            text += PrometheusText.sample(name, labels, value)
        }
        // A value comes before the longer ones that it begins: the quote after it is less than any other byte.
        let rank = { (byte: UInt8) in byte == UInt8(ascii: "\"") ? 0 : byte }
        let sorted = others.values.sorted {
            $0.labels.utf8.lexicographicallyPrecedes($1.labels.utf8) { rank($0) < rank($1) }
        }
        return text + sorted.map { $0.text(name) }.joined()
    }
}

/// A metric as it is requested: its name, in the form that Prometheus takes, and its kind.
struct MetricKey: Hashable, Sendable {
    let name: String
    let kind: MetricKind

    init(_ label: String, _ kind: MetricKind, unit: String? = nil) {
        name = PrometheusText.name(label, unit: unit ?? kind.unit)
        self.kind = kind
    }
}

enum MetricKind: String, Sendable {
    case counter, gauge, histogram
    var unit: String { self == .counter ? "_total" : "" }

    func sampleNames(of name: String) -> [String] {
        self == .histogram ? [name, name + "_bucket", name + "_sum", name + "_count"] : [name]
    }
}
