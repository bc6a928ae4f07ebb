import AllotConfiguration
import Foundation
import TestSupport

@testable import AllotSQL

/// A real engine that says whether patterns in its own syntax occur in texts.
struct PatternEngine {
    let syntax: PatternSyntax
    private let arguments: [String]

    /// A Python that has PyPI's pyspark and psycopg.
    static let python = ProcessInfo.processInfo.environment["ALLOT_SQL_PYTHON"]
    /// How psycopg connects to a database of PostgreSQL whose encoding is UTF-8.
    static let postgresqlConnection = ProcessInfo.processInfo.environment["ALLOT_SQL_POSTGRES"]

    static let java = PatternEngine(syntax: .java, arguments: ["java"])
    static let postgresql = PatternEngine(
        syntax: .postgresql, arguments: ["postgresql", postgresqlConnection ?? ""])

    struct Question {
        let pattern: String
        let texts: [String]
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The engine's answers: for each question, and for each text of it, whether the pattern occurs.
    func answers(to questions: [Question]) throws -> [[Bool]] {
        let folder = try TemporaryFolder()
        var lines: [UInt8] = []
        for question in questions {
            let texts = JSONValue.array(question.texts.map(JSONValue.string))
            let line: JSONValue = ["pattern": .string(question.pattern), "texts": texts]
            lines += line.canonicalBytes + [0x0a]
        }
        try folder.write(lines, to: "questions")
        try folder.write("", to: "answers")
        try folder.write("", to: "errors")
        try run(in: folder)
        let output = Data(try folder.text("answers").utf8)
        return try zip(questions, output.split(separator: 0x0a)).map { question, line in
            let answer = try JSONValue(parsing: Array(line))
            guard case .object(let members) = answer, case .array(let values) = members["answers"] else {
                throw Failure(description: "\(question.pattern): \(String(decoding: line, as: UTF8.self))")
            }
            return values.map { $0 == true }
        }
    }

    private func run(in folder: TemporaryFolder) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Engines/patterns.py")
        let files = try [
            FileHandle(forReadingFrom: URL(filePath: folder.path("questions"))),
            FileHandle(forWritingTo: URL(filePath: folder.path("answers"))),
            FileHandle(forWritingTo: URL(filePath: folder.path("errors"))),
        ]
        defer { for file in files { try? file.close() } }
        let process = Process()
        process.executableURL = URL(filePath: Self.python ?? "/usr/bin/python3")
        process.arguments = [script.standardizedFileURL.path] + arguments
        process.standardInput = files[0]
        process.standardOutput = files[1]
        process.standardError = files[2]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: try folder.text("errors")) }
    }
}
