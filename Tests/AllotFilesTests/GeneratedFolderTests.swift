import Foundation
import TestSupport
import Testing

@testable import AllotFiles

/// A folder that is replaced as a whole, and never more than what was written before.
struct GeneratedFolderTests {
    private let parent: TemporaryFolder
    private let path: String

    init() throws {
        parent = try TemporaryFolder()
        path = parent.path("site")
    }

    private func write(_ files: [String: String]) throws {
        let files = files.sorted { $0.key < $1.key }.map { (path: $0.key, bytes: Array($0.value.utf8)) }
        try GeneratedFolder(path, of: "maker").replace(with: files)
    }

    private func names(_ folder: String = "site") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: parent.path(folder)).sorted()
    }

    @Test("A folder is made, and made anew without what is gone")
    func replacing() throws {
        try write(["index.html": "1", "a/x.html": "x", "a/y.html": "y"])
        #expect(try names() == [".maker", "a", "index.html"])
        #expect(try names("site/a") == ["x.html", "y.html"])
        try write(["index.html": "2", "b/x.html": "x"])
        #expect(try names() == [".maker", "b", "index.html"])
        #expect(try parent.text("site/index.html") == "2")
        #expect(try parent.names() == ["site"])
    }

    @Test("A folder keeps its mode", arguments: [0o700, 0o750])
    func modes(mode: Int) throws {
        try write(["index.html": "1"])
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        for text in ["2", "3"] {
            try write(["index.html": text])
            #expect(try parent.mode("site") == mode)
            #expect(try parent.text("site/index.html") == text)
        }
    }

    @Test("An empty folder is taken, and a link to a folder stays one")
    func places() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try write(["index.html": "1"])
        let link = parent.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try GeneratedFolder(link + "/", of: "maker").replace(with: [(path: "index.html", bytes: [50])])
        #expect(try parent.text("site/index.html") == "2")
        #expect(throws: Never.self) { try FileManager.default.destinationOfSymbolicLink(atPath: link) }
        for place in [".", "/", parent.path(".")] {
            #expect(throws: GeneratedFolder.Failure.self) { try GeneratedFolder(place, of: "maker").replace(with: []) }
        }
    }

    @Test("A folder with another file is refused and unchanged", arguments: ["other.txt", "a/other.txt", "c/d"])
    func strangers(name: String) throws {
        try write(["index.html": "1", "a/x.html": "x"])
        if name.hasPrefix("c") {
            try FileManager.default.createDirectory(atPath: path + "/c", withIntermediateDirectories: true)
        }
        try parent.write("mine", to: "site/" + name)
        let error = #expect(throws: GeneratedFolder.Failure.self) { try write(["index.html": "2"]) }
        #expect(error?.description.contains(name.hasPrefix("c") ? "written here, c" : "written here, \(name)") == true)
        #expect(try parent.text("site/index.html") == "1")
        #expect(try parent.text("site/" + name) == "mine")
        #expect(try parent.names() == ["site"])
    }

    /// The name has more bytes than any file system allows.
    @Test("A folder that cannot be written is unchanged, and nothing else is left")
    func failure() throws {
        let long = String(repeating: "x", count: 300)
        for files in [["index.html": "2", long: "3"], ["index.html": "2", "a/\(long)": "3"]] {
            try write(["index.html": "1"])
            let error = #expect(throws: GeneratedFolder.Failure.self) { try write(files) }
            #expect(error?.description.hasPrefix("cannot write the folder \(path): ") == true)
            #expect(error?.description.hasSuffix("; write elsewhere with -o") == true)
            #expect(try parent.names() == ["site"])
            #expect(try parent.text("site/index.html") == "1")
        }
    }

    @Test("A list that names files elsewhere deletes none of them")
    func hostileLists() throws {
        try parent.write("mine", to: "precious")
        try write(["index.html": "1"])
        try parent.write("index.html\n../precious\n/etc/x\na/../../precious\n", to: "site/.maker")
        try write(["index.html": "2"])
        #expect(try parent.text("precious") == "mine")
        #expect(try parent.text("site/index.html") == "2")
    }

    @Test("What a killed run left is put right", arguments: [false, true])
    func leftovers(isGone: Bool) throws {
        try write(["index.html": "1", "a/x.html": "x"])
        let workshop = parent.path(".site.maker")
        try FileManager.default.createDirectory(atPath: workshop + "/new", withIntermediateDirectories: true)
        try parent.write("index.html\nb/y.html\n", to: ".site.maker/new/.maker")
        try parent.write("half", to: ".site.maker/new/index.html")
        // Killed between the two moves: the old folder is out of its place.
        if isGone { try FileManager.default.moveItem(atPath: path, toPath: workshop + "/old") }
        try write(["index.html": "2"])
        #expect(try parent.names() == ["site"])
        #expect(try names() == [".maker", "index.html"])
        #expect(try parent.text("site/index.html") == "2")
    }
}
