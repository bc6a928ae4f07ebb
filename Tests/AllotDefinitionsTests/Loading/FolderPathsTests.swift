import AllotDefinitions
import TestSupport
import Testing

struct FolderPathsTests {
    @Test("Messages name files of the folder without its path")
    func cuts() throws {
        let folder = try TemporaryFolder()
        let paths = FolderPaths(folder.path)
        let name = folder.path.split(separator: "/").last ?? ""
        for (message, cut) in [
            ("\(folder.path)/a.yaml:1:2: error: x", "a.yaml:1:2: error: x"),
            ("cannot open \(folder.path): busy", "cannot open \(name): busy"),
            ("'\(folder.path)/tests/b.yaml' and \(folder.path)/c.yaml", "'tests/b.yaml' and c.yaml"),
            ("no path, and https://example.com/a", "no path, and https://example.com/a"), ("", ""),
        ] { #expect(paths.cut(from: message) == cut) }
        // A folder above may be that of the repository.
        let above = folder.path.split(separator: "/").dropLast().joined(separator: "/")
        #expect(!paths.cut(from: "fatal: /\(above)/.git/index.lock exists").contains("/\(above)/"))
    }

    @Test("Of a relative folder only the whole name counts")
    func relative() {
        let paths = FolderPaths("e")
        #expect(paths.cut(from: "e/a.yaml: the e/b.yaml, here/e/x") == "a.yaml: the b.yaml, here/e/x")
        #expect(FolderPaths(".").cut(from: "./a. b") == "./a. b")
    }
}
