import AllotDefinitions
import Foundation
import TestSupport
import Testing

struct SampleFolderTests {
    private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Experiments").standardizedFileURL.path

    private func warnings(_ folder: String) throws -> [String] {
        try DefinitionsLoader.fixed.load(folder: folder).warnings.map { $0.description.replacing(folder, with: "F") }
    }

    @Test("The sample shop loads")
    func theShop() throws {
        #expect(
            try warnings(Self.samples) == [
                "F/hero-video.yaml:5:9: warning: the winner video should move into the base: copy its overrides there "
                    + "and delete this file (winner)"
            ])
    }

    @Test("The sample game loads")
    func theGame() throws {
        #expect(try warnings(Self.samples + "/games") == [])
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
