import AllotDefinitions
import TestSupport
import Testing

struct EmptyFolderTests {
    private static let problem =
        "error: the folder defines no setting and no experiment, so every unit would get an empty configuration; put "
        + "its files back, name another folder, or add allow_empty if that is intended"

    /// Folders that lost what matters.
    private static let files: [Files] = [
        [:], ["layers.yaml": "main: {}", "holdouts.yaml": "h: { share: 1% }"], ["base.yaml": "config_sections: {}"],
        ["base.json": #"{"config_sections": {"Shop": {"settings": {}}}}"#], ["README.md": "no definition"],
    ]

    @Test("A folder that defines no setting and no experiment is an error", arguments: files)
    func emptyFolders(_ files: Files) throws {
        let folder = try TemporaryFolder(files)
        var loader = DefinitionsLoader.fixed
        #expect(loader.lines(in: folder).last == "\(folder.path): \(Self.problem)")
        #expect(loader.lines(in: folder).count { $0.contains("error") } == 1)
        loader.limits.allowsEmpty = true
        #expect(loader.lines(in: folder).allSatisfy { $0.contains(": warning: ") })
    }

    @Test(
        "Either a setting or an experiment is enough",
        arguments: [Files.base, ["e.yaml": experiment("variants: [{ key: a }]")]])
    func halfFolders(_ files: Files) throws {
        #expect(try DefinitionsLoader.fixed.lines(in: TemporaryFolder(files)) == [])
    }

    /// Without the base its settings are unknown, which is an error where experiments override them.
    @Test("A folder that lost its base is an error if an experiment overrides a setting")
    func lostBase() throws {
        let lines = try DefinitionsLoader.fixed.lines(in: TemporaryFolder(["color.yaml": experiment("traffic: 50%")]))
        #expect(lines.contains { $0.hasPrefix("color.yaml:") && $0.contains("error") })
    }

    @Test(
        "Other errors are reported without this one, and misnamed files with it",
        arguments: [(["e.yaml": "status: draft\nvariants: []"], 1, false), (["BASE.YAML": ""], 2, true)]
            as [(Files, Int, Bool)])
    func otherErrors(files: Files, count: Int, hasProblem: Bool) throws {
        let lines = try DefinitionsLoader.fixed.lines(in: TemporaryFolder(files))
        #expect(lines.count == count)
        #expect(lines.contains { $0.hasSuffix(Self.problem) } == hasProblem)
    }

    @Test("Definitions in memory may be empty")
    func memory() throws {
        #expect(try DefinitionsLoader.fixed.load([]).plan.experiments.isEmpty)
    }
}
