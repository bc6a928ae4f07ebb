import AllotConfiguration
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests of an Allot server.
struct ServerRequest: Sendable {
    private let server: URL
    private let token: String?

    init(server: URL, token: String?) {
        self.server = server
        self.token = token
    }

    /// Asks for a user's configuration: attributes that are all text go into the query and have no type there, as in the
    /// definitions' own tests and CSV; with any other value among them they are sent as JSON.
    func configuration(_ user: ConfigurationUser) throws(RequestError) -> URLRequest {
        var items: [(name: String, value: String)] = []
        for attribute in user.attributes.members {
            guard case .string(let text) = attribute.value else {
                // There is no route without a user to send attributes to: "(null)" is how MSActiveConfig's clients say it.
                return try post(
                    "\(ServicePath.configuration)/" + Self.encoded(user.id ?? ServicePath.noUser),
                    [ServicePath.attributesMember: .object(user.attributes)])
            }
            items.append((attribute.key, text))
        }
        var request =
            switch user.id {
            case nil: try request(ServicePath.configuration, items)
            // Clients and proxies take these for steps in the path, however they are encoded.
            case "."?, ".."?:
                try request(
                    ServicePath.configurationByQuery, [(ServicePath.userQueryItem, user.id ?? "")] + items)
            case let id?: try request("\(ServicePath.configuration)/" + Self.encoded(id), items)
            }
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return request
    }

    /// Sends exposures.
    func exposures(_ events: [ExposureEvent]) throws(RequestError) -> URLRequest {
        try post(ServicePath.exposures, [ExposureMessage.exposures: .array(events.map(\.json))])
    }

    private func post(_ path: String, _ body: JSONObject) throws(RequestError) -> URLRequest {
        var request = try request(path, [])
        request.httpMethod = "POST"
        request.httpBody = Data(JSONValue.object(body).canonicalBytes)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return request
    }

    /// Asks for the events.
    func events() throws(RequestError) -> URLRequest {
        var request = try request(ServicePath.events, [])
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        return request
    }

    private func request(_ path: String, _ items: [(name: String, value: String)]) throws(RequestError) -> URLRequest {
        guard HTTPOrigin(server) != nil, server.query == nil, server.fragment == nil else {
            throw RequestError(
                .invalidRequest, "the server's URL has to be like https://example.org/prefix, without a query")
        }
        var text = server.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        text += path
        for (index, item) in items.enumerated() {
            text += "\(index == 0 ? "?" : "&")\(Self.encoded(item.name))=\(Self.encoded(item.value))"
        }
        guard let url = URL(string: text) else {
            throw RequestError(.invalidRequest, "the server's URL cannot be extended by a path; check it")
        }
        var request = URLRequest(url: url)
        if let token {
            guard HTTPFields.isValue(token), !token.contains(" ") else {
                throw RequestError(.invalidRequest, "the token has characters that a header cannot have; check it")
            }
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        return request
    }

    /// Text with all but RFC 3986's unreserved characters as `%XX`; that "." is escaped too keeps it from being a step.
    static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}
