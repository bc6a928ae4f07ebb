import AllotConfiguration
import AllotCore

// Reads units and attributes of requests, and checks them; throws `RequestFailure`.
extension AllotService {
    package enum UnitPlace: Sendable {
        /// The last part of the path; none if it is empty or `(null)`, as MSActiveConfig's clients write it.
        case path
        /// The query's item `userID`, with the same two exceptions; the item need not be there.
        case query
        case absent
    }

    /// Reads the unit and the attributes of a target, decoded, to the end of a buffer.
    package func target(_ text: String, unit place: UnitPlace, into bytes: inout [UInt8]) throws -> TargetSubject {
        var subject = try target(text, reserved: place == .query ? ServicePath.userQueryItem : nil, into: &bytes)
        guard subject.reserved.count <= 1 else {
            throw RequestFailure(.badRequest, "\(ServicePath.userQueryItem) is given twice; keep one")
        }
        if let unit = place == .path ? subject.lastComponent : subject.reserved.first, !unit.isEmpty,
            !Self.isEqual(bytes[unit], ServicePath.noUser)
        {
            try checkUnit(unit.count)
            subject.unit = unit
        }
        return subject
    }

    /// Reads a target, decoded, to the end of a buffer; items with a reserved name are not attributes.
    package func target(_ text: String, reserved: String? = nil, into bytes: inout [UInt8]) throws -> TargetSubject {
        var target = RequestTarget(text)
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
                throw RequestFailure(
                    .badRequest, "the attribute \(QuotedText(bytes.text(other))) is given twice; keep one")
            }
            subject.attributes.append(item)
            try checkCount(subject.attributes.count)
        }
        if target.containsNull { throw Self.containsNull }
        return subject
    }

    /// The last part of a target's path and all items of its query, decoded.
    package func query(_ text: String) throws -> (last: String, items: [(name: String, value: String)]) {
        var bytes: [UInt8] = []
        var target = RequestTarget(text)
        let last = try target.decodeLastComponent(to: &bytes)
        let items = try target.items(limit: limits.attributeCount)
        try checkCount(items.count)
        if target.containsNull { throw Self.containsNull }
        return (bytes.text(last), items)
    }

    /// The items of a request's query by their names, of which only these are allowed: `share.{variant}` is any name
    /// that begins so and goes on, and `{member}.value` one that ends so.
    func query(_ request: ServiceRequest, _ names: [String]) throws -> [String: String] {
        var items: [String: String] = [:]
        // Without the path, of which each route reads its own part.
        for (name, value) in try query(String(request.target[request.path.endIndex...])).items {
            guard names.contains(where: { Self.isName(name, of: $0) }) else {
                let known = names.sorted().joined(separator: ", ")
                throw RequestFailure(
                    .badRequest, "the query has an unknown item \(QuotedText(name)); it takes \(known)")
            }
            guard items.updateValue(value, forKey: name) == nil else {
                throw RequestFailure(.badRequest, "\(QuotedText(name)) is given twice; keep one")
            }
        }
        return items
    }

    private static func isName(_ name: String, of pattern: String) -> Bool {
        let (name, pattern) = (name.utf8, pattern.utf8)
        guard let start = pattern.firstIndex(of: UInt8(ascii: "{")), let end = pattern.lastIndex(of: UInt8(ascii: "}"))
        else { return name.elementsEqual(pattern) }
        let (before, after) = (pattern[..<start], pattern[end...].dropFirst())
        return name.count > before.count + after.count && name.starts(with: before)
            && name.suffix(after.count).elementsEqual(after)
    }

    private static func isEqual(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
        bytes.count == text.utf8.count && bytes.elementsEqual(text.utf8)
    }

    package func checkUnit(_ byteCount: Int) throws {
        guard UnitID.isValidLength(byteCount) else {
            throw RequestFailure(.badRequest, "the ID has \(byteCount) bytes; an ID has 1 to \(UnitID.maximumLength)")
        }
    }

    /// No store of exposures takes such a text, so no unit may be assigned a variant by it.
    private static let containsNull = RequestFailure(
        .badRequest, "the ID or an attribute contains U+0000; leave that character out")

    private func checkCount(_ count: Int) throws {
        guard count <= limits.attributeCount else {
            throw RequestFailure(.badRequest, "there are more than \(limits.attributeCount) attributes; send fewer")
        }
    }

    /// The subject of a request with the unit in its path, untyped attributes in its query, and a body
    /// `{"attributes": {…}}` with typed ones, which may be missing.
    package func typedSubject(_ request: ServiceRequest) throws -> Subject {
        let body = try request.json() ?? .object([:])
        var bytes: [UInt8] = []
        let target = try target(request.target, unit: .path, into: &bytes)
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
        try checkCount(target.attributes.count + attributes.members.count)
        var subject = try subject(id: target.unit.map { bytes.text($0) }, attributes)
        for item in target.attributes {
            let name = bytes.text(item.name)
            guard attributes[name] == nil else {
                throw RequestFailure(
                    .badRequest, "the attribute \(QuotedText(name)) is in the query and in the body; keep one")
            }
            subject.setUntyped(name, bytes.text(item.value))
        }
        return subject
    }

    /// Whether all texts of a value can be stored with an exposure.
    private static func isStorable(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): ExposureMessage.isStorable(text)
        case .array(let values): values.allSatisfy(isStorable)
        case .object(let object):
            object.members.allSatisfy { ExposureMessage.isStorable($0.key) && isStorable($0.value) }
        case .null, .boolean, .number: true
        }
    }

    package func subject(id: String?, _ attributes: JSONObject) throws -> Subject {
        try checkCount(attributes.members.count)
        guard id.map(ExposureMessage.isStorable) != false, Self.isStorable(.object(attributes)) else {
            throw Self.containsNull
        }
        guard let id else { return Subject(attributes: attributes) }
        try checkUnit(id.utf8.count)
        return Subject(id: id, attributes: attributes)
    }
}

/// The unit and the attributes of a request's target, as ranges of a buffer that has them decoded.
package struct TargetSubject {
    package let lastComponent: Range<Int>
    package var unit: Range<Int>?
    package fileprivate(set) var attributes: [(name: Range<Int>, value: Range<Int>)] = []
    /// The values of the query's items that are not attributes.
    package fileprivate(set) var reserved: [Range<Int>] = []
    fileprivate init(lastComponent: Range<Int>) { self.lastComponent = lastComponent }

    /// The attributes as people write them, `name=value` on each line.
    package func attributeLines(_ bytes: [UInt8]) -> String {
        attributes.map { "\(bytes.text($0))=\(bytes.text($1))" }.joined(separator: "\n")
    }

    /// The subject on its own, for callers that add attributes or explain.
    package func subject(_ bytes: [UInt8]) -> Subject {
        var subject = Subject()
        for (name, value) in attributes { subject.setUntyped(bytes.text(name), bytes.text(value)) }
        if let unit { subject.setUntyped(Subject.defaultUnit, bytes.text(unit)) }
        return subject
    }
}
