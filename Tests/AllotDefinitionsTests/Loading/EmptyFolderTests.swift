import AllotDefinitions
import TestSupport
import Testing

struct EmptyFolderTests {
    private func lines(_ folder: TemporaryFolder, _ limits: DefinitionLimits = DefinitionLimits()) -> [String] {
        do {
            return try DefinitionsLoader(now: DefinitionsLoader.fixed.now, limits: limits).load(folder: folder.path)
                .warnings.map { $0.description.replacing(folder.path, with: "F") }
        } catch {
            return error.description.replacing(folder.path, with: "F").split(separator: "\n").map(String.init)
        }
    }

    private static let problem =
        "F: error: the folder defines no setting and no experiment, so every unit would get an empty configuration; "
        + "put its files back, name another folder, or add allow_empty if that is intended"

    /// Folders that lost what matters.
    private static let files: [Files] = [
        [:], ["layers.yaml": "main: {}", "holdouts.yaml": "h: { share: 1% }"], ["base.yaml": "config_sections: {}"],
        ["base.json": #"{"config_sections": {"Shop": {"settings": {}}}}"#], ["README.md": "no definition"],
    ]

    @Test("A folder that defines no setting and no experiment is an error", arguments: files)
    func emptyFolders(_ files: Files) throws {
        let folder = try TemporaryFolder()
        for (name, text) in files { _ = try folder.write(text, to: name) }
        #expect(lines(folder).last == Self.problem)
        #expect(lines(folder).count { $0.contains("error") } == 1)
        var limits = DefinitionLimits()
        limits.allowsEmpty = true
        #expect(lines(folder, limits).allSatisfy { $0.contains(": warning: ") })
    }

    @Test("Either a setting or an experiment is enough")
    func halfFolders() throws {
        for files in [Files.base, ["e.yaml": "status: draft\nvariants: [{ key: a }]"]] {
            let folder = try TemporaryFolder()
            for (name, text) in files { _ = try folder.write(text, to: name) }
            #expect(lines(folder) == [])
        }
    }

    /// Without the base its settings are unknown, which is an error where experiments override them.
    @Test("A folder that lost its base is an error if an experiment overrides a setting")
    func lostBase() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(experiment("traffic: 50%"), to: "color.yaml")
        #expect(lines(folder).contains { $0.contains("F/color.yaml:") && $0.contains("error") })
    }

    @Test("Other errors are reported without this one")
    func otherErrors() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("status: draft\nvariants: []", to: "e.yaml")
        #expect(!lines(folder).isEmpty)
        #expect(!lines(folder).contains(Self.problem))
        let misnamed = try TemporaryFolder()
        _ = try misnamed.write("", to: "BASE.YAML")
        #expect(lines(misnamed).count == 2)
        #expect(lines(misnamed).contains(Self.problem))
    }

    @Test("Definitions in memory may be empty")
    func memory() throws {
        #expect(try DefinitionsLoader.fixed.load([]).plan.experiments.isEmpty)
    }
}
