import Foundation
import TestSupport
import Testing

@testable import AllotClient

struct FileStoreTests {
    static let record = StoreRecord(.active, user: "jane")

    @Test("A store returns what was written, until it is removed")
    func recordsAreKept() throws {
        let temporary = try TemporaryFolder()
        let folder = URL(filePath: temporary.path("a/b"))
        let store = FileStore(folder: folder)
        #expect(try store.read(Self.record) == nil)
        try store.remove(Self.record)
        #expect(try temporary.names() == [])
        try store.write([1, 2, 3], Self.record)
        #expect(try temporary.mode("a") == 0o700)
        #expect(try temporary.mode("a/b") == 0o700)
        #expect(try temporary.mode("a/b/active.user-jane") == 0o600)
        #expect(try FileStore(folder: folder).read(Self.record) == [1, 2, 3])
        try store.write([], Self.record)
        #expect(try store.read(Self.record) == [])
        try store.remove(Self.record)
        #expect(try store.read(Self.record) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path("a/b")) == [])
    }

    /// The failures to read, to write and to remove a record.
    private static func failures(_ store: FileStore, _ record: StoreRecord = Self.record) -> [StoreError?] {
        [
            failure { _ = try store.read(record) }, failure { try store.write([1], record) },
            failure { try store.remove(record) },
        ]
    }

    /// The folder of the store, and what the errors say; nothing is read where nothing can be.
    @Test(
        "A folder that cannot be created, or has another form of URL, is an error",
        arguments: [
            ("file/store", "Not a directory; a part of the path is a file"), ("https://example.org/a", ""),
            ("file:///tmp/a%00b", ""), ("data:,a", ""),
        ])
    func aFolderThatCannotBeMadeIsAnError(place: String, message: String) throws {
        let temporary = try TemporaryFolder(["file": ""])
        let url = place.contains(":") ? try #require(URL(string: place)) : URL(filePath: temporary.path(place))
        let failures = Self.failures(FileStore(folder: url))
        #expect(failures.map { $0?.kind } == [.unreadable, .unwritable, .unwritable])
        for failure in failures where !message.isEmpty { #expect(failure?.description.contains(message) == true) }
        let system = FileStore(folder: URL(filePath: "/proc/allot/store"))
        let failure = Self.failure { try system.write([1], Self.record) }
        #expect(failure?.kind == .unwritable)
        #expect(failure?.description.hasPrefix("/proc/allot/store: the record active cannot be written: ") == true)
        #expect(try system.read(Self.record) == nil)
    }

    @Test("A pipe in place of a record is an error")
    func aPipeInPlaceOfARecordIsAnError() throws {
        let temporary = try TemporaryFolder()
        #expect(mkfifo(temporary.path("active.user-jane"), 0o600) == 0)
        let store = FileStore(folder: URL(filePath: temporary.path))
        #expect(Self.failure { _ = try store.read(Self.record) }?.kind == .unreadable)
        try store.write([1], Self.record)
        #expect(try store.read(Self.record) == [1])
    }

    @Test("Records that are too large are neither read nor written")
    func recordsThatAreTooLargeAreNotRead() throws {
        let temporary = try TemporaryFolder()
        let path = try temporary.write([], to: "active.user-jane")
        let store = FileStore(folder: URL(filePath: temporary.path))
        // Sparse: it takes no space.
        #expect(truncate(path, FileStore.sizeLimit) == 0)
        #expect(try store.read(Self.record)?.count == FileStore.sizeLimit)
        #expect(truncate(path, FileStore.sizeLimit + 1) == 0)
        let failure = try #require(Self.failure { _ = try store.read(Self.record) })
        #expect(failure.description == "\(temporary.path): the record active has more than 67108864 bytes; remove it")
        let unwritten = Self.failure {
            try store.write(.init(repeating: 0, count: FileStore.sizeLimit + 1), Self.record)
        }
        #expect(
            unwritten?.description == """
                \(temporary.path): the record active cannot be written: 67108865 bytes are more than the limit of \
                67108864; store less
                """)
        // Files that do not know their length are cut as well.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/proc/self/maps")
        #expect(try store.read(Self.record)?.isEmpty == false)
    }

    @Test(
        "Errors name the folder and the kind of the record, and no user", arguments: StoreRecord.Kind.ofUsers,
        ["secret", "Secret", String(repeating: "secret", count: 40)])
    func errorsNameNoUser(kind: StoreRecord.Kind, user: String) throws {
        let record = StoreRecord(kind, user: user)
        let temporary = try TemporaryFolder()
        let name = StoreFileName.name(record)
        try FileManager.default.createDirectory(atPath: temporary.path(name), withIntermediateDirectories: false)
        // A folder in place of the record, and a file in place of the folder.
        for path in [temporary.path, try temporary.write("", to: "file")] {
            for failure in Self.failures(FileStore(folder: URL(filePath: path)), record) {
                let text = try #require(failure).description
                #expect(text.hasPrefix("\(path): the record \(kind.rawValue) cannot be "))
                #expect(!text.contains("ecret"))
                #expect(!text.contains(name))
            }
        }
        #expect(Set(try temporary.names()) == [name, "file"])
    }

    @Test("Only temporary files of killed processes are removed")
    func leftoversAreRemovedAndNothingElse() throws {
        let temporary = try TemporaryFolder()
        let others = [
            ".0123456789abcdef.temporary.x", ".hidden", "notes.temporary", ".temporary", ".0123456789abcdeg.temporary",
            "x0123456789abcdef.temporary", ".0123456789abcdef.temporar",
        ]
        for name in others + [".0123456789abcdef.temporary", ".00000000000000ff.temporary"] {
            try temporary.write("x", to: name)
        }
        // One that another writer has open and locked.
        let busy = try temporary.write("x", to: ".aaaaaaaaaaaaaaaa.temporary")
        let writer = try FileHandle(forWritingTo: URL(filePath: busy))
        #expect(flock(writer.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        let folder = URL(filePath: temporary.path)
        try FileStore(folder: folder).write([1], Self.record)
        #expect(try temporary.names() == ([".aaaaaaaaaaaaaaaa.temporary", "active.user-jane"] + others).sorted())
        try writer.close()
        try FileStore(folder: folder).write([1], Self.record)
        #expect(try temporary.names() == (["active.user-jane"] + others).sorted())
    }

    @Test("Threads can write concurrently")
    func threadsWriteAtOnce() async throws {
        let temporary = try TemporaryFolder()
        let folder = URL(filePath: temporary.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let store = FileStore(folder: folder)
                    for _ in 0..<20 {
                        try store.write([UInt8](repeating: UInt8(task), count: 10_000), Self.record)
                        let bytes = try store.read(Self.record)
                        #expect(bytes?.count == 10_000)
                        #expect(Set(bytes ?? []).count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try temporary.names() == ["active.user-jane"])
    }

    @Test("Any app name becomes the name of one folder")
    func namesOfAppsAreNamesOfFolders() {
        for (app, name) in [
            ("My App", "My App"), ("org.example.app", "org.example.app"), ("../x", "%2e.%2fx"), (".", "%2e"), ("", "%"),
            ("a%2fb", "a%252fb"), ("a\0b", "a%00b"),
        ] {
            #expect(FileStore.folderName(app) == name)
        }
        #expect(FileStore(app: "a/b").folder.path.hasSuffix("/a%2fb/configuration"))
    }

    static func failure(_ body: () throws -> Void) -> StoreError? {
        do {
            try body()
            return nil
        } catch { return error as? StoreError }
    }
}
