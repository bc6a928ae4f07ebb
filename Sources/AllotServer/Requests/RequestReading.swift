import Allot
import AllotConfiguration
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads units, attributes and bodies of requests, and checks them; throws `RequestFailure`.
struct RequestReading {
    let limits: RequestLimits
    let bodies: BodyBudget

    // MARK: Targets

    /// The part of a target that names the unit.
    enum UnitPlace {
        /// The last part of the path. If it is empty or `(null)`, there is no unit, as MSActiveConfig's clients write
        /// it.
        case path
        /// The query's item `userID`, with the same two exceptions; the item need not be there.
        case query
        /// No part: the target is about no unit.
        case absent
    }

    /// Reads the unit and the attributes of a request's target, decoded, to the end of a buffer.
    func target(_ request: Request, unit place: UnitPlace, into bytes: inout [UInt8]) throws -> TargetSubject {
        switch place {
        case .path:
            var subject = try target(request, into: &bytes)
            subject.unit = try user(subject.lastComponent, bytes)
            return subject
        case .query:
            var subject = try target(request, reserved: ServicePath.userQueryItem, into: &bytes)
            guard subject.reserved.count <= 1 else {
                throw RequestFailure(.badRequest, "\(ServicePath.userQueryItem) is given twice; keep one")
            }
            subject.unit = try subject.reserved.first.flatMap { try user($0, bytes) }
            return subject
        case .absent:
            return try target(request, into: &bytes)
        }
    }

    /// Reads a request's target, decoded, to the end of a buffer; the last part of its path is the unit as it is.
    ///
    /// - Parameter reserved: the name of the query's items that are not attributes.
    func target(_ request: Request, reserved: String? = nil, into bytes: inout [UInt8]) throws -> TargetSubject {
        var target = RequestTarget(request)
        var subject = TargetSubject(lastComponent: try target.decodeLastComponent(to: &bytes))
        // One allocation for most requests, none without a query.
        if target.hasQuery { subject.attributes.reserveCapacity(8) }
        while let item = try target.decodeNextItem(to: &bytes) {
            if let reserved, Self.isEqual(bytes[item.name], reserved) {
                subject.reserved.append(item.value)
                try checkCount(subject.reserved.count)
                continue
            }
            if Self.isEqual(bytes[item.name], Subject.defaultUnit) {
                throw RequestFailure(.badRequest, "user_id is the ID in the path or userID; leave it out of the query")
            }
            for (other, _) in subject.attributes
            where other.count == item.name.count && bytes[other] == bytes[item.name] {
                let name = String(decoding: bytes[other], as: UTF8.self)
                throw RequestFailure(.badRequest, "the attribute \(QuotedText(name)) is given twice; keep one")
            }
            subject.attributes.append(item)
            try checkCount(subject.attributes.count)
        }
        return subject
    }

    /// The last part of the path, decoded.
    func lastPathComponent(_ request: Request) throws -> String {
        var bytes: [UInt8] = []
        _ = try RequestTarget(request).decodeLastComponent(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func user(_ range: Range<Int>, _ bytes: [UInt8]) throws -> Range<Int>? {
        if range.isEmpty || Self.isEqual(bytes[range], ServicePath.noUser) { return nil }
        try checkUnit(range.count)
        return range
    }

    private static func isEqual(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
        bytes.count == text.utf8.count && bytes.elementsEqual(text.utf8)
    }

    // MARK: Rules of all forms of a subject

    /// Checks the length of a unit ID.
    func checkUnit(_ byteCount: Int) throws {
        guard UnitID.isValidLength(byteCount) else {
            throw RequestFailure(
                .badRequest, "the ID has \(byteCount) bytes; an ID has 1 to \(UnitID.maximumLength)")
        }
    }

    private func checkCount(_ count: Int) throws {
        guard count <= limits.attributeCount else {
            throw RequestFailure(.badRequest, "there are more than \(limits.attributeCount) attributes; send fewer")
        }
    }

    // MARK: Bodies

    /// The subject of the last part of the path and a body `{"attributes": {…}}`, which may be missing.
    func typedSubject(_ request: Request) async throws -> Subject {
        let id = try lastPathComponent(request)
        let body = try await json(request, limit: limits.bodyBytes) ?? .object([:])
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
        return try subject(id: id.isEmpty || id == ServicePath.noUser ? nil : id, attributes)
    }

    /// A subject of typed attributes.
    func subject(id: String?, _ attributes: JSONObject) throws -> Subject {
        try checkCount(attributes.members.count)
        guard let id else { return Subject(attributes: attributes) }
        try checkUnit(id.utf8.count)
        return Subject(id: id, attributes: attributes)
    }

    /// The body of a request as JSON. Returns `nil` if the body is empty.
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

/// The unit and the attributes of a request's target, as ranges of the buffer that they were decoded to.
struct TargetSubject {
    /// The last part of the path.
    let lastComponent: Range<Int>
    /// The ID; `nil` if the request is about no unit.
    var unit: Range<Int>?
    fileprivate(set) var attributes: [(name: Range<Int>, value: Range<Int>)] = []
    /// The values of the query's items that are not attributes.
    fileprivate(set) var reserved: [Range<Int>] = []

    fileprivate init(lastComponent: Range<Int>) {
        self.lastComponent = lastComponent
    }

    /// The subject on its own, for callers that add attributes or explain.
    func subject(_ bytes: [UInt8]) -> Subject {
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        var subject = Subject()
        for (name, value) in attributes { subject.setUntyped(text(name), text(value)) }
        if let unit { subject.setUntyped(Subject.defaultUnit, text(unit)) }
        return subject
    }
}
