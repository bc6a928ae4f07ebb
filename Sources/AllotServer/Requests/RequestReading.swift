import Allot
import AllotConfiguration
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads what routes need of a request; throws `RequestFailure`.
struct RequestReading {
    let limits: RequestLimits
    let bodies: BodyBudget

    /// The parts of a query, decoded as those of HTML forms.
    func queryItems(_ request: Request) throws -> [(name: String, value: String)] {
        let target = RequestTarget(request, limit: limits.attributeCount + 1)
        guard target.items.count <= limits.attributeCount + 1 else { throw tooManyAttributes }
        return try target.items.map { item in
            guard let name = target.text(item.name, decodesPlus: true),
                let value = target.text(item.value, decodesPlus: true)
            else { throw malformedQuery }
            return (name, value)
        }
    }

    /// The last part of the path, decoded.
    func lastPathComponent(_ request: Request) throws -> String {
        let target = RequestTarget(request, limit: 0)
        guard let text = target.text(target.lastComponent, decodesPlus: false) else { throw malformedPath }
        return text
    }

    /// Fills a buffer with the ID at the end of the path and the attributes of the query, without types. An ID that is
    /// empty or `noUser` is none.
    func fill(_ scratch: inout DecisionScratch, _ request: Request, noUser: StaticString) throws {
        let target = RequestTarget(request, limit: limits.attributeCount)
        guard target.items.count <= limits.attributeCount else { throw tooManyAttributes }
        scratch.buffer.removeAll()
        scratch.names.removeAll(keepingCapacity: true)
        let encoded = target.bytes.span
        guard
            PercentDecoding.append(
                encoded.extracting(target.lastComponent), decodesPlus: false, to: &scratch.buffer.bytes)
        else { throw malformedPath }
        let unit = 0..<scratch.buffer.bytes.count
        if !unit.isEmpty, !Self.isWord(scratch.buffer.bytes.span, noUser) {
            try checkLength(unit.count)
            scratch.buffer.setUnit(unit)
        }
        for item in target.items {
            let start = scratch.buffer.bytes.count
            guard
                PercentDecoding.append(
                    encoded.extracting(item.name), decodesPlus: true, to: &scratch.buffer.bytes)
            else { throw malformedQuery }
            let middle = scratch.buffer.bytes.count
            guard
                PercentDecoding.append(
                    encoded.extracting(item.value), decodesPlus: true, to: &scratch.buffer.bytes)
            else { throw malformedQuery }
            let name = start..<middle
            try checkName(name, scratch)
            scratch.names.append(name)
            scratch.buffer.setUntyped(name: name, value: middle..<scratch.buffer.bytes.count)
        }
    }

    private func checkName(_ name: Range<Int>, _ scratch: DecisionScratch) throws {
        let bytes = scratch.buffer.bytes
        if Self.isWord(bytes.span.extracting(name), "user_id") { throw unitInQuery }
        for other in scratch.names where other.count == name.count && bytes[other] == bytes[name] {
            throw givenTwice(String(decoding: bytes[name], as: UTF8.self))
        }
    }

    private static func isWord(_ bytes: Span<UInt8>, _ word: StaticString) -> Bool {
        guard bytes.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            for index in bytes.indices where bytes[index] != word[index] { return false }
            return true
        }
    }

    /// A subject of attributes without types, as a query gives them.
    func subject(id: String?, _ items: [(name: String, value: String)]) throws -> Subject {
        guard items.count <= limits.attributeCount else { throw tooManyAttributes }
        var subject = Subject()
        var names: Set<UTF8Key> = []
        for (name, value) in items {
            guard name != Subject.defaultUnit else { throw unitInQuery }
            guard names.insert(UTF8Key(name)).inserted else { throw givenTwice(name) }
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
        for member in object.members where member.key != ServicePath.attributesMember {
            throw RequestFailure(
                .badRequest, "the body has an unknown member \(QuotedText(member.key)); it takes \"attributes\" only")
        }
        guard case .object(let attributes) = object[ServicePath.attributesMember] ?? .object([:]) else {
            throw RequestFailure(.badRequest, "attributes is not an object; send names and values")
        }
        guard attributes[Subject.defaultUnit] == nil else {
            throw RequestFailure(.badRequest, "user_id is the ID in the path; leave it out of the attributes")
        }
        return try subject(id: id, attributes)
    }

    /// A subject of typed attributes.
    func subject(id: String?, _ attributes: JSONObject) throws -> Subject {
        guard attributes.members.count <= limits.attributeCount else { throw tooManyAttributes }
        guard let id else { return Subject(attributes: attributes) }
        return Subject(id: try validated(id), attributes: attributes)
    }

    private func validated(_ id: String) throws -> String {
        try checkLength(id.utf8.count)
        return id
    }

    private func checkLength(_ count: Int) throws {
        guard UnitID.isValidLength(count) else {
            throw RequestFailure(
                .badRequest, "the ID has \(count) bytes; an ID has 1 to \(UnitID.maximumLength)")
        }
    }

    private var tooManyAttributes: RequestFailure {
        RequestFailure(.badRequest, "there are more than \(limits.attributeCount) attributes; send fewer")
    }

    private var malformedPath: RequestFailure {
        RequestFailure(.badRequest, "the path is not percent-encoded UTF-8; write a literal \"%\" as %25")
    }

    private var malformedQuery: RequestFailure {
        RequestFailure(.badRequest, "the query is not percent-encoded UTF-8; write a literal \"%\" as %25")
    }

    private var unitInQuery: RequestFailure {
        RequestFailure(.badRequest, "user_id is the ID in the path or userID; leave it out of the query")
    }

    private func givenTwice(_ name: String) -> RequestFailure {
        RequestFailure(.badRequest, "the attribute \(QuotedText(name)) is given twice; keep one")
    }

    /// The body of a request as JSON; an empty one is `nil`.
    func json(_ request: Request, limit: Int) async throws -> JSONValue? {
        let tooLarge = RequestFailure(.contentTooLarge, "the body has more than \(limit) bytes; send less at once")
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? limit
        if length > limit { throw tooLarge }
        let room = max(length, 0)
        guard bodies.take(room) else {
            throw RequestFailure(
                .serviceUnavailable, "too much is sent at once; send it again later", headers: [.retryAfter: "1"])
        }
        defer { bodies.giveBack(room) }
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
