/// What a metric is for Prometheus.
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
