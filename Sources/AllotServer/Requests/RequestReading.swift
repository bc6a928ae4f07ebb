import Allot
import AllotConfiguration
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads what routes need of a request; throws `RequestFailure`.
struct RequestReading {
    let limits: RequestLimits

    /// The parts of a query, decoded as those of HTML forms.
    func queryItems(_ request: Request) throws -> [(name: String, value: String)] {
        guard let query = request.uri.query, !query.isEmpty else { return [] }
        let parts = query.split(separator: "&", maxSplits: limits.attributeCount + 1)
        guard parts.count <= limits.attributeCount + 1 else { throw tooManyAttributes() }
        return try parts.map { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentDecoding.text(pair[0], decodesPlus: true),
                let value = PercentDecoding.text(pair.count > 1 ? pair[1] : "", decodesPlus: true)
            else {
                throw RequestFailure(
                    .badRequest, "the query is not percent-encoded UTF-8; write a literal \"%\" as %25")
            }
            return (name, value)
        }
    }

    /// The last part of the path, decoded.
    func lastPathComponent(_ request: Request) throws -> String {
        let path = request.uri.path
        let encoded = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        guard let text = PercentDecoding.text(encoded, decodesPlus: false) else {
            throw RequestFailure(.badRequest, "the path is not percent-encoded UTF-8; write a literal \"%\" as %25")
        }
        return text
    }

    /// A subject of attributes without types, as a query gives them.
    func subject(id: String?, _ items: [(name: String, value: String)]) throws -> Subject {
        guard items.count <= limits.attributeCount else { throw tooManyAttributes() }
        var subject = Subject()
        var names: Set<String> = []
        for (name, value) in items {
            guard name != Subject.defaultUnit else {
                throw RequestFailure(.badRequest, "user_id is the ID in the path or userID; leave it out of the query")
            }
            guard names.insert(name).inserted else {
                throw RequestFailure(.badRequest, "the attribute \(QuotedText(name)) is given twice; keep one")
            }
            subject.setUntyped(name, value)
        }
        if let id { subject.setUntyped(Subject.defaultUnit, try validated(id)) }
        return subject
    }

    /// A subject of `{"attributes": {…}}`.
    func subject(id: String?, _ body: JSONValue) throws -> Subject {
        guard case .object(let object) = body else {
            throw RequestFailure(.badRequest, #"the body is not an object; send {"attributes": {…}}"#)
        }
        for member in object.members where member.key != "attributes" {
            throw RequestFailure(
                .badRequest, "the body has an unknown member \(QuotedText(member.key)); it takes \"attributes\" only")
        }
        guard case .object(let attributes) = object["attributes"] ?? .object([:]) else {
            throw RequestFailure(.badRequest, "attributes is not an object; send names and values")
        }
        guard attributes[Subject.defaultUnit] == nil else {
            throw RequestFailure(.badRequest, "user_id is the ID in the path; leave it out of the attributes")
        }
        return try subject(id: id, attributes)
    }

    /// A subject of typed attributes.
    func subject(id: String?, _ attributes: JSONObject) throws -> Subject {
        guard attributes.members.count <= limits.attributeCount else { throw tooManyAttributes() }
        guard let id else { return Subject(attributes: attributes) }
        return Subject(id: try validated(id), attributes: attributes)
    }

    private func validated(_ id: String) throws -> String {
        guard UnitID.isValidLength(id.utf8.count) else {
            throw RequestFailure(
                .badRequest, "the ID has \(id.utf8.count) bytes; an ID has 1 to \(UnitID.maximumLength)")
        }
        return id
    }

    private func tooManyAttributes() -> RequestFailure {
        RequestFailure(.badRequest, "there are more than \(limits.attributeCount) attributes; send fewer")
    }

    /// The body of a request as JSON; an empty one is `nil`.
    func json(_ request: Request, limit: Int) async throws -> JSONValue? {
        let tooLarge = RequestFailure(.contentTooLarge, "the body has more than \(limit) bytes; send less at once")
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        }
        guard buffer.readableBytes > 0 else { return nil }
        do {
            return try JSONValue(parsing: Array(buffer.readableBytesView))
        } catch {
            throw RequestFailure(
                .badRequest,
                "the body is not valid JSON, at line \(error.line), column \(error.column): \(error.message)")
        }
    }
}
