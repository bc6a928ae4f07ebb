import AllotConfiguration
import AllotSQL
import Testing

/// A parser of every dialect's grammar, sqlglot, by `Engines/grammar.py`.
enum GrammarParser {
    /// The parser's result for each statement: the number of statements, or an error.
    static func answers(_ statements: [(dialect: Dialect, sql: String)]) throws -> [JSONObject] {
        let lines = statements.map { statement in
            let request: JSONObject = ["dialect": .string(statement.dialect.rawValue), "sql": .string(statement.sql)]
            return JSONValue.object(request).canonicalText
        }
        return try EngineProgram.grammar.answers(to: lines).map { line in
            guard case .object(let answer) = try JSONValue(parsing: line) else {
                throw Engine.Failure(description: "grammar.py answered \(String(decoding: line, as: UTF8.self))")
            }
            return answer
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if the parser is not available.
    static var needsGrammar: ConditionTrait {
        .enabled(
            if: EngineVariable.python.value != nil,
            "sqlglot is not available: set \(EngineVariable.python.rawValue), see EngineVariable")
    }
}
