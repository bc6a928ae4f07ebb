import Foundation
import TestSupport
import Testing

@testable import AllotClient

@Suite(.blocks) struct UserDefaultsStoreTests {
    #if os(Linux)
        /// Each process reads what the one before it wrote, in a home folder of its own.
        @Test("A store keeps records between runs of the app, and each suite has its own")
        func recordsAreKeptBetweenRuns() throws {
            let home = try TemporaryFolder()
            func run(_ suite: String) throws -> [String] {
                try ProbeRun(
                    "client-store-probe", ["defaults", suite],
                    environment: [
                        "HOME": home.path, "CFFIXED_USER_HOME": home.path, "XDG_CONFIG_HOME": home.path("config"),
                    ]
                ).lines()
            }
            #expect(try run("com.example.a") == ["0", "1", "1", "0"])
            #expect(try run("com.example.a") == ["1", "2", "2", "0"])
            #expect(try run("com.example.b") == ["0", "1", "1", "0"])
            #expect(try run("com.example.a").first == "2")
        }
    #endif

    private static func failure(_ operation: () throws(StoreError) -> Void) -> StoreError? {
        do throws(StoreError) {
            try operation()
            return nil
        } catch { return error }
    }

    @Test("Values that are no records, and records that are too large, are errors that name no user")
    func faultsNameNoUser() throws {
        let suite = "allot-tests-\(UUID().uuidString)"
        let store = UserDefaultsStore(suite: suite)
        let record = StoreRecord(.active, user: "secret")
        #expect(try store.read(record) == nil)
        let tooLarge = Self.failure { () throws(StoreError) in
            try store.write([UInt8](repeating: 0, count: UserDefaultsStore.sizeLimit + 1), record)
        }
        #expect(
            tooLarge?.description == """
                the user defaults of \(suite): the record active cannot be written: 262145 bytes are more than the \
                limit of 262144; store less, or use a FileStore
                """)
        #expect(tooLarge?.kind == .unwritable)
        // Kept in memory: only saving writes to the disk.
        UserDefaults(suiteName: suite)?.set("text", forKey: UserDefaultsStore.key(record))
        let other = Self.failure { () throws(StoreError) in _ = try store.read(record) }
        #expect(other?.description == "the user defaults of \(suite): the record active is not data; remove it")
        UserDefaults(suiteName: suite)?.removeObject(forKey: UserDefaultsStore.key(record))
    }

    @Test("Files that settings name, and the list of those, are kept in files")
    func filesAreKeptInFiles() throws {
        let (folder, suite) = (try TemporaryFolder(), "allot-tests-\(UUID().uuidString)")
        defer { withExtendedLifetime(folder) {} }
        let files = FileStore(folder: URL(filePath: folder.path))
        let store = UserDefaultsStore(suite: suite, files: files)
        let bytes = [UInt8](repeating: 7, count: UserDefaultsStore.sizeLimit + 1)
        for record in [StoreRecord.file(FileChecksum.sha256(bytes)), StoreRecord(.files, user: nil)] {
            try store.write(bytes, record)
            #expect(try store.read(record) == bytes)
            #expect(try files.read(record) == bytes)
            #expect(UserDefaults(suiteName: suite)?.object(forKey: UserDefaultsStore.key(record)) == nil)
            try store.remove(record)
            #expect(try files.read(record) == nil)
        }
    }

    @Test("Exposures wait in the folder of the app or of the suite")
    func exposuresWaitInFiles() {
        let folder = FileStore(app: "com.example.shop").exposureFolder
        #expect(folder != nil)
        #expect(UserDefaultsStore(suite: "com.example.shop").exposureFolder == folder)
        #expect(UserDefaultsStore().exposureFolder != nil)
    }
}
