import AllotConfiguration
import AllotSQL
import Foundation
import TestSupport
import Testing

/// A parser of every dialect's grammar, sqlglot, by `Engines/grammar.py`.
struct GrammarParser {
    /// Whether it is at hand.
    static var isAvailable: Bool { python != nil }

    private static let python =
        ProcessInfo.processInfo.environment["ALLOT_SQL_PYTHON"].flatMap { $0.isEmpty ? nil : $0 }
    private static let program = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Engines/grammar.py").path

    /// What the parser makes of each statement: how many it is, or what is wrong with it.
    static func answers(_ statements: [(dialect: Dialect, sql: String)]) throws -> [JSONObject] {
        let folder = try TemporaryFolder()
        let lines = statements.map { statement in
            let request: JSONObject = ["dialect": .string(statement.dialect.rawValue), "sql": .string(statement.sql)]
            return JSONValue.object(request).canonicalText + "\n"
        }
        let input = try FileHandle(forReadingFrom: URL(filePath: folder.write(lines.joined(), to: "requests")))
        let output = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "answers")))
        let errors = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "errors")))
        defer { for file in [input, output, errors] { try? file.close() } }
        let process = Process()
        process.executableURL = URL(filePath: try #require(python))
        process.arguments = [program]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        let end = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in end.signal() }
        try process.run()
        end.wait()
        guard process.terminationStatus == 0 else {
            throw Engine.Failure(description: "grammar.py failed: \(try folder.text("errors").suffix(1000))")
        }
        return try folder.text("answers").split(separator: "\n").map { line in
            guard case .object(let answer) = try JSONValue(parsing: Array(line.utf8)) else {
                throw Engine.Failure(description: "grammar.py answered \(line)")
            }
            return answer
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips where the parser is not at hand.
    static var needsGrammar: ConditionTrait {
        .enabled(
            if: GrammarParser.isAvailable,
            "sqlglot is not at hand: set ALLOT_SQL_PYTHON to a Python with the packages of requirements.txt")
    }
}
