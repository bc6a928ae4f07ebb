import Foundation
import TestSupport
import Testing

@testable import AllotFiles

struct DurableFolderTests {
    private let parent: TemporaryFolder
    private let folder: DurableFolder

    init() throws {
        parent = try TemporaryFolder()
        folder = DurableFolder(path: parent.path("a/b"))
    }

    @Test("The first file creates the folder and its parents for the current user only")
    func theFirstFileCreatesTheFolder() throws {
        #expect(folder.names() == [])
        try folder.write([1, 2, 3], to: "file")
        #expect(try parent.mode("a") == 0o700 && parent.mode("a/b") == 0o700)
        #expect(try parent.mode("a/b/file") == 0o600)
        #expect(try folder.read("file", limit: 3) == [1, 2, 3])
        #expect(folder.names() == ["file"])
    }

    @Test("A file is replaced as a whole, and removed")
    func aFileIsReplacedAndRemoved() throws {
        try folder.write(Array(repeating: 7, count: 200_000), to: "file")
        try folder.write([], to: "file")
        #expect(try folder.read("file", limit: 10) == [])
        try folder.remove("file")
        #expect(folder.names() == [])
        let error = #expect(throws: SystemError.self) { try folder.remove("file") }
        #expect(error?.isAbsence == true && error?.path == parent.path("a/b/file"))
    }

    @Test("A file that is longer than the limit is not read")
    func aFileThatIsTooLongIsNotRead() throws {
        try folder.write(Array(repeating: 7, count: 70_000), to: "file")
        #expect(try folder.read("file", limit: 69_999) == nil)
        #expect(try folder.read("file", limit: 70_000)?.count == 70_000)
    }

    @Test("Anything that is not a regular file is an error, and a pipe does not make the reader wait")
    func onlyRegularFilesAreRead() throws {
        try folder.create()
        try #require(mkfifo(parent.path("a/b/pipe"), 0o600) == 0)
        #expect(throws: SystemError.self) { try folder.read("pipe", limit: 10) }
    }

    @Test("A lock that is given up does not stay with a copy of the descriptor, as a process that is started has one")
    func aCopyDoesNotKeepTheLock() throws {
        try folder.write([], to: "file")
        func open() throws -> FileDescriptor { try FileDescriptor(opening: folder.path(of: "file"), O_RDWR) }
        let first = try open()
        let second = try open()
        #expect(try first.lock())
        let copy = dup(first.number)
        defer { close(copy) }
        #expect(try !second.lock())
        first.unlock()
        #expect(try second.lock())
    }

    @Test("Temporary files are removed unless a writer has locked them, and other files stay")
    func leftoversAreRemoved() throws {
        try folder.create()
        let (left, busy) = (DurableFolder.temporaryName(), DurableFolder.temporaryName())
        for name in [left, busy, ".hidden", "file"] { try parent.write("x", to: "a/b/\(name)") }
        let writer = try FileDescriptor(opening: folder.path(of: busy), O_WRONLY)
        #expect(try writer.lock())
        folder.removeLeftovers()
        #expect(folder.names().sorted() == [busy, ".hidden", "file"].sorted())
    }

    @Test("Names of temporary files are recognised and no others")
    func temporaryNamesAreRecognised() {
        for _ in 0..<100 { #expect(DurableFolder.isTemporary(DurableFolder.temporaryName())) }
        for name in [
            ".temporary", ".0123456789abcdeg.temporary", "x0123456789abcdef.temporary", ".0123456789abcdef.temporar",
        ] {
            #expect(!DurableFolder.isTemporary(name))
        }
    }

    @Test("Two paths to one file have one identity, and a file that does not exist has that of its place")
    func identitiesAreThoseOfFiles() throws {
        try folder.write([1], to: "file")
        symlink("file", folder.path(of: "link"))
        let identity = try #require(FileIdentity(path: folder.path(of: "file")))
        #expect(FileIdentity(path: folder.path(of: "link")) == identity)
        #expect(FileIdentity(path: folder.path + "/../b/file") == identity)
        #expect(FileIdentity(path: folder.path(of: "new")) == FileIdentity(path: folder.path + "/./new"))
        #expect(FileIdentity(path: folder.path(of: "new")) != identity)
        #expect(FileIdentity(path: folder.path) == nil)
        #expect(FileIdentity(path: parent.path("none/file")) == nil)
    }
}
