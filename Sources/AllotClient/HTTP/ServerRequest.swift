import AllotConfiguration
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct ServerRequest: Sendable {
    let server: URL
    let token: AccessToken?

    var name: String {
        var path = server.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        return (HTTPOrigin(server)?.description ?? "") + path
    }

    var problem: RequestError? {
        guard HTTPOrigin(server) == nil || server.query != nil || server.fragment != nil else { return nil }
        return RequestError(
            .invalidRequest, "the server's URL must be like https://example.org/prefix, without a query")
    }

    /// Requests a user's configuration. Attributes that are all text go into the query and have no type there, as in
    /// CSV; with any other value among them they are sent as JSON.
    func configuration(_ user: ConfigurationUser) async throws(RequestError) -> URLRequest {
        var items: [(name: String, value: String)] = []
        for attribute in user.attributes.members {
            guard let text = attribute.value.text else {
                // Only routes with a user accept a body: MSActiveConfig's clients call the unknown user "(null)".
                return try await post(
                    "\(ServicePath.configuration)/" + Self.encoded(user.id ?? ServicePath.noUser),
                    [ServicePath.attributesMember: .object(user.attributes)])
            }
            items.append((attribute.key, text))
        }
        var request =
            switch user.id {
            case nil: try await request(ServicePath.configuration, items)
            // Clients and proxies treat these as steps in the path, however they are encoded.
            case "."?, ".."?:
                try await request(
                    ServicePath.configurationByQuery, [(ServicePath.userQueryItem, user.id ?? "")] + items)
            case let id?: try await request("\(ServicePath.configuration)/" + Self.encoded(id), items)
            }
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return request
    }

    func exposures(_ events: [ExposureEvent]) async throws(RequestError) -> URLRequest {
        try await post(ServicePath.exposures, [ExposureMessage.exposures: .array(events.map(\.json))])
    }

    private func post(_ path: String, _ body: JSONObject) async throws(RequestError) -> URLRequest {
        var request = try await request(path, [])
        request.httpMethod = "POST"
        request.httpBody = Data(JSONValue.object(body).canonicalBytes)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return request
    }

    func events() async throws(RequestError) -> URLRequest {
        var request = try await request(ServicePath.events, [])
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        return request
    }

    private func request(
        _ path: String, _ items: [(name: String, value: String)]
    ) async throws(RequestError) -> URLRequest {
        if let problem { throw problem }
        var text = server.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        text += path
        for (index, item) in items.enumerated() {
            text += "\(index == 0 ? "?" : "&")\(Self.encoded(item.name))=\(Self.encoded(item.value))"
        }
        guard let url = URL(string: text) else {
            throw RequestError(.invalidRequest, "no path can be appended to the server's URL; check it")
        }
        var request = URLRequest(url: url)
        try await authorize(&request)
        return request
    }

    /// Adds the token to a request to the server's own origin. No other server may see it.
    func authorize(_ request: inout URLRequest) async throws(RequestError) {
        guard let origin = HTTPOrigin(server), origin == request.url.flatMap(HTTPOrigin.init),
            let token = try await token?.text()
        else { return }
        guard HTTPFields.isValue(token), !token.contains(" ") else {
            throw RequestError(.invalidRequest, "the token has characters that are not allowed in a header; check it")
        }
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    }

    /// A text with all bytes except RFC 3986's unreserved characters, and with ".", as `%XX`: never a step in a path.
    static func encoded(_ text: String) -> String {
        text.percentEncoded { $0.isUnreservedInURI && $0 != UInt8(ascii: ".") }
    }
}
