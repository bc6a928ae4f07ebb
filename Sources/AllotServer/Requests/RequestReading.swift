import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads targets and bodies of requests; throws `RequestFailure`.
package struct RequestReading: Sendable {
    let limits: RequestLimits
    let bodies: BodyBudget
    /// Reads units and attributes.
    package let subjects: SubjectReading

    init(limits: RequestLimits, bodies: BodyBudget) {
        self.limits = limits
        self.bodies = bodies
        subjects = SubjectReading(limits: limits)
    }

    /// A part of the path, decoded.
    ///
    /// - Parameter name: its name in the route's pattern.
    package func pathComponent(_ name: String, _ context: some RequestContext) throws -> String {
        try subjects.lastPathComponent(context.parameters.get(name) ?? "")
    }

    /// The items of the query by their names, of which only these are allowed.
    package func query(_ request: Request, _ names: [String]) throws -> [String: String] {
        var bytes: [UInt8] = []
        let target = try subjects.target(request.uri.string, into: &bytes)
        var items: [String: String] = [:]
        for (name, value) in target.attributes {
            let name = String(decoding: bytes[name], as: UTF8.self)
            guard names.contains(name) else {
                throw RequestFailure(
                    .badRequest,
                    "the query has an unknown item \(QuotedText(name)); it takes "
                        + names.sorted().joined(separator: ", "))
            }
            items[name] = String(decoding: bytes[value], as: UTF8.self)
        }
        return items
    }

    /// The body of a request as JSON. Returns `nil` if the body is empty.
    func json(_ request: Request, limit: Int) async throws -> JSONValue? {
        try await json(request, limit: limit) { $0 }
    }

    /// The result of `use` for the body of a request as JSON, which counts among those in memory until then.
    func json<Value>(
        _ request: Request, limit: Int, _ use: (consuming JSONValue?) async throws -> Value
    ) async throws -> Value {
        let type = request.headers[.contentType]
        try JSONBody.requireIdentity(request.headers[.contentEncoding])
        // What announces another type is refused before it is read.
        try JSONBody.requireType(type, isEmpty: true)
        return try await body(request, limit: limit) { buffer in
            try JSONBody.requireType(type, isEmpty: buffer.readableBytes == 0)
            return try await use(JSONBody.parse(Array(buffer.readableBytesView)))
        }
    }

    /// The items of a form that a page sends, in their order.
    package func form(_ request: Request) async throws -> [(name: String, value: String)] {
        try JSONBody.requireIdentity(request.headers[.contentEncoding])
        try FormBody.requireType(request.headers[.contentType])
        return try await body(request, limit: FormBody.limit) { try FormBody.parse(Array($0.readableBytesView)) }
    }

    /// The result of `use` for the body of a request, which counts among those in memory until then.
    func body<Value>(
        _ request: Request, limit: Int, _ use: (ByteBuffer) async throws -> Value
    ) async throws -> Value {
        let tooLarge = RequestFailure(.contentTooLarge, "the body has more than \(limit) bytes; send less at once")
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard length <= limit else { throw tooLarge }
        var buffer = ByteBuffer()
        // Only what has arrived takes room, so that no client can reserve it.
        var room = 0
        defer { bodies.giveBack(room) }
        var parts = request.body.makeAsyncIterator()
        while var part = try await Self.next(&parts) {
            let count = part.readableBytes
            guard room + count <= limit else { throw tooLarge }
            guard bodies.take(count, of: max(length, room + count)) else {
                throw RequestFailure(
                    .serviceUnavailable, "too much is sent at once; send it again later",
                    headers: [("Retry-After", "1")])
            }
            room += count
            if buffer.readableBytes == 0 { buffer = part } else { buffer.writeBuffer(&part) }
        }
        return try await use(buffer)
    }

    private static func next(_ parts: inout RequestBody.AsyncIterator) async throws -> ByteBuffer? {
        do {
            return try await parts.next()
        } catch {
            throw BrokenBody(reason: error)
        }
    }
}

/// A body that does not come to its end: its client has left or breaks the rules, or it was refused on the way.
struct BrokenBody: Error {
    let reason: any Error

    /// The status that the client sees, or would have seen.
    var status: HTTPResponse.Status { (reason as? ConnectionRefusal)?.status ?? .badRequest }
}
