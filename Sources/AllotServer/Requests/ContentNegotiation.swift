/// What a client accepts (RFC 9110, section 12.5), as far as the server offers a choice.
enum ContentNegotiation {
    /// Whether a body may be sent in gzip's format.
    static func acceptsGzip(_ header: String?) -> Bool {
        guard let header else { return false }
        var anything: Double?
        for (name, quality) in entries(header) {
            if name == "gzip" || name == "x-gzip" { return quality > 0 }
            if name == "*" { anything = quality }
        }
        return (anything ?? 0) > 0
    }

    /// Whether a page is preferred to JSON, as by browsers.
    static func prefersPage(_ header: String?) -> Bool {
        guard let header else { return false }
        var (page, json): (Double, Double) = (0, 0)
        for (name, quality) in entries(header) {
            if name == "text/html" || name == "application/xhtml+xml" { page = max(page, quality) }
            if name == "application/json" { json = max(json, quality) }
        }
        return page > json
    }

    private static func entries(_ header: String) -> [(name: String, quality: Double)] {
        header.split(separator: ",").map { entry in
            let parts = entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (parts.first ?? "", quality ?? 1)
        }
    }
}
