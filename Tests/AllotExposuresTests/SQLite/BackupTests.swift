import Foundation
import GRDB
import Testing

@testable import AllotExposures

/// Copies that SQLite makes of a store in use, as the article on running the server advises.
struct BackupTests {
    enum Way: CaseIterable {
        /// `VACUUM INTO`
        case vacuum
        /// `.backup` of the program `sqlite3`
        case backup
    }

    private static func exposures(_ numbers: Range<Int>) -> [Exposure] {
        numbers.map { number in
            Exposure(
                "u\(number)", experiment: "e\(number % 3)", variant: number % 2 == 0 ? "a" : "b", at: Int64(number),
                attributes: #"{"n":\#(number)}"#)
        }
    }

    @Test("A copy in the place of the store has the exposures of its time, and takes more", arguments: Way.allCases)
    func copyIsAStore(way: Way) async throws {
        let temporary = try TemporaryStore()
        _ = try await temporary.store.record(Self.exposures(0..<300))
        _ = try await temporary.store.erase(unit: "u7")
        let expected = try await temporary.store.exported()
        let copy = temporary.folder.path("backup.sqlite")
        let reader = try DatabaseQueue(path: temporary.path)
        switch way {
        case .vacuum: try await reader.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO '\(copy)'") }
        case .backup: try reader.backup(to: DatabaseQueue(path: copy))
        }
        try reader.close()
        _ = try await temporary.store.record(Self.exposures(300..<400))
        await temporary.store.shutdown()

        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: temporary.path + ending) }
        try FileManager.default.moveItem(atPath: copy, toPath: temporary.path)
        let restored = try ExposureStore(temporary.path)
        #expect(expected.count == 300)
        #expect(try await restored.exported() == expected)
        _ = try await restored.record(Self.exposures(290..<310))
        #expect(try await restored.exported().count == 310)
        await restored.shutdown()
    }
}
