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

    /// Experiments that differ in their audiences alone.
    init(audiences name: String, _ first: String, _ second: String, nearMiss: String) {
        self.init(name, "audience: { \(first) }", "audience: { \(second) }", nearMiss: "audience: { \(nearMiss) }")
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
