import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import ArgumentParser

/// A subject on the command line: `ID name=value …`, and typed attributes as JSON.
struct SubjectArguments: ParsableArguments {
    @Argument(help: "The unit ID, which is the attribute user_id. One that contains \"=\" is written user_id=ID.")
    var id: String?
    @Argument(
        help: .value(
            "name=value", "Attributes, the unit ID among them if it is not given first. One without a value is missing."
        ))
    var attributes: [String] = []
    @Option(
        name: .customLong("attributes"),
        help: .value("object", "Attributes with types, as a JSON object: '{\"seats\": 12, \"tags\": [\"a\"]}'."))
    var typed: String?

    /// The subject and the definitions, with notes on standard error about probable mistakes.
    ///
    /// Not checked by `validate()`, which runs before unknown options are reported: the value of a misspelt option
    /// would be taken for an attribute.
    func load(
        _ definitions: DefinitionsOptions, experiments: [String] = []
    ) throws -> (subject: Subject, plan: Plan, instant: Instant, explanation: Explanation) {
        let typed = try typed.map(Self.typedAttributes)
        let written = try Self.usage { () throws(SubjectError) in
            try WrittenSubject(arguments: [id].compactMap(\.self) + attributes, typed: typed)
        }
        let (plan, instant) = try definitions.load()
        try Self.usage { () throws(SubjectError) in try written.checkUnit(in: plan) }
        let explanation = plan.explanation(
            for: written.subject, at: instant, experiments: experiments.isEmpty ? nil : experiments)
        for note in written.notes(on: explanation) { StandardError.write("allot: note: \(note)") }
        return (written.subject, plan, instant, explanation)
    }

    private static func typedAttributes(_ json: String) throws -> JSONObject {
        do throws(JSONParsingError) {
            if let object = try JSONValue(parsing: Array(json.utf8)).asObject { return object }
        } catch {
            throw UsageFailure(
                "--attributes is not valid JSON, at line \(error.line), column \(error.column): \(error.message).")
        }
        throw UsageFailure("--attributes takes a JSON object such as '{\"country\": \"DE\"}'.")
    }

    static func usage<Value>(_ body: () throws(SubjectError) -> Value) throws -> Value {
        do throws(SubjectError) { return try body() } catch { throw UsageFailure(error.description) }
    }
}
