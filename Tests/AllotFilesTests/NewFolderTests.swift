import Foundation
import TestSupport
import Testing

@testable import AllotFiles

/// A folder that is filled once, as a whole.
struct NewFolderTests {
    private let parent: TemporaryFolder

    init() throws { parent = try TemporaryFolder() }

    private func fill(_ name: String, _ files: [GeneratedFolder.File]) throws {
        try NewFolder.fill(parent.path(name), with: files, of: "maker")
    }

    private static let files: [GeneratedFolder.File] = [
        (path: "a", bytes: [1]), (path: "b/c", bytes: [2]), (path: "a", bytes: [3]),
    ]

    @Test("A folder that is new, empty or without a parent gets the last of each file", arguments: ["x", "y/", "p/q"])
    func filling(name: String) throws {
        if name == "y/" {
            try FileManager.default.createDirectory(atPath: parent.path(name), withIntermediateDirectories: false)
        }
        try fill(name, Self.files)
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path(name)).sorted() == ["a", "b"])
        #expect(try parent.bytes("\(name)/a") == [3])
        #expect(try parent.bytes("\(name)/b/c") == [2])
        #expect(try parent.names().count == 1)
        let error = #expect(throws: NewFolder.Failure.self) { try fill(name, Self.files) }
        #expect(error?.occupants == ["a", "b"])
    }

    /// The second name has more bytes than any file system allows.
    @Test("After a failure nothing is left", arguments: [false, true])
    func failures(exists: Bool) throws {
        if exists {
            try FileManager.default.createDirectory(atPath: parent.path("x"), withIntermediateDirectories: false)
        }
        let long = String(repeating: "x", count: 300)
        for path in [long, "d/\(long)"] {
            let error = #expect(throws: NewFolder.Failure.self) {
                try fill("x", [(path: "a", bytes: [1]), (path: path, bytes: [2])])
            }
            #expect(error?.error?.number == ENAMETOOLONG)
            #expect(error?.description.hasSuffix("; write elsewhere") == true)
            #expect(try parent.names() == (exists ? ["x"] : []))
            if exists { #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path("x")) == []) }
        }
    }

    @Test("A file in place of the folder, or of its parent, is named")
    func obstacles() throws {
        try parent.write("mine", to: "f")
        for name in ["f", "f/x"] {
            let error = #expect(throws: NewFolder.Failure.self) { try fill(name, Self.files) }
            #expect(
                error?.description
                    == "cannot write the folder \(parent.path(name)): \(parent.path("f")) is not a folder "
                    + "(Not a directory); write elsewhere")
        }
        #expect(try parent.text("f") == "mine")
    }
}
