import Testing

@testable import AllotDefinitions

struct ProblemTests {
    static func problem(
        _ line: Int?, _ column: Int = 1, file: String = "a.yaml", message: String = "m", path: String? = nil
    ) -> DefinitionProblem {
        let position = line.map { SourcePosition(line: $0, column: column) }
        return DefinitionProblem(severity: .error, file: file, position: position, message: message, path: path)
    }

    @Test("Problems are ordered by file, position and text")
    func order() {
        let sorted = [
            Self.problem(nil), Self.problem(1, 2), Self.problem(1, 10), Self.problem(2, message: "a"),
            Self.problem(2, message: "b"), Self.problem(2, message: "b", path: "p"), Self.problem(1, file: "b.yaml"),
        ]
        #expect(sorted.reversed().sorted() == sorted)
    }

    @Test("A list stops at one thousand errors and one thousand warnings, and says so")
    func listIsBounded() {
        var list = ProblemList(file: "f")
        for line in 1...3000 { list.add("m; fix", .warning, at: SourcePosition(line: line, column: 1)) }
        #expect(list.problems.count == 1001)
        #expect(list.problems.allSatisfy { $0.severity == .warning })
        #expect(list.problems.last?.message == "more than 1000 warnings, so the rest is not listed; fix these first")
        #expect([list.isFull(of: .warning), list.isFull(of: .error)] == [true, false])
        for line in 1...1000 { list.add("m; fix", at: SourcePosition(line: line, column: 1)) }
        #expect(list.problems.count == 2001)
        #expect(list.problems.last?.position?.line == 1000)
        for _ in 1...2 { list.add("m; fix", at: nil) }
        #expect(list.problems.count == 2002)
        #expect(list.problems.last?.severity == .error)
        #expect(list.problems.last?.message == "more than 1000 errors, so the rest is not listed; fix these first")
    }

    @Test("A folder with more warnings than are listed is loaded")
    func manyWarnings() throws {
        let tests = Array(repeating: "{ $or: [] }", count: 1500).joined(separator: ", ")
        let files = Files.base + ["e.yaml": experiment("audience: { $and: [\(tests)] }")]
        let warnings = try DefinitionsLoader.fixed.load(files.sources).warnings
        #expect(warnings.count == 1001)
    }
}
