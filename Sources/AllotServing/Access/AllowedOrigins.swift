import AllotConfiguration

/// The origins whose pages may use the routes that apps use (the Fetch standard, CORS). `Sendable`.
///
/// ```swift
/// let origins = try AllowedOrigins(["https://shop.example", "http://localhost:5173"])
/// ```
public struct AllowedOrigins: Sendable {
    /// An origin that cannot be allowed.
    public struct Failure: Error, CustomStringConvertible, Sendable {
        /// The fault and its fix.
        public let description: String
    }

    private let origins: Set<String>

    /// Allows exactly these origins, each written as browsers send it: `https://shop.example`, with a port only if it
    /// is not the scheme's own.
    ///
    /// - Throws: ``Failure`` for the first that is not an origin.
    public init(_ origins: [String]) throws(Failure) {
        for origin in origins {
            if let fault = Self.fault(origin) {
                throw Failure(
                    description: "\(QuotedText(origin)) is not an origin: \(fault); write SCHEME://HOST or "
                        + "SCHEME://HOST:PORT, such as https://shop.example")
            }
        }
        self.origins = Set(origins)
    }

    package func contains(_ origin: String) -> Bool { origins.contains(origin) }

    /// The reason why browsers never send a text as an origin. Returns `nil` if they may send it.
    private static func fault(_ origin: String) -> String? {
        if origin.contains("*") { return "each origin has to be named, without *" }
        let parts = origin.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].wholeMatch(of: /[a-z][a-z0-9+.\-]*/) != nil else {
            return "the scheme in small letters is missing, such as https://"
        }
        guard !parts[1].contains("/") else { return "an origin has no path, and no slash at its end" }
        guard let match = parts[1].wholeMatch(of: /([a-z0-9._\-]+|\[[0-9a-f:.]+\])(?::([0-9]+))?/) else {
            return "the host is not a name or an address in small letters"
        }
        guard let port = match.2 else { return nil }
        guard let number = UInt16(port), number > 0, String(number) == port else { return "the port is not valid" }
        let own: [Substring: UInt16] = ["http": 80, "https": 443]
        return own[parts[0]] == number ? "browsers leave out the port \(number), which is the scheme's own" : nil
    }
}

extension AllowedOrigins {
    /// The headers of answers that a page may read, next to those that every page may.
    private static let exposedHeaders = [
        "ETag", "Retry-After", DetachedSignature.headerName, ServiceHeader.boundary, ServiceHeader.unread,
    ].map { $0.lowercased() }.joined(separator: ", ")

    /// The answer to a preflight request. Returns `nil` if a request is not one.
    func preflight(_ request: ServiceRequest) throws(RequestFailure) -> HTTPAnswer? {
        guard request.header("access-control-request-method") != nil else { return nil }
        guard let origin = request.header("origin"), contains(origin) else {
            throw RequestFailure(
                .forbidden, "pages of this origin are not let in; allow the origin in the settings of the server",
                headers: [("Vary", "Origin")])
        }
        let fields = "authorization, content-type, if-none-match, last-event-id, x-api-key"
        return HTTPAnswer(
            status: 204,
            headers: [
                ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Methods", "GET, POST"),
                ("Access-Control-Allow-Headers", fields), ("Access-Control-Max-Age", "3600"), ("Vary", "Origin"),
            ])
    }

    /// Lets the page that sent a request read the answer, if its origin is allowed.
    func open(_ answer: inout HTTPAnswer, to request: ServiceRequest) {
        // Caches keep the answers for different origins apart, also those without any.
        answer.headers.append(("Vary", "Origin"))
        guard let origin = request.header("origin"), contains(origin) else { return }
        // An application's own answer may have them already, and browsers take one only.
        for name in ["access-control-allow-origin", "access-control-expose-headers"] {
            answer.headers.removeAll { $0.name.isHeaderName(name) }
        }
        answer.headers += [
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", Self.exposedHeaders),
        ]
    }
}
