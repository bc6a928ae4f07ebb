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

    /// Experiments that differ in their audiences alone, from a table: the name, both audiences and the near miss. A
    /// row goes on in lines that begin with "|".
    static func audiences(_ table: String) -> [ConflictPair] {
        table.replacing("\n| ", with: " | ").split(separator: "\n").map { row in
            let cells = row.split(separator: " | ").map(String.init)
            precondition(cells.count == 4, "\(row)")
            let audiences = cells.dropFirst().map { "audience: { \($0) }" }
            return ConflictPair(cells[0], audiences[0], audiences[1], nearMiss: audiences[2])
        }
    }

    var testDescription: String { name }

    /// Expects no problem at all of the pair, and one conflict of the near miss, whichever experiment comes first.
    func check(with others: Files = [:]) {
        for (one, other) in [("a", "b"), ("b", "a")] {
            let apart =
                Files.base + others
                + ["\(one).yaml": experiment(first), "\(other).yaml": experiment(second)]
            #expect(DefinitionsLoader.fixed.lines(of: apart).filter { $0.contains(" error: ") } == [])
            let together =
                Files.base + others
                + ["\(one).yaml": experiment(first), "\(other).yaml": experiment(nearMiss)]
            #expect(Self.conflicts(in: together).count == 1)
        }
    }

    static func conflicts(in files: Files) -> [DefinitionProblem] {
        DefinitionsLoader.fixed.problems(in: files).filter { $0.message.hasPrefix("conflict: ") }
    }
}
