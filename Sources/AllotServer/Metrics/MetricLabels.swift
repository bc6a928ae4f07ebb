/// The labels of a series in the one form that all equal sets share: allowed names, in order, each once, no empty value
/// (for Prometheus the same as no label).
struct MetricLabels: Hashable, Sendable, Comparable {
    struct Label: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// The longest value in UTF-8 bytes; the rest of a longer one is left out.
    static let valueLimit = 256

    let labels: [Label]

    /// Labels of dimensions; the last of several with one name counts.
    init(_ dimensions: [(String, String)]) {
        var labels: [Label] = []
        for (name, value) in dimensions {
            let label = Label(name: PrometheusName.label(name), value: Self.cut(value))
            labels.removeAll { $0.name == label.name }
            if !label.value.isEmpty { labels.append(label) }
        }
        self.labels = labels.sorted { $0.name < $1.name }
    }

    /// The labels of the series that counts everything beyond the limit: "other" as each value.
    var overflow: MetricLabels {
        MetricLabels(labels.map { ($0.name, "other") })
    }

    private static func cut(_ value: String) -> String {
        // Between two characters, which have up to four bytes.
        (0..<4).lazy.compactMap { String(value.utf8.prefix(valueLimit - $0)) }.first ?? value
    }

    static func < (left: Self, right: Self) -> Bool {
        left.labels.lexicographicallyPrecedes(right.labels) { ($0.name, $0.value) < ($1.name, $1.value) }
    }
}

/// Names in the form that Prometheus takes: other characters become `_`.
enum PrometheusName {
    /// The name of a metric: `[a-zA-Z_:][a-zA-Z0-9_:]*`.
    static func metric(_ text: String) -> String {
        sanitised(text, allowsColon: true)
    }

    /// The name of a metric that ends in its unit, such as `_seconds`, or in `_total`.
    static func metric(_ text: String, unit: String) -> String {
        let name = metric(text)
        return name.hasSuffix(unit) ? name : name + unit
    }

    /// The name of a label: `[a-zA-Z_][a-zA-Z0-9_]*`.
    ///
    /// Prometheus keeps names that start with two `_` for itself, and `le` for the buckets of histograms; such labels
    /// get the prefix `exported`, as it does itself when labels collide.
    static func label(_ text: String) -> String {
        let name = sanitised(text, allowsColon: false)
        if name.hasPrefix("__") { return "exported" + name }
        return name == "le" ? "exported_le" : name
    }

    private static func sanitised(_ text: String, allowsColon: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "0"..."9" where result.isEmpty: result += "_\(scalar)"
            case "a"..."z", "A"..."Z", "_", "0"..."9": result.unicodeScalars.append(scalar)
            case ":" where allowsColon: result += ":"
            default: result += "_"
            }
        }
        return result.isEmpty ? "_" : result
    }
}
