import AllotConfiguration
import TestSupport
import Testing

/// Random edits of the sample folders: mistakes that people make, and edits that are right.
struct PlausibleMistakeTests {
    private static let rounds = 12

    /// The effect of an edit, for a number of random places of each.
    private func problems(
        of edits: [PlausibleEdit], in folder: EditableFolder
    ) -> [(title: String, yaml: String, problems: [String])] {
        var results: [(title: String, yaml: String, problems: [String])] = []
        var seen: Set<String> = []
        for (index, edit) in edits.enumerated() {
            for round in 0..<Self.rounds {
                var generator = SeededGenerator(seed: index * 1000 + round)
                guard let files = edit.make(folder, &generator) else { break }
                let yaml = files.map { "\($0): \(EditableFolder.yaml($1))" }.sorted().joined(separator: "\n")
                guard seen.insert(edit.title + yaml).inserted else { continue }
                results.append((edit.title, yaml, folder.newProblems(files)))
            }
        }
        return results
    }

    @Test("At least 95 % of plausible mistakes get a message", arguments: EditableFolder.all)
    func mistakes(folder: EditableFolder) {
        let results = problems(of: PlausibleEdit.mistakes, in: folder)
        let silent = results.filter(\.problems.isEmpty)
        for miss in silent { print("no message: \(miss.title)\n  \(miss.yaml)") }
        print("\(folder.name): \(results.count - silent.count) of \(results.count) mistakes get a message")
        #expect(results.count > 150)
        #expect(silent.count * 20 <= results.count)
    }

    @Test("Plausible edits that are right get no message", arguments: EditableFolder.all)
    func rightEdits(folder: EditableFolder) {
        let results = problems(of: PlausibleEdit.rightEdits, in: folder)
        #expect(results.count > 60)
        for result in results { #expect(result.problems == [], "\(result.title): \(result.yaml)") }
    }
}
