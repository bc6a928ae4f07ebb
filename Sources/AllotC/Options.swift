import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles

/// The options of a call: a JSON object whose members are taken one by one. Members that are left are unknown.
struct Options {
    private var members: JSONObject
    private var known: [String] = []

    /// Reads options. A null pointer or an empty text stands for none.
    init(_ pointer: UnsafePointer<CChar>?) throws {
        let text = try pointer.map { try AllotC.text($0, "options") } ?? ""
        members =
            text.isEmpty ? [:] : try JSONObject(text, named: "options", example: #"{"at": "2026-11-21T12:00:00Z"}"#)
    }

    /// Throws if there is a member that no call of ``take(_:_:_:)`` has read.
    func finish() throws {
        guard let unknown = members.members.first?.key else { return }
        let hint = NearestName.hint(for: unknown, among: known).map { "did you mean \(QuotedText($0))?" }
        let list = known.isEmpty ? "none are known here" : "known are \(known.joined(separator: ", "))"
        throw InterfaceError.argument("unknown option \(QuotedText(unknown)); \(hint ?? list)")
    }

    /// Removes a member and reads its value, of which messages name the form. Null counts as absent.
    mutating func take<Value>(_ name: String, _ form: String, _ read: (JSONValue) throws -> Value?) throws -> Value? {
        known.append(name)
        let value = members[name] ?? .null
        members[name] = nil
        guard value != .null else { return nil }
        guard let result = try read(value) else { throw InterfaceError.argument("the option \(name) is \(form)") }
        return result
    }

    mutating func flag(_ name: String) throws -> Bool { try take(name, "true or false", \.boolean) ?? false }
    mutating func text(_ name: String) throws -> String? { try take(name, "a text", \.text) }

    mutating func texts(_ name: String) throws -> [String]? {
        try take(name, "a list of texts") { $0.asArray?.allConverted(\.text) }
    }

    mutating func list(_ name: String) throws -> [String] {
        try take(name, "a text or a list of texts") { value in
            (value.asArray ?? [value]).allConverted { $0.text ?? $0.asNumber?.text }
        } ?? []
    }

    mutating func names(_ name: String) throws -> [String: String] {
        let pairs: [(String, String)]? = try take(name, "an object of texts") { value in
            value.asObject?.members.allConverted { member in member.value.text.map { (member.key, $0) } }
        }
        return Dictionary(pairs ?? [], uniquingKeysWith: { $1 })
    }

    mutating func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        try take(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { $0.wholeNumber(in: range) }
    }

    /// The number of threads to use: 0 stands for one on each processor.
    mutating func threadCount() throws -> Int {
        let count = try number("threads", in: 0...Processors.threadCounts.upperBound) ?? 1
        return count > 0 ? count : Processors.availableCount
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws -> Choice? {
        let words = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        return try take(name, "one of \(words)") { value in value.text.flatMap { Choice(rawValue: $0) } }
    }

    mutating func instant() throws -> Instant? {
        try text("at").map { text in
            guard let instant = Instant(text) else {
                throw InterfaceError.argument("the option at, \(QuotedText(text)), \(Instant.fault(of: text))")
            }
            return instant
        }
    }

    /// The indices of the experiments to decide. `nil` for all. An empty list is one without experiments.
    mutating func selection(of plan: Plan) throws -> [Int]? {
        guard let keys = try texts("experiments") else { return nil }
        return keys.isEmpty ? [] : try plan.experimentIndices(of: keys)
    }
}

extension JSONValue {
    /// The number if it is written as a whole one in a range. Returns `nil` for any other value.
    func wholeNumber(in range: ClosedRange<Int>) -> Int? {
        asNumber.flatMap { Int($0.text) }.flatMap { range.contains($0) ? $0 : nil }
    }
}

extension Array {
    /// The results of `convert`. Returns `nil` if it does for any element.
    func allConverted<Result>(_ convert: (Element) throws -> Result?) rethrows -> [Result]? {
        let results = try compactMap(convert)
        return results.count == count ? results : nil
    }
}

extension JSONObject {
    init(_ text: String, named name: String, example: String) throws {
        let value: JSONValue
        do throws(JSONParsingError) {
            value = try JSONValue(parsing: Array(text.utf8))
        } catch {
            throw InterfaceError.argument(
                "\(name): not valid JSON, at line \(error.line), column \(error.column): \(error.message)")
        }
        guard let object = value.asObject else {
            throw InterfaceError.argument("\(name): not a JSON object, such as \(example)")
        }
        self = object
    }
}
