/// The labels of a series in the one form that all equal sets share: allowed names, in order, each once, no empty value
/// (for Prometheus the same as no label).
struct MetricLabels: Hashable, Sendable {
    struct Label: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// The longest value in UTF-8 bytes; the rest of a longer one is left out.
    static let valueLimit = 256

    /// The value of the labels of the series that takes what goes over the limit.
    static let overflowValue = "other"

    let labels: [Label]

    /// Labels of dimensions; the last of several with one name counts.
    init(_ dimensions: [(String, String)]) {
        var labels: [Label] = []
        labels.reserveCapacity(dimensions.count)
        for (name, value) in dimensions {
            let label = Label(name: PrometheusName.label(name), value: Self.cut(value))
            labels.removeAll { $0.name == label.name }
            if !label.value.isEmpty { labels.append(label) }
        }
        if labels.count > 1 { labels.sort { $0.name < $1.name } }
        self.labels = labels
    }

    private init(labels: [Label]) {
        self.labels = labels
    }

    /// The same labels with "other" as each value.
    var overflow: MetricLabels {
        MetricLabels(labels: labels.map { Label(name: $0.name, value: Self.overflowValue) })
    }

    private static func cut(_ value: String) -> String {
        guard value.utf8.count > valueLimit else { return value }
        var (result, count) = ("", 0)
        for scalar in value.unicodeScalars {
            count += scalar.utf8.count
            if count > valueLimit { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}

extension MetricLabels: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        left.labels.lexicographicallyPrecedes(right.labels) { ($0.name, $0.value) < ($1.name, $1.value) }
    }
}
