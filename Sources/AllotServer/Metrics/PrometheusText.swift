enum PrometheusText {
    /// The longest value of a label in UTF-8 bytes; the rest of a longer one is left out.
    private static let valueLimit = 256

    /// The name of a metric: `[a-zA-Z_:][a-zA-Z0-9_:]*`, with its unit at the end. Other characters become `_`.
    static func name(_ text: String, unit: String) -> String {
        let name = sanitised(text, allowsColon: true)
        return name.hasSuffix(unit) ? name : name + unit
    }

    /// The name of a label: `[a-zA-Z_][a-zA-Z0-9_]*`. One that Prometheus keeps for itself gets the prefix `exported`.
    static func labelName(_ text: String) -> String {
        let name = sanitised(text, allowsColon: false)
        if name.hasPrefix("__") { return "exported" + name }
        return name == "le" ? "exported_le" : name
    }

    /// Labels in the one form that equal sets share: allowed names, in order, the last of several, no empty value.
    /// `other` replaces each value.
    static func labels(_ dimensions: [(String, String)], value other: String? = nil) -> String {
        var labels: [(name: String, value: String)] = []
        for (name, value) in dimensions {
            let name = labelName(name)
            labels.removeAll { $0.name == name }
            if !value.isEmpty { labels.append((name, escaped(other ?? cut(value), quotes: true))) }
        }
        labels.sort { $0.name < $1.name }
        return labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
    }

    static func sample(_ name: String, _ labels: String, _ value: Double) -> String {
        "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(number(value))\n"
    }

    /// A number as Prometheus writes it; whole ones without a fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { String($0) } ?? "\(value)"
    }

    /// Text on its line, and, with `quotes`, between quotes.
    static func escaped(_ text: String, quotes: Bool) -> String {
        // The usual case, and the fast one.
        guard text.utf8.contains(where: { "\\\n\"".utf8.contains($0) }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += #"\\"#
            case "\n": result += #"\n"#
            case "\"" where quotes: result += #"\""#
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func cut(_ value: String) -> String {
        // Between two characters, which have up to four bytes.
        (0..<4).lazy.compactMap { String(value.utf8.prefix(valueLimit - $0)) }.first ?? value
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
