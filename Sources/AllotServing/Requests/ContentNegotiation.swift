// The choices of a client among representations (RFC 9110, section 12.5).

extension ServiceRequest {
    /// Whether a body may be sent in gzip's format, and whether it may be sent as it is.
    ///
    /// A client that accepts neither gets it as it is: the header is then disregarded (section 12.4.1), because an app
    /// without a configuration is worse off than one that has to read plain bytes.
    var acceptedCodings: (gzip: Bool, identity: Bool) {
        guard let header = self.header("accept-encoding") else { return (false, true) }
        // What most clients send.
        if header == "gzip" || header.utf8.starts(with: "gzip,".utf8), !header.utf8.contains(UInt8(ascii: ";")) {
            return (true, true)
        }
        var (gzip, identity, anything): (Double?, Double?, Double?)
        for (name, quality) in Self.entries(header) {
            switch name {
            case "gzip", "x-gzip": gzip = gzip ?? quality
            case "identity": identity = identity ?? quality
            case "*": anything = anything ?? quality
            default: break
            }
        }
        let acceptsGzip = gzip ?? anything ?? 0 > 0
        return (acceptsGzip, !acceptsGzip || identity ?? anything ?? 1 > 0)
    }

    /// Whether a page is preferred to JSON, as by browsers.
    package var prefersPage: Bool {
        guard let header = self.header("accept") else { return false }
        var (page, json): (Double, Double) = (0, 0)
        for (name, quality) in Self.entries(header) {
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
