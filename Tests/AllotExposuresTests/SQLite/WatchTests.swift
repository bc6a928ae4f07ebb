import Foundation
import Testing

@testable import AllotExposures

struct WatchTests {
    private static let exposures = [Exposure()]

    /// What happens to which of the files.
    static let accidents = ["", "-wal", "-shm"].flatMap { file in
        ["removed", "renamed", "replaced"].map { (file: file, kind: $0) }
    }

    private static func cause(_ accident: String, to path: String) throws {
        let files = FileManager.default
        switch accident {
        case "removed": try files.removeItem(atPath: path)
        case "renamed": try files.moveItem(atPath: path, toPath: path + ".moved")
        default:
            try files.copyItem(atPath: path, toPath: path + ".copy")
            try files.removeItem(atPath: path)
            try files.moveItem(atPath: path + ".copy", toPath: path)
        }
    }

    @Test(
        "A file that is no longer the one that was opened is noticed before an exposure is acknowledged or by probes",
        arguments: accidents, [false, true])
    func aLostFileIsNoticed(accident: (file: String, kind: String), isProbed: Bool) async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        let path = temporary.path + accident.file
        #expect(try await store.record(Self.exposures) == [.stored])
        #expect(await store.probe() == .healthy)
        try Self.cause(accident.kind, to: path)
        if isProbed {
            guard case .failing(let message, _) = await store.probe() else { throw ExposureStoreError.closed }
            #expect(message.contains(path))
            // It stays so, even if a file of that name comes back.
            if accident.kind == "renamed" { try FileManager.default.moveItem(atPath: path + ".moved", toPath: path) }
            #expect(await store.probe() == store.health)
        } else {
            for _ in 0..<2 {
                let error = await #expect(throws: ExposureStoreError.self) { try await store.record(Self.exposures) }
                #expect(error?.description.hasPrefix(path) == true)
                #expect(error?.description.contains("start the server again") == true)
            }
            #expect(store.failedCount == 2)
            await #expect(throws: ExposureStoreError.self) { try await store.counts(experiment: "e", salt: "e") }
        }
        guard case .failing = store.health else { throw ExposureStoreError.closed }
        await store.shutdown()
    }

    @Test("An exposure whose file is lost during its transaction is not acknowledged")
    func anExposureWhoseFileIsLostDuringItsTransactionIsNotAcknowledged() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        let release = temporary.holdWriter()
        let outcomes = Task { try await store.record(Self.exposures) }
        await store.waitForQueue(of: 1)
        try FileManager.default.removeItem(atPath: temporary.path)
        release.signal()
        await #expect(throws: ExposureStoreError.self) { try await outcomes.value }
        await store.shutdown()
    }
}
