import Allot
import AllotConfiguration
import AllotDefinitions
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

    /// The subject and the definitions, with notes on standard error about probable mistakes.
    ///
    /// Not checked by `validate()`, which runs before unknown options are reported: the value of a misspelt option
    /// would be taken for an attribute.
    func load(_ definitions: PastOptions) throws -> (subject: Subject, plan: Plan, instant: Instant) {
        let subject: Subject
        do throws(SubjectError) {
            subject = try Subject(id: id, pairs: attributes, json: json)
        } catch {
            throw UsageFailure(error.description)
        }
        let (plan, instant) = try definitions.load()
        for note in plan.notes(on: subject, id: id) { StandardError.write("allot: note: \(note)") }
        return (subject, plan, instant)
    }
}
