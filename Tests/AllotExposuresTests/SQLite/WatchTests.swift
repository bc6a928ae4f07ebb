import Foundation
import Testing

@testable import AllotExposures

struct WatchTests {
    private static let exposures = [Exposure(unit: "u", experiment: "e", variant: "v", at: 0)]

    /// What happens to which of the files.
    static let accidents = ["", "-wal", "-shm"].flatMap { file in
        ["removed", "renamed", "replaced"].map { (file, $0) }
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
        "A file that is no longer the one that was opened is noticed before an exposure is acknowledged",
        arguments: accidents)
    func aLostFileIsNoticedBeforeAnExposureIsAcknowledged(file: String, accident: String) async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        #expect(try await store.record(Self.exposures) == [.stored])
        try Self.cause(accident, to: temporary.path + file)
        for _ in 0..<2 {
            let error = await #expect(throws: ExposureStoreError.self) { try await store.record(Self.exposures) }
            #expect(error?.description.hasPrefix(temporary.path + file) == true)
            #expect(error?.description.contains("start the server again") == true)
        }
        #expect(store.failedCount == 2)
        await #expect(throws: ExposureStoreError.self) { try await store.counts(experiment: "e", salt: "e") }
        guard case .failing = store.health else { throw ExposureStoreError.closed }
        await store.shutdown()
    }

    @Test("A probe notices a file that is no longer the one that was opened", arguments: accidents)
    func aProbeNoticesALostFile(file: String, accident: String) async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        #expect(try await store.record(Self.exposures) == [.stored])
        #expect(await store.probe() == .healthy)
        try Self.cause(accident, to: temporary.path + file)
        guard case .failing(let message, _) = await store.probe() else { throw ExposureStoreError.closed }
        #expect(message.contains(temporary.path + file))
        // It stays so, even if a file of that name comes back.
        if accident == "renamed" {
            try FileManager.default.moveItem(atPath: temporary.path + file + ".moved", toPath: temporary.path + file)
        }
        #expect(await store.probe() == store.health)
        #expect(store.health != .healthy)
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
