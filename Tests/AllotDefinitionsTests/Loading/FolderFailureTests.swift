import AllotDefinitions
import Foundation
import TestSupport
import Testing

struct FolderFailureTests {
    private func failure(_ folder: String) -> String {
        do {
            _ = try DefinitionsLoader.fixed.load(folder: folder)
            return "loaded"
        } catch { return error.description }
    }

    @Test("A path that leads to no folder is reported")
    func noFolder() throws {
        let folder = try TemporaryFolder(["e.yaml": "status: draft"])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("round"), withDestinationPath: folder.path("round"))
        for (name, reason) in [
            ("none", "No such file or directory"), ("e.yaml", "Not a directory"),
            ("round", "Too many levels of symbolic links"),
        ] {
            #expect(
                failure(folder.path(name))
                    == "cannot read the definitions folder \(folder.path(name)): \(reason); name another folder")
        }
    }

    /// Each failing file is one line, and the others are read all the same.
    @Test("Each unreadable file gives one line, and the others are read", .mayHang)
    func filesThatCannotBeRead() throws {
        let folder = try TemporaryFolder()
        try folder.write("status: runing\nvariants: [{ key: a }]", to: "e.yaml")
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: folder.path("dangling.yaml"), withDestinationPath: folder.path("none.yaml"))
        try files.createSymbolicLink(atPath: folder.path("round.yaml"), withDestinationPath: folder.path("round.yaml"))
        #expect(mkfifo(folder.path("pipe.yaml"), 0o600) == 0)
        try folder.write(Array(repeating: UInt8(ascii: " "), count: 101), to: "large.json")
        try folder.write("status: draft\nvariants: [{ key: a }]", to: "two words.yaml")
        var loader = DefinitionsLoader.fixed
        loader.limits.fileBytes = 100
        #expect(
            loader.lines(in: folder) == [
                "dangling.yaml: error: this symbolic link points to nothing; fix or remove it",
                "e.yaml:1:9: error: unknown status \"runing\"; did you mean \"running\"? (status)",
                "large.json: error: the file has more than 100 bytes, and no more are read; split it or make it "
                    + "smaller",
                "pipe.yaml: error: this is not a regular file and is not read; remove it, or give it another ending",
                "round.yaml: error: this is a symbolic link loop; fix or remove it",
                "two words.yaml: error: the file name is not a valid experiment key; rename it to 1 to 64 letters, "
                    + "digits, " + "\".\", \"_\" and \"-\", the first a letter or digit",
            ])
    }

    @Test("Names that an unreadable file may define are not unknown")
    func whatCannotBeReadIsNotCalledUnknown() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "status: running\nlayer: main\nslots: [0%..<1%]\nrequires: { other: [a] }\naudience: { $segment: europe }\n"
                + "variants: [{ key: a, overrides: { Shop: { Color: blue } } }]", to: "e.yaml")
        for name in ["base", "layers", "segments", "other"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(name + ".yaml"), withDestinationPath: folder.path("none"))
        }
        #expect(
            DefinitionsLoader.fixed.lines(in: folder).map { $0.prefix { $0 != " " } } == [
                "base.yaml:", "layers.yaml:", "other.yaml:", "segments.yaml:",
            ])
    }

    @Test("A folder with the name of a definitions file is an error, and so is a link to a folder")
    func aFolderWithTheNameOfAFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("status: draft\nvariants: [{ key: a }]", to: "e.yaml")
        for name in ["other", "x.yaml"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "other")
        try FileManager.default.createSymbolicLink(atPath: folder.path("y.json"), withDestinationPath: "other")
        let reason =
            "error: this is a folder, not a file; give it a name without this ending, or put the file in its place"
        #expect(DefinitionsLoader.fixed.lines(in: folder) == ["x.yaml: \(reason)", "y.json: \(reason)"])
    }

    /// Nothing is forbidden to root.
    @Test("A file without read permission is reported", .enabled(if: geteuid() != 0, "root may read everything"))
    func aFileThatMayNotBeRead() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("status: draft\nvariants: [{ key: a }]", to: "e.yaml")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        #expect(
            DefinitionsLoader.fixed.lines(in: folder) == [
                "e.yaml: error: the file may not be read (permission denied); allow it, or remove the file"
            ])
    }
}
