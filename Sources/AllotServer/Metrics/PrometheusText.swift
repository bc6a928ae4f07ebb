/// Writes Prometheus' text exposition format, version 0.0.4.
struct PrometheusText {
    private(set) var bytes: [UInt8] = []

    /// Writes the lines before the samples of a metric.
    mutating func begin(_ name: String, _ kind: MetricKind, help: String?) {
        if let help {
            append("# HELP \(name) ")
            append(escaping: help, quotes: false)
            append("\n")
        }
        append("# TYPE \(name) \(kind.rawValue)\n")
    }

    /// Writes a sample; its number as ``number(_:)`` gives it.
    ///
    /// - Parameter bound: the upper bound of a histogram's bucket.
    mutating func sample(_ name: String, _ labels: MetricLabels, bound: String? = nil, _ number: String) {
        append(name)
        var separator = "{"
        for label in labels.labels {
            append("\(separator)\(label.name)=\"")
            append(escaping: label.value, quotes: true)
            append("\"")
            separator = ","
        }
        if let bound {
            append("\(separator)le=\"\(bound)\"")
            separator = ","
        }
        append(separator == "{" ? " " : "} ")
        append(number)
        append("\n")
    }

    /// A number as Prometheus writes it; whole ones without a fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { String($0) } ?? "\(value)"
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(escaping text: String, quotes: Bool) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\n"): append("\\n")
            case UInt8(ascii: "\"") where quotes: append("\\\"")
            default: bytes.append(byte)
            }
        }
    }
}
