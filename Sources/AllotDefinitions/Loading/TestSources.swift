import AllotConfiguration

extension DefinitionsLoader {
    package static let testFolder = "tests"

    package func testContent(folder path: String) throws -> DefinitionsFolder.Content {
        try DefinitionsFolder.read(path, limits: limits)
    }

    /// The test files of a definitions folder, by the names that messages show. Throws if there are none, or if one
    /// cannot be read.
    package func testSources(
        in path: String, _ content: () throws -> DefinitionsFolder.Content
    ) throws(DefinitionsError) -> [DefinitionSource] {
        func problem(_ file: String, _ message: String) -> DefinitionProblem {
            DefinitionProblem(file: file, message).onOneLine
        }
        let found: DefinitionsFolder.Content
        do {
            found = try content()
        } catch DefinitionsError.folder(_, let reason) {
            throw .tests([problem(path, "cannot read the tests: \(reason); put test files such as checkout.yaml there")]
            )
        } catch { throw .tests([problem(path, "cannot read the tests: \(error)")]) }
        var problems = found.unread.map { problem(DefinitionsReading.shown($0.name, in: path), $0.message) }
        problems += found.lookalikes.filter { !found.folders.contains($0.name) }.map {
            problem(DefinitionsReading.shown($0.name, in: path), $0.message)
        }
        problems += found.folders.map { name in
            problem(
                DefinitionsReading.shown(name, in: path),
                "folders in the folder of tests are not read; move its files into \(path)")
        }
        if problems.isEmpty, found.sources.isEmpty {
            problems.append(problem(path, "the folder has no test files; put files such as checkout.yaml there"))
        }
        guard problems.isEmpty else { throw .tests(problems) }
        return found.sources.map { source in
            DefinitionSource(name: DefinitionsReading.shown(source.name, in: path), bytes: source.bytes)
        }
    }
}
