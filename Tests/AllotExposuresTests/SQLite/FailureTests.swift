import GRDB
import Testing

@testable import AllotExposures

struct FailureTests {
    private static func batch(_ name: String, _ count: Int) -> [Exposure] {
        (0..<count).map { Exposure("\(name)-\($0)", id: "\(name)-\($0)") }
    }

    @Test("After a full disk nothing is half stored and the store recovers")
    func afterAFullDiskNothingIsHalfStoredAndTheStoreRecovers() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        _ = try await store.record(Self.batch("before", 10))
        let pages = try await temporary.database.pool.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        try await temporary.execute("PRAGMA max_page_count = \(pages + 5)")
        let error = await #expect(throws: ExposureStoreError.self) { try await store.record(Self.batch("large", 5000)) }
        guard case .storage(let reason)? = error else { throw ExposureStoreError.closed }
        #expect(reason.contains(temporary.path))
        #expect(reason.contains("make room on its disk"))
        #expect(store.queuedCount == 0)
        #expect(store.failedCount == 5000)
        guard case .failing(let message, let since) = store.health else { throw ExposureStoreError.closed }
        #expect(message.contains("make room on its disk"))
        #expect(since > 0)
        #expect(try await store.units(of: "e") == [10])
        try await temporary.execute("PRAGMA max_page_count = 1000000")
        #expect(try await store.record(Self.batch("large", 5000)) == Array(repeating: .stored, count: 5000))
        #expect(store.health == .healthy)
        try await temporary.reopen()
        #expect(try await temporary.store.units(of: "e") == [5010])
    }

    /// The few bytes that a probe writes find room where no batch does.
    @Test("A store whose disk is nearly full is not healthy, though little things can still be written")
    func nearlyFullDisk() async throws {
        let temporary = try TemporaryStore()
        await temporary.store.shutdown()
        for (free, isHealthy) in [(nil, true), (1 << 30, true), (100 * 1024, false), (0, false), (1 << 20, true)] {
            let store = ExposureStore(try SQLiteDatabase(path: temporary.path) { _ in free })
            _ = try await store.record(Self.batch("\(free ?? -1)", 1))
            let health = await store.probe()
            await store.shutdown()
            #expect((health == .healthy) == isHealthy, "\(free ?? -1) bytes")
            guard case .failing(let message, _) = health else { continue }
            let expected =
                "exposures cannot be stored in \(temporary.path): its disk has \((free ?? 0) / 1024) KiB left"
            #expect(message == expected + "; make room on it")
        }
    }

    /// The three batches are in one transaction, because the writer waits for all of them.
    @Test("A batch that fails for its content fails alone")
    func aBatchThatFailsForItsContentFailsAlone() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await temporary.execute(
            """
            CREATE TRIGGER poison BEFORE INSERT ON exposure WHEN new.unit = 'poison-1'
            BEGIN SELECT RAISE(ABORT, 'poisoned'); END
            """)
        let release = temporary.holdWriter()
        async let first = store.record(Self.batch("a", 2))
        await store.waitForQueue(of: 2)
        async let poisoned = store.record(Self.batch("poison", 3))
        await store.waitForQueue(of: 5)
        async let last = store.record(Self.batch("b", 2))
        await store.waitForQueue(of: 7)
        release.signal()
        #expect(try await first == [.stored, .stored])
        #expect(try await last == [.stored, .stored])
        do {
            _ = try await poisoned
            Issue.record("the poisoned batch was stored")
        } catch ExposureStoreError.refused(let message) {
            #expect(message.contains("poisoned"))
        }
        #expect(try await store.exported().dropFirst().map { $0[0] } == ["a-0", "a-1", "b-0", "b-1"])
        #expect(store.health == .healthy)
        #expect(store.failedCount == 0)
        // Its event IDs were not kept either.
        try await temporary.execute("DROP TRIGGER poison")
        #expect(try await store.record(Self.batch("poison", 3)) == [.stored, .stored, .stored])
    }

    /// Every later transaction would be as durable as this setting.
    @Test("Commits are durable")
    func commitsAreDurable() async throws {
        let temporary = try TemporaryStore()
        let (synchronous, journal) = try await temporary.database.pool.writeWithoutTransaction { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA synchronous"),
                try String.fetchOne(database, sql: "PRAGMA journal_mode")
            )
        }
        #expect(synchronous == 2)
        #expect(journal == "wal")
    }
}
