import TestSupport
import Testing

@testable import AllotSQL

/// Hostile literals and names mean to engines what they were made of.
struct LiteralCheck {
    private static let count = 300
    /// The number of literals in one statement.
    private static let batch = 40

    func check(_ name: EngineName) throws {
        let engine = try Engine(name)
        let syntax = try #require(Dialect(rawValue: name.rawValue)).syntax
        var strings = HostileStrings(seed: 11)
        let texts = HostileStrings.classics + ["\0", "a\0b"] + (0..<Self.count).map { _ in strings.next() }
        let literals = try asked(texts, of: engine, syntax.literal, asText: true)
        #expect(literals > 400)
        // PostgreSQL cuts longer ones off.
        let short = HostileStrings.classics + (0..<Self.count).map { _ in strings.next(limit: 63) }
        let names = try asked(short, of: engine, syntax.quoted(name:), asText: false)
        #expect(names > 200)
    }

    /// Selects what texts are written as; returns how many could be.
    private func asked(
        _ texts: [String], of engine: Engine, _ written: (String) throws(Unsupported) -> String,
        asText isText: Bool
    ) throws -> Int {
        var asked: [(text: String, expression: String)] = []
        for text in texts {
            guard let expression = try? written(text) else { continue }
            asked.append((text, expression))
        }
        for start in stride(from: 0, to: asked.count, by: Self.batch) {
            let part = asked[start..<min(asked.count, start + Self.batch)]
            let list = part.enumerated().map {
                isText ? "\($0.element.expression) AS c\($0.offset)" : "1 AS \($0.element.expression)"
            }
            let rows = try engine.rows("SELECT \(list.joined(separator: ", "))")
            let answers = isText ? try #require(rows.values.first) : rows.columns
            #expect(answers.count == part.count)
            for (answer, (text, expression)) in zip(answers, part) {
                #expect(
                    answer.map { Array($0.utf8) } == Array(text.utf8),
                    "\(text.debugDescription) as \(expression) is \(answer.debugDescription)")
            }
        }
        return asked.count
    }
}
