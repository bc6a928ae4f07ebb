/// Writes Prometheus' exposition format.
struct PrometheusText {
    private(set) var bytes: [UInt8] = []

    /// What the server's own metrics mean.
    private static let helps = [
        MetricName.requests + "_total": "Requests by route, method and status.",
        MetricName.requestDuration + "_seconds": "Seconds from a request's head to its answer.",
        MetricName.evaluations + "_total": "Decisions by experiment and reason.",
        MetricName.reloads + "_total": "Attempts to load the definitions by result.",
        MetricName.exposures + "_total": "Exposures by what became of them.",
        MetricName.eventStreams: "Connections that listen for changes.",
    ]

    mutating func begin(_ name: String, type: String, help: String? = nil) {
        if let help = help ?? Self.helps[name] { append("# HELP \(name) \(Self.escaped(help, quotes: false))\n") }
        append("# TYPE \(name) \(type)\n")
    }

    mutating func add(_ name: String, _ labels: [(String, String)], _ value: Double) {
        append(name)
        if !labels.isEmpty {
            let parts = labels.map { "\(Self.labelName($0.0))=\"\(Self.escaped($0.1, quotes: true))\"" }
            append("{\(parts.joined(separator: ","))}")
        }
        append(" \(Self.number(value))\n")
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// A number as Prometheus writes it.
    static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        if value == -.infinity { return "-Inf" }
        if value.isNaN { return "NaN" }
        if let whole = Int64(exactly: value) { return String(whole) }
        return "\(value)"
    }

    /// A name with characters that Prometheus does not allow replaced.
    static func name(_ text: String) -> String {
        sanitised(text, allowsColon: true)
    }

    private static func labelName(_ text: String) -> String {
        sanitised(text, allowsColon: false)
    }

    private static func sanitised(_ text: String, allowsColon: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "_": result.unicodeScalars.append(scalar)
            case "0"..."9" where !result.isEmpty: result.unicodeScalars.append(scalar)
            case ":" where allowsColon: result.unicodeScalars.append(scalar)
            default: result.unicodeScalars.append("_")
            }
        }
        return result.isEmpty ? "_" : result
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
