/// Names in the form that Prometheus takes: other characters become `_`.
enum PrometheusName {
    /// The name of a metric: `[a-zA-Z_:][a-zA-Z0-9_:]*`.
    static func metric(_ text: String) -> String {
        sanitised(text, allowsColon: true)
    }

    /// The name of a counter, which ends in `_total`.
    static func counter(_ text: String) -> String {
        metric(text, unit: "_total")
    }

    /// The name of a timer, which ends in `_seconds`.
    static func timer(_ text: String) -> String {
        metric(text, unit: "_seconds")
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

    private static func metric(_ text: String, unit: String) -> String {
        let name = metric(text)
        return name.hasSuffix(unit) ? name : name + unit
    }

    private static func sanitised(_ text: String, allowsColon: Bool) -> String {
        func isAllowed(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
            switch scalar {
            case "a"..."z", "A"..."Z", "_": true
            case "0"..."9": !isFirst
            case ":": allowsColon
            default: false
            }
        }
        // Nearly all names are fine as they are, and then nothing is built.
        var isFine = !text.isEmpty
        var isFirst = true
        for scalar in text.unicodeScalars {
            if !isAllowed(scalar, isFirst: isFirst) {
                isFine = false
                break
            }
            isFirst = false
        }
        if isFine { return text }

        var result = ""
        for scalar in text.unicodeScalars {
            if isAllowed(scalar, isFirst: result.isEmpty) {
                result.unicodeScalars.append(scalar)
            } else if result.isEmpty, ("0"..."9").contains(scalar) {
                result += "_\(scalar)"
            } else {
                result += "_"
            }
        }
        return result.isEmpty ? "_" : result
    }
}
