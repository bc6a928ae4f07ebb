public import AllotConfiguration
import AllotCore
public import Logging

/// A request in the types of no framework. `Sendable`.
///
/// ```swift
/// let request = ServiceRequest(
///     method: "GET", target: "/activeconfig/user/user-42?country=DE", headers: [("Accept-Encoding", "gzip")])
/// ```
public struct ServiceRequest: Sendable {
    /// The method in capital letters.
    public var method: String
    /// The path and the query as the client sent them.
    public var target: String
    /// The header fields; their names count in any case.
    public var headers: [(name: String, value: String)]
    /// The bytes of the body.
    public var body: [UInt8]
    /// Finds what the application knows of the user: it takes precedence over what the client says, and may contain
    /// `user_id`. It is called for routes that are about a unit only, once access is checked.
    public var attributes: (@Sendable () async throws -> JSONObject)?
    /// Gets faults of the server; `nil` for the logger of the routes.
    public var logger: Logger?
    /// The path below which the routes are mounted, without a slash at its end.
    package var mount = ""
    /// The part of the path that the route's pattern captures, as it was sent.
    package internal(set) var capture: Substring?
    package internal(set) var depth = 0
    /// The items of the query by their names, if the route says which there may be.
    package internal(set) var query: [String: String] = [:]
    private var room: BodyRoom?

    /// Creates a request.
    public init(method: String, target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
    }

    package var path: Substring {
        // Bytes: a mark that combines with "?" does not hide it.
        Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    }

    /// The value of a header field, or the values of all with its name, given in small letters, joined with commas.
    package func header(_ name: String) -> String? {
        var found: String?
        for field in headers where field.name.isHeaderName(name) {
            // In place: a client may send thousands.
            if found == nil { found = field.value } else { found?.append(", \(field.value)") }
        }
        return found
    }

    /// The part of the path that the route's pattern captures, decoded.
    package func component() throws -> String {
        var bytes: [UInt8] = []
        var target = RequestTarget(String(capture ?? ""))
        _ = try target.decodeLastComponent(to: &bytes)
        if target.containsNull {
            throw RequestFailure(.badRequest, "the path contains U+0000; leave that character out")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The parts of the path below ``mount``, decoded, without those that cannot be.
    package var parts: [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).dropFirst(mount[...].partCount).compactMap { part in
            var bytes: [UInt8] = []
            var target = RequestTarget(String(Substring(part)))
            return (try? target.decodeLastComponent(to: &bytes)).map { bytes.text($0) }
        }
    }

    /// Adds the attributes that the application knows to those that the client sent.
    package func completing(_ subject: Subject) async throws -> Subject {
        var completed = subject
        for member in try await attributes?().members ?? [] { completed.setTyped(member.key, member.value) }
        return completed
    }

    /// Adds bytes to the body. Throws the failure of the request if there are too many of it, or of all bodies.
    package mutating func receive(
        _ bytes: some Collection<UInt8>, limit: Int, announced: Int, of budget: BodyBudget
    ) throws(RequestFailure) {
        let size = body.count + bytes.count
        guard size <= limit else { throw .largeBody(limit) }
        let room = room ?? BodyRoom(budget)
        self.room = room
        guard room.take(bytes.count, of: max(announced, size)) else {
            throw RequestFailure(
                .serviceUnavailable, "too much is sent at once; send it again later", headers: [("Retry-After", "1")])
        }
        body.append(contentsOf: bytes)
    }

    /// Gives back the room of a body that is not read: the answer may go on for long.
    mutating func dropBody() { (body, room) = ([], nil) }
}

extension String {
    /// Whether the name of a header field is another in small letters, in any case.
    package func isHeaderName(_ name: String) -> Bool {
        utf8.count == name.utf8.count && zip(utf8, name.utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && $0 < 0x5B }
    }
}

// The choices of a client among representations (RFC 9110, section 12.5).

extension ServiceRequest {
    /// Whether a body may be sent in gzip's format, and as it is. A client that accepts neither gets it as it is
    /// (section 12.4.1): an app without a configuration is worse off than one that has to read plain bytes.
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
