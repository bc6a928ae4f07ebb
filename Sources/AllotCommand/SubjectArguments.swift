import Allot
import AllotFiles
import ArgumentParser

/// A subject on the command line: `ID name=value …`, and typed attributes as JSON.
struct SubjectArguments: ParsableArguments {
    @Argument(help: "The unit ID, which is the attribute user_id.")
    var id: String?

    @Argument(help: .value("name=value", "Attributes. One without a value is missing."))
    var attributes: [String] = []

    @Option(
        help: .value("object", "Attributes with types, as a JSON object: '{\"seats\": 12, \"tags\": [\"a\"]}'."))
    var json: String?

    func validate() throws {
        do {
            _ = try Subject(id: id, pairs: attributes, json: json)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// The subject, with notes on standard error about probable mistakes.
    func subject(noting plan: Plan) throws -> Subject {
        let subject = try Subject(id: id, pairs: attributes, json: json)
        for note in plan.notes(on: subject, id: id) { StandardError.write("allot: note: \(note)") }
        return subject
    }
}
