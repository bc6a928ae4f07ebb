import AllotConfiguration
import AllotCore

/// A real engine that says whether patterns in its own syntax occur in texts.
struct PatternEngine {
    let syntax: PatternSyntax
    private let arguments: [String]

    static let java = PatternEngine(syntax: .java, arguments: ["java"])
    static let postgresql = PatternEngine(
        syntax: .postgresql, arguments: ["postgresql", EngineVariable.postgresql.value ?? ""])

    struct Question {
        let pattern: String
        let texts: [String]
    }

    /// The engine's answers: for each question, and for each text of it, whether the pattern occurs.
    func answers(to questions: [Question]) throws -> [[Bool]] {
        let lines = questions.map { question in
            let texts = JSONValue.array(question.texts.map(JSONValue.string))
            return JSONValue.object(["pattern": .string(question.pattern), "texts": texts]).canonicalText
        }
        return try zip(questions, EngineProgram.patterns.answers(arguments, to: lines)).map { question, line in
            let answer = try JSONValue(parsing: line)
            guard case .object(let members) = answer, case .array(let values) = members["answers"] else {
                throw Engine.Failure(description: "\(question.pattern): \(String(decoding: line, as: UTF8.self))")
            }
            return values.map { $0 == true }
        }
    }
}
