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
