import AllotDefinitions
import Testing

/// Two experiments that cannot meet, and a second one, nearly the same, that meets the first.
struct ConflictPair: Sendable, CustomTestStringConvertible {
    let name: String
    let first: String
    let second: String
    let nearMiss: String

    init(_ name: String, _ first: String, _ second: String, nearMiss: String) {
        (self.name, self.first, self.second, self.nearMiss) = (name, first, second, nearMiss)
    }

    /// The pairs of a table: the name, both experiments and the near miss, with "⏎" for line feeds. A row goes on in
    /// lines that begin with "|".
    static func table(_ table: String) -> [ConflictPair] {
        table.replacing("\n| ", with: " | ").split(separator: "\n").map { row in
            let cells = row.replacing("⏎", with: "\n").split(separator: " | ").map(String.init)
            precondition(cells.count == 4, "\(row)")
            return ConflictPair(cells[0], cells[1], cells[2], nearMiss: cells[3])
        }
    }

    /// Experiments that differ in their audiences alone, from a table.
    static func audiences(_ text: String) -> [ConflictPair] {
        func audience(_ tests: String) -> String { "audience: { \(tests) }" }
        return table(text).map {
            ConflictPair($0.name, audience($0.first), audience($0.second), nearMiss: audience($0.nearMiss))
        }
    }

    var testDescription: String { name }

    /// Expects no problem at all of the pair, and one conflict of the near miss, whichever experiment comes first.
    func check(with others: Files = [:]) {
        for (one, other) in [("a", "b"), ("b", "a")] {
            let apart = Files.base + others + ["\(one).yaml": experiment(first), "\(other).yaml": experiment(second)]
            #expect(DefinitionsLoader.fixed.lines(of: apart).filter { $0.contains(" error: ") } == [])
            let together =
                Files.base + others + ["\(one).yaml": experiment(first), "\(other).yaml": experiment(nearMiss)]
            #expect(Self.conflicts(in: together).count == 1)
        }
    }

    static func conflicts(in files: Files) -> [DefinitionProblem] {
        DefinitionsLoader.fixed.problems(in: files).filter { $0.message.hasPrefix("conflict: ") }
    }
}
