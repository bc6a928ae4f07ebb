import AllotConfiguration
import AllotCore
import AllotDefinitions
import SystemLibrary

/// The options of a call: a JSON object whose members are taken one by one. What is left at the end is unknown.
struct Options {
    private var members: JSONObject
    private var known: [String] = []

    /// Reads options. A null pointer or an empty text stands for none.
    init(_ pointer: UnsafePointer<CChar>?) throws {
        let text = try pointer.map { try AllotC.text($0, "options") } ?? ""
        members =
            text.isEmpty ? [:] : try JSONObject(text, named: "options", example: #"{"at": "2026-11-21T12:00:00Z"}"#)
    }

    /// Runs what reads options and answers; what it throws names them as they are named here.
    static func reading<Result>(
        _ pointer: UnsafePointer<CChar>?, _ body: (inout Options) throws -> Result
    ) throws -> Result {
        var options = try Options(pointer)
        do {
            return try body(&options)
        } catch {
            throw InterfaceError(error).saying(options.renamed)
        }
    }

    /// A text of the library's, which names options as the command line does, with their names here.
    func renamed(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            // Elsewhere it is a part of a name.
            let isStart = index == 0 || " (\n".utf8.contains(bytes[index - 1])
            if isStart, bytes[index...].starts(with: "--".utf8) {
                let word = bytes[(index + 2)...].prefix { $0 == UInt8(ascii: "-") || $0.isOfPlainName }
                let name = String(decoding: word, as: UTF8.self).replacing("-", with: "_")
                if known.contains(name) {
                    result += name.utf8
                    index += 2 + word.count
                    continue
                }
            }
            result.append(bytes[index])
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Throws if there is a member that no call of ``take(_:)`` asked for.
    func finish() throws {
        guard let unknown = members.members.first?.key else { return }
        let hint = NearestName.hint(for: unknown, among: known).map { "did you mean \(QuotedText($0))?" }
        let list = known.isEmpty ? "none are known here" : "known are \(known.joined(separator: ", "))"
        throw InterfaceError.argument("unknown option \(QuotedText(unknown)); \(hint ?? list)")
    }

    /// Removes a member. Null counts as absent.
    mutating func take(_ name: String) -> JSONValue? {
        known.append(name)
        let value = members[name]
        members[name] = nil
        return value == .null ? nil : value
    }

    mutating func flag(_ name: String) throws -> Bool {
        switch take(name) {
        case nil: false
        case .boolean(let flag): flag
        default: throw Self.error(name, "true or false")
        }
    }

    mutating func text(_ name: String) throws -> String? {
        switch take(name) {
        case nil: nil
        case .string(let text): text
        default: throw Self.error(name, "a text")
        }
    }

    mutating func texts(_ name: String) throws -> [String]? {
        guard let value = take(name) else { return nil }
        guard case .array(let elements) = value else { throw Self.error(name, "a list of texts") }
        return try elements.map { element in
            guard case .string(let text) = element else { throw Self.error(name, "a list of texts") }
            return text
        }
    }

    /// An object of texts.
    mutating func names(_ name: String) throws -> [String: String] {
        guard let value = take(name) else { return [:] }
        guard case .object(let object) = value else { throw Self.error(name, "an object of texts") }
        var names: [String: String] = [:]
        for member in object.members {
            guard case .string(let text) = member.value else { throw Self.error(name, "an object of texts") }
            names[member.key] = text
        }
        return names
    }

    mutating func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let value = take(name) else { return nil }
        if case .number(let number) = value, let whole = Int(number.text), range.contains(whole) { return whole }
        throw Self.error(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    /// The number of threads to use: 0 stands for one on each processor.
    mutating func threadCount() throws -> Int {
        let count = try number("threads", in: 0...Processors.threadCounts.upperBound) ?? 1
        return count > 0 ? count : Processors.availableCount
    }

    /// One of several words.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, default: Choice) throws
        -> Choice
    {
        guard let value = take(name) else { return `default` }
        if case .string(let text) = value, let choice = Choice(rawValue: text) { return choice }
        throw Self.error(name, "one of \(Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))")
    }

    /// The instant of evaluation. `nil` if it is not given.
    mutating func instant(_ name: String = "at") throws -> Instant? {
        guard let text = try text(name) else { return nil }
        guard let instant = Instant(text) else {
            throw InterfaceError.argument("the option \(name), \(QuotedText(text)), \(Instant.fault(of: text))")
        }
        return instant
    }

    /// The indices of the experiments to decide. `nil` for all. An empty list is one without experiments.
    mutating func selection(of plan: Plan) throws -> [Int]? {
        guard let keys = try texts("experiments") else { return nil }
        return keys.isEmpty ? [] : try plan.experimentIndices(of: keys)
    }

    /// The limits of definitions.
    mutating func limits() throws -> DefinitionLimits {
        var limits = DefinitionLimits()
        limits.allowsEmpty = try flag("allow_empty")
        limits.settings = try number("max_settings", in: 0...Int(Int32.max)) ?? limits.settings
        limits.valueBytes = try number("max_value_bytes", in: 0...Int(Int32.max)) ?? limits.valueBytes
        return limits
    }

    static func error(_ name: String, _ form: String) -> InterfaceError {
        .argument("the option \(name) is \(form)")
    }
}

extension JSONObject {
    /// Reads an object of the caller.
    init(_ text: String, named name: String, example: String) throws {
        let value: JSONValue
        do throws(JSONParsingError) {
            value = try JSONValue(parsing: Array(text.utf8))
        } catch {
            throw InterfaceError.argument(
                "\(name): not valid JSON, at line \(error.line), column \(error.column): \(error.message)")
        }
        guard case .object(let object) = value else {
            throw InterfaceError.argument("\(name): not a JSON object, such as \(example)")
        }
        self = object
    }
}
