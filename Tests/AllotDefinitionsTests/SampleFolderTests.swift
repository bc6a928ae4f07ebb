import AllotDefinitions
import Foundation
import TestSupport
import Testing

struct SampleFolderTests {
    private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Experiments").standardizedFileURL.path

    @Test("The sample shop loads, with a winner that should move into the base")
    func theShop() throws {
        let warnings = try DefinitionsLoader.fixed.load(folder: Self.samples).warnings
        #expect(
            warnings.map { $0.description.replacing(Self.samples, with: "F") } == [
                "F/hero-video.yaml:5:9: warning: the winner video should move into the base: copy its overrides there "
                    + "and delete this file (winner)"
            ])
    }

    @Test("The sample game loads without a warning")
    func theGame() throws {
        #expect(try DefinitionsLoader.fixed.load(folder: Self.samples + "/games").warnings.isEmpty)
    }

    @Test("A folder with one experiment loads")
    func aFolderLikeThem() throws {
        let folder = try TemporaryFolder(
            Files.base + [
                "color.yml": experiment("traffic: 50%\nstarts: 2026-01-01T00:00:00Z"),
                "size.json": #"{"status": "draft", "variants": [{"key": "a", "weight": 0}, {"key": "b"}]}"#,
                ".hidden.yaml": "status: nonsense", "color.yaml~": "status: nonsense", "README.md": "status: nonsense",
                "schema/other.yaml": "status: nonsense",
            ])
        #expect(
            DefinitionsLoader.fixed.lines(in: folder) == [
                "size.json:1:57: warning: the weight is 0; only forced units get a (variants[0].weight)"
            ])
    }
}
