import GRDB
import TestSupport
import Testing

@testable import AllotExposures

struct OpeningTests {
    private func expectRefusal(of path: String, containing text: String) {
        expectCannotOpen(path, text) { _ = try ExposureStore(path) }
    }

    @Test("A file with a newer schema is refused and not changed")
    func aNewerSchemaIsRefusedAndNotChanged() async throws {
        let temporary = try TemporaryStore()
        _ = try await temporary.store.record([Exposure()])
        try await temporary.execute("INSERT INTO grdb_migrations (identifier) VALUES ('2 later')")
        await temporary.store.shutdown()
        expectRefusal(of: temporary.path, containing: "newer version")
        let queue = try DatabaseQueue(path: temporary.path)
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM exposure") } == 1)
    }

    @Test("The file of another program is refused and not changed")
    func theFileOfAnotherProgramIsRefused() async throws {
        let temporary = try TemporaryStore()
        let path = temporary.folder.path("other.sqlite")
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE mine (a)") }
        let bytes = try temporary.folder.bytes("other.sqlite")
        expectRefusal(of: path, containing: "another program")
        #expect(try temporary.folder.bytes("other.sqlite") == bytes)
        #expect(try temporary.folder.names().filter { $0.hasPrefix("other") } == ["other.sqlite"])
    }

    @Test("A file that is not a database is refused")
    func aFileThatIsNotADatabaseIsRefused() throws {
        let folder = try TemporaryFolder()
        let text = try folder.write(String(repeating: "A", count: 10_000), to: "text.txt")
        expectRefusal(of: text, containing: "not an SQLite file")
        expectRefusal(of: folder.path, containing: "folder")
        expectRefusal(of: folder.path("none/exposures.sqlite"), containing: "folder exists")
        expectRefusal(of: ":memory:", containing: ":memory:")
    }

    @Test("A closed store leaves one file")
    func aClosedStoreLeavesOneFile() async throws {
        let temporary = try TemporaryStore()
        _ = try await temporary.store.record([Exposure()])
        _ = try await temporary.store.units(of: "e")
        await temporary.store.shutdown()
        #expect(try temporary.folder.names() == ["exposures.sqlite"])
    }
}
