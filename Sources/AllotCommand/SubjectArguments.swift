import Allot
import AllotConfiguration
import AllotFiles
import ArgumentParser

/// A subject on the command line: `ID name=value …`, and typed attributes as JSON.
struct SubjectArguments: ParsableArguments {
    @Argument(help: "The unit ID, which is the attribute user_id.")
    var id: String?

    @Argument(help: ArgumentHelp("Attributes. One without a value is missing.", valueName: "name=value"))
    var attributes: [String] = []

    @Option(
        help: ArgumentHelp(
            "Attributes with types, as a JSON object: '{\"seats\": 12, \"tags\": [\"a\"]}'.", valueName: "object"))
    var json: String?

    func validate() throws {
        _ = try made()
    }

    /// The subject, with notes on standard error about what is probably a mistake.
    func made(noting plan: Plan) throws -> Subject {
        let subject = try made()
        for note in SubjectNotes(id: id, subject: subject, plan: plan).lines {
            StandardError.write("allot: note: \(note)")
        }
        return subject
    }

    private func made() throws -> Subject {
        guard id != nil || json != nil else {
            throw ValidationError("No subject; give a unit ID and attributes, such as: user-42 country=DE")
        }
        let typed = try typedAttributes()
        var given = Set(typed.members.map { UTF8Key($0.key) })
        var made = Subject(attributes: typed)
        if let id {
            guard given.insert(UTF8Key(Subject.defaultUnit)).inserted else {
                throw ValidationError("The unit ID is given twice, as \"\(id)\" and as user_id in --json; keep one.")
            }
            made.setUntyped(Subject.defaultUnit, id)
        }
        for pair in attributes {
            guard let equals = pair.firstIndex(of: "="), equals != pair.startIndex else {
                throw ValidationError("\"\(pair)\" is no attribute; write it as name=value, such as country=DE.")
            }
            let name = String(pair[..<equals])
            guard given.insert(UTF8Key(name)).inserted else {
                let hint = name == Subject.defaultUnit ? " (it is the unit ID, the first argument)" : ""
                throw ValidationError("The attribute \(name) is given twice\(hint); keep one.")
            }
            made.setUntyped(name, String(pair[pair.index(after: equals)...]))
        }
        return made
    }

    private func typedAttributes() throws -> JSONObject {
        guard let json else { return [:] }
        do {
            guard case .object(let object) = try JSONValue(parsing: Array(json.utf8)) else {
                throw ValidationError("--json takes a JSON object such as '{\"country\": \"DE\"}'.")
            }
            return object
        } catch let error as JSONParsingError {
            throw ValidationError(
                "--json is not valid JSON, at line \(error.line), column \(error.column): \(error.message).")
        }
    }
}
