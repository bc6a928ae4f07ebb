import AllotConfiguration

/// An answer to a request, in the types of no framework. `Sendable`.
public struct HTTPAnswer: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields, without the length of the body.
    public var headers: [(name: String, value: String)]
    /// The bytes of the body; none with the statuses 204 and 304, and none if there is a ``stream``.
    public var body: [UInt8]
    /// The body of an answer that is written part by part; `nil` for an answer that is whole.
    public var stream: AnswerStream?

    /// Creates an answer.
    public init(
        status: Int = 200, headers: [(name: String, value: String)], body: [UInt8] = [], stream: AnswerStream? = nil
    ) { (self.status, self.headers, self.body, self.stream) = (status, headers, body, stream) }

    /// Whether the answer has the length of its body among its headers: a body, though it is empty, or none.
    public var hasLength: Bool { stream == nil && status != 204 && status != 304 }

    package init(_ failure: RequestFailure) {
        self.init(json: failure.json, status: failure.code.rawValue)
        headers += failure.headers
    }

    package init(json: JSONValue, status: Int = 200) {
        self.init(
            status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: json.canonicalBytes)
    }

    /// An answer with an entity tag: 304 if the client has the body; signed, and compressed if the client accepts that.
    package init(
        to request: ServiceRequest, _ tag: EntityTag, type: String = "application/json",
        cacheControl: String = "private", boundary: String? = nil, signature: (([UInt8]) throws -> String?)? = nil,
        _ body: () -> [UInt8]
    ) throws {
        var headers: [(name: String, value: String)] = []
        // The most that a configuration's answer has, with those that are added later.
        headers.reserveCapacity(11)
        headers += [("Content-Type", type), ("Cache-Control", cacheControl), ("Vary", "Accept-Encoding")]
        if let boundary { headers.append((ServiceHeader.boundary, boundary)) }
        if let known = request.header("if-none-match") {
            for isCompressed in [false, true] where tag.matches(known, isCompressed: isCompressed) {
                headers.append(("ETag", tag.header(isCompressed: isCompressed)))
                self.init(status: 304, headers: headers)
                return
            }
        }
        let body = body()
        let compressed = GzipEncoder.encode(body, for: request)
        headers.append(("ETag", tag.header(isCompressed: compressed != nil)))
        if compressed != nil { headers.append(("Content-Encoding", "gzip")) }
        if let signature = try signature?(body) { headers.append((DetachedSignature.headerName, signature)) }
        self.init(headers: headers, body: compressed ?? body)
    }
}

/// The body of an answer that is written part by part. `Sendable`.
public struct AnswerStream: Sendable {
    /// Whether the stream has no end of its own: a server that shuts down cancels the task that writes it, and then
    /// ends the answer as usual.
    public let isEndless: Bool
    /// Writes all parts, and returns at the end of the body; throws the error of its argument, or why the body
    /// cannot be completed: the client must then not take what it got for the whole.
    public let write: @Sendable (_ write: ([UInt8]) async throws -> Void) async throws -> Void

    package init(
        isEndless: Bool, _ write: @escaping @Sendable (_ write: ([UInt8]) async throws -> Void) async throws -> Void
    ) { (self.isEndless, self.write) = (isEndless, write) }
}

/// The strong entity tag of an answer (RFC 9110, section 8.8.3): the plan's revision, what was decided, and the form of
/// answers, so that all servers of one version with the same definitions agree on it.
package struct EntityTag {
    private let text: String

    /// The form of answers, which changes whenever the same decisions of the same plan are written with other bytes.
    /// Compression does not count: however a body is compressed, clients read the same bytes.
    private static let form = 3
    package init(revision: String, fingerprint: String) { text = "\(revision)-\(fingerprint)-\(Self.form)" }
    /// The tag as headers contain it. A compressed answer is another representation and has another tag.
    package func header(isCompressed: Bool) -> String { "\"\(text)\(isCompressed ? "-gzip" : "")\"" }

    /// Whether a client that sends this `If-None-Match` already has the representation.
    package func matches(_ header: String, isCompressed: Bool) -> Bool {
        let own = self.header(isCompressed: isCompressed)
        // What nearly all clients send.
        if header == own { return true }
        return header.utf8.split(separator: UInt8(ascii: ",")).contains { entry in
            var tag = entry.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            while tag.last == UInt8(ascii: " ") || tag.last == UInt8(ascii: "\t") { tag.removeLast() }
            if tag.starts(with: "W/".utf8) { tag = tag.dropFirst(2) }
            return tag.elementsEqual(own.utf8) || tag.elementsEqual("*".utf8)
        }
    }
}
