import AllotConfiguration
import Foundation

/// A value of a payload, and where it stands. Reading it as another type than it has throws with the path.
struct PayloadNode {
    let value: JSONValue
    let path: PayloadPath
    /// The record of the requested members; `nil` outside the payload.
    private let ledger: MemberLedger?

    init(_ value: JSONValue, path: PayloadPath = .root, _ ledger: MemberLedger? = nil) {
        (self.value, self.path, self.ledger) = (value, path, ledger)
    }

    private func next(_ value: JSONValue, path: PayloadPath, _ step: MemberLedger.Step) -> PayloadNode {
        PayloadNode(value, path: path, ledger?.next(step))
    }

    func problem(_ message: String) -> ImportProblem { ImportProblem(path, message) }

    func unknown(operator name: String, _ place: String = "") -> ImportProblem {
        problem("the operator \(QuotedText(name))\(place) is not known to this importer")
    }

    subscript(key: String) -> PayloadNode? {
        guard let member = member(key), member.value != .null else { return nil }
        return member
    }

    /// The member of an object, which may be null. Returns `nil` if it is missing, or if this is not an object.
    func member(_ key: String) -> PayloadNode? {
        guard case .object(let object) = value else { return nil }
        ledger?.know(CollectionOfOne(key))
        return object[key].map { next($0, path: path.appending(key: key), .member(UTF8Key(key))) }
    }

    /// The member of an object whose names are the payload's own. Returns `nil` if it is missing or null.
    func entry(_ key: String) -> PayloadNode? {
        guard case .object(let object) = value else { return nil }
        ledger?.knowAll()
        guard let member = object[key], member != .null else { return nil }
        return next(member, path: path.appending(key: key), .entry)
    }

    func required(_ key: String) throws(ImportProblem) -> PayloadNode {
        guard let member = self[key] else {
            _ = try read(value.asObject, "an object")
            throw problem("\(QuotedText(key)) is missing here; is the payload complete?")
        }
        return member
    }

    /// The members of an object whose names are the payload's own, in the order of their names.
    func members() throws(ImportProblem) -> [(key: String, value: PayloadNode)] {
        let object = try read(value.asObject, "an object")
        ledger?.knowAll()
        return object.members.map { ($0.key, next($0.value, path: path.appending(key: $0.key), .entry)) }
    }

    func list(_ key: String) throws(ImportProblem) -> [PayloadNode] { try self[key]?.elements() ?? [] }
    func listIfAny(_ key: String) -> [PayloadNode] { (try? list(key)) ?? [] }

    /// The members of such an object, or the elements of a list by the text of a member.
    func members(orElementsBy key: String) throws(ImportProblem) -> [(key: String, value: PayloadNode)] {
        guard case .array = value else { return try members() }
        return try elements().map { element throws(ImportProblem) in (try element.required(key).text(), element) }
    }

    func checkMembers(known: Set<String>) throws(ImportProblem) {
        let object = try read(value.asObject, "an object")
        ledger?.know(known)
        if let key = object.members.first(where: { !known.contains($0.key) })?.key {
            throw ImportProblem(
                path.appending(key: key),
                "\(QuotedText(key)) is not known to this importer and may change decisions, so nothing is assumed "
                    + "about it")
        }
    }

    /// The text of a member that is for people; `nil` if it is something else.
    func annotation(_ key: String) -> String? { self[key]?.value.text }

    static let annotations: Set<String> = [
        "$comment", "$schema", "_comment", "comment", "description", "owner", "tags", "title",
    ]

    func elements() throws(ImportProblem) -> [PayloadNode] {
        try read(value.asArray, "a list").enumerated().map { next($1, path: path.appending(index: $0), .element) }
    }

    func text() throws(ImportProblem) -> String { try read(value.text, "text") }
    func boolean() throws(ImportProblem) -> Bool { try read(value.boolean, "true or false") }
    func number() throws(ImportProblem) -> JSONNumber { try read(value.asNumber, "a number") }

    func double() throws(ImportProblem) -> Double {
        let number = try number()
        guard number.double.isFinite else { throw problem("the number \(number.text) is too large") }
        return number.double
    }

    func integer() throws(ImportProblem) -> Int {
        let number = try number()
        guard let integer = Int(number.text) ?? Int(exactly: number.double) else { throw mismatch("a whole number") }
        return integer
    }

    private func read<Value>(_ found: Value?, _ expected: String) throws(ImportProblem) -> Value {
        guard let found else { throw mismatch(expected) }
        return found
    }

    func texts() throws(ImportProblem) -> [String] {
        try elements().map { element throws(ImportProblem) in try element.text() }
    }

    private func mismatch(_ expected: String) -> ImportProblem {
        problem("expected \(expected) here, not \(value.described)")
    }
}

extension Array where Element == (key: String, value: PayloadNode) {
    var byKey: [UTF8Key: PayloadNode] {
        Dictionary(map { (UTF8Key($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

extension PayloadNode {
    func parsed(_ text: String) throws(ImportProblem) -> JSONValue {
        do throws(JSONParsingError) {
            return try JSONValue(parsing: Array(text.utf8))
        } catch {
            throw problem("the text is not JSON: \(error)")
        }
    }

    /// The JSON in a text. Returns `nil` if it is not JSON, and throws if it is JSON that Allot does not read.
    func json(in text: String) throws(ImportProblem) -> JSONValue? {
        do {
            return try JSONValue(parsing: Array(text.utf8))
        } catch {
            let isJSON = (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
            if isJSON { throw problem("Allot does not read this JSON: \(error)") }
            return nil
        }
    }
}
