import Allot
import AllotConfiguration
import ArgumentParser

/// A subject on the command line: `ID name=value …`, and typed attributes as JSON.
struct SubjectArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The unit ID (user_id), then attributes as name=value. An attribute without a value is missing.",
            valueName: "id name=value"))
    var subject: [String] = []

    @Option(help: ArgumentHelp("Attributes with types, as a JSON object: '{\"seats\": 12, \"tags\": [\"a\"]}'.", valueName: "object"))
    var json: String?

    func validate() throws {
        _ = try made()
    }

    /// The subject.
    func made() throws -> Subject {
        var attributes = JSONObject()
        if let json {
            do {
                guard case .object(let object) = try JSONValue(parsing: Array(json.utf8)) else {
                    throw ValidationError("--json takes a JSON object such as '{\"country\": \"DE\"}'.")
                }
                attributes = object
            } catch let error as JSONParsingError {
                throw ValidationError("--json is not valid JSON, at line \(error.line), column \(error.column): \(error.message).")
            }
        }
        guard !subject.isEmpty || json != nil else {
            throw ValidationError("No subject; give a unit ID and attributes, such as: user-42 country=DE")
        }
        var given = Set(attributes.members.map { UTF8Key($0.key) })
        var made = Subject(attributes: attributes)
        if let id = subject.first {
            try Self.add(Subject.defaultUnit, id, to: &made, &given)
        }
        for pair in subject.dropFirst() {
            guard let equals = pair.firstIndex(of: "="), equals != pair.startIndex else {
                throw ValidationError("\"\(pair)\" is no attribute; write it as name=value, such as country=DE.")
            }
            try Self.add(String(pair[..<equals]), String(pair[pair.index(after: equals)...]), to: &made, &given)
        }
        return made
    }

    private static func add(_ name: String, _ text: String, to subject: inout Subject, _ given: inout Set<UTF8Key>) throws {
        guard given.insert(UTF8Key(name)).inserted else {
            throw ValidationError("The attribute \(name) is given twice; keep one.")
        }
        subject.setUntyped(name, text)
    }
}
