import Foundation
import GRDB
import Testing

@testable import AllotExposures

struct OpeningTests {
    private func expectRefusal(of path: String, containing text: String) {
        do {
            _ = try ExposureStore(path)
            Issue.record("\(path) was opened")
        } catch {
            guard case .cannotOpen(let message) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(message.contains(path))
            #expect(message.contains(text))
        }
    }

    @Test("A file with a newer schema is refused and not changed")
    func aNewerSchemaIsRefusedAndNotChanged() async throws {
        let temporary = try TemporaryStore()
        _ = try await temporary.store.record([Exposure(unit: "u", experiment: "e", variant: "v", at: 0)])
        try await temporary.execute("INSERT INTO grdb_migrations (identifier) VALUES ('2 later')")
        await temporary.store.shutdown()
        expectRefusal(of: temporary.path, containing: "newer version")
        let queue = try DatabaseQueue(path: temporary.path)
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM exposure") } == 1)
    }

    @Test("The file of another program is refused and not changed")
    func theFileOfAnotherProgramIsRefused() async throws {
        let temporary = try TemporaryStore()
        let path = temporary.folder.appending(path: "other.sqlite").path
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE mine (a)") }
        let bytes = try Data(contentsOf: URL(filePath: path))
        expectRefusal(of: path, containing: "another program")
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path)
                .filter { $0.hasPrefix("other") } == ["other.sqlite"])
    }

    @Test("A file that is not a database is refused")
    func aFileThatIsNotADatabaseIsRefused() throws {
        let temporary = try TemporaryStore()
        let text = temporary.folder.appending(path: "text.txt")
        try Data(repeating: 65, count: 10_000).write(to: text)
        expectRefusal(of: text.path, containing: "not an SQLite file")
        expectRefusal(of: temporary.folder.path, containing: "folder")
        expectRefusal(of: temporary.folder.appending(path: "none/exposures.sqlite").path, containing: "folder exists")
        expectRefusal(of: ":memory:", containing: ":memory:")
    }

    @Test("A closed store leaves one file")
    func aClosedStoreLeavesOneFile() async throws {
        let temporary = try TemporaryStore()
        _ = try await temporary.store.record([Exposure(unit: "u", experiment: "e", variant: "v", at: 0)])
        _ = try await temporary.store.units(of: "e")
        await temporary.store.shutdown()
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path) == ["exposures.sqlite"])
    }
}
