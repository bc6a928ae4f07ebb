import AllotConfiguration

extension Route {
    package enum Body: Sendable, Equatable {
        /// None: a request that has one is answered without it.
        case none
        /// Any, which is ignored: an unread body would delay the answer for ever.
        case ignored
        case json(limit: Int)
        /// The items of an HTML form: `name=value&…`, percent-encoded.
        case form

        var limit: Int {
            switch self {
            case .none: 0
            case .ignored: 1024
            case .json(let limit): limit
            case .form: 262_144
            }
        }
    }
}

extension Route.Body {
    /// Throws the failure of a request whose head shows that its body is not for the route.
    func admit(_ request: ServiceRequest, announced length: Int) throws(RequestFailure) {
        guard self != .none else { return }
        if self == .form, !request.isOfOwnPage {
            throw RequestFailure(.forbidden, "the form is not on a page of this server; open it here")
        }
        let coding = (request.header("content-encoding") ?? "").filter { $0 != " " && $0 != "\t" }
        // A few compressed bytes could become more than any limit.
        guard self == .ignored || coding.isEmpty || coding.lowercased() == "identity" else {
            throw RequestFailure(
                .unsupportedMediaType, "a body with Content-Encoding is not accepted; send it as it is",
                headers: [("Accept-Encoding", "identity")])
        }
        // What announces another type is refused before it is read.
        try requireType(of: request, isEmpty: true)
        guard length <= limit else { throw .largeBody(limit) }
    }

    /// Throws 415 for a body of another type, or of none unless it is empty JSON: pages of any origin can send other
    /// types without asking, and a server on a loopback address trusts its callers.
    func requireType(of request: ServiceRequest, isEmpty: Bool) throws(RequestFailure) {
        let header = request.header("content-type")
        if self == .none || self == .ignored || self != .form && header == nil && isEmpty { return }
        let (type, noun) = self == .form ? ("application/x-www-form-urlencoded", "form") : ("application/json", "body")
        let found = (header ?? "").prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        guard found.lowercased() == type else {
            throw RequestFailure(
                .unsupportedMediaType, "the Content-Type is not \(type); send the \(noun) with it",
                headers: [("Accept", type)])
        }
    }
}

extension ServiceRequest {
    /// The body as JSON. Returns `nil` if it is empty.
    package func json() throws(RequestFailure) -> JSONValue? {
        guard !body.isEmpty else { return nil }
        do {
            return try JSONValue(parsing: body)
        } catch {
            throw RequestFailure(
                .badRequest,
                "the body is not valid JSON, at line \(error.line), column \(error.column): \(error.message)")
        }
    }

    /// The items of the form in the body, in their order. Line breaks of texts become line feeds.
    package func form() throws -> [(name: String, value: String)] {
        guard let text = String(validating: body, as: UTF8.self) else {
            throw RequestFailure(.badRequest, "the form is not UTF-8")
        }
        var target = RequestTarget("?" + text)
        let items = try target.items()
        guard !target.containsNull else {
            throw RequestFailure(.badRequest, "the form contains U+0000, which texts must not")
        }
        return items.map { ($0.name, $0.value.replacing("\r\n", with: "\n")) }
    }

    /// Whether a browser sends this for a page of this server, or for a person who follows a link.
    package var isAskedByPerson: Bool {
        isOfOwnPage || header("sec-fetch-mode") == "navigate" && header("sec-fetch-dest") == "document"
    }

    /// Whether no browser sends this for a page of another origin, which has its credentials added.
    fileprivate var isOfOwnPage: Bool {
        if let site = header("sec-fetch-site") { return site == "same-origin" || site == "none" }
        // Browsers that know no Sec-Fetch-Site, or trust the connection too little to send it.
        guard let origin = header("origin") else { return true }
        return origin.split(separator: "/").last?.lowercased() == header("host")?.lowercased()
    }
}
