import Testing

@testable import AllotExposures

struct QueueTests {
    private static func batch(_ name: String, _ count: Int) -> [Exposure] {
        (0..<count).map { Exposure("\(name)-\($0)") }
    }

    @Test("A queue over its limit refuses at once and recovers")
    func overflowIsRefusedAtOnceAndPasses() async throws {
        let temporary = try TemporaryStore(queueLimit: 10)
        let store = temporary.store
        let release = temporary.holdWriter()
        async let first = store.record(Self.batch("a", 6))
        await store.waitForQueue(of: 6)
        await #expect(throws: ExposureStoreError.overloaded) { try await store.record(Self.batch("b", 5)) }
        async let second = store.record(Self.batch("c", 4))
        await store.waitForQueue(of: 10)
        await #expect(throws: ExposureStoreError.overloaded) { try await store.record(Self.batch("d", 1)) }
        release.signal()
        #expect(try await first.count == 6)
        #expect(try await second.count == 4)
        #expect(store.queuedCount == 0)
        // Above the limit, but nothing else waits.
        #expect(try await store.record(Self.batch("e", 11)).count == 11)
        #expect(try await store.units(of: "e") == [21])
    }

    @Test("A shutdown stores the waiting exposures and refuses others")
    func shutdownStoresWhatWaitsAndRefusesTheRest() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        let release = temporary.holdWriter()
        async let waiting = store.record(Self.batch("a", 7))
        await store.waitForQueue(of: 7)
        async let shutdown: Void = store.shutdown()
        async let again: Void = store.shutdown()
        while store.isOpen { await Task.yield() }
        await #expect(throws: ExposureStoreError.closed) { try await store.record(Self.batch("b", 1)) }
        release.signal()
        #expect(try await waiting == Self.batch("a", 7).map { _ in .stored })
        _ = await (shutdown, again)
        await #expect(throws: ExposureStoreError.closed) { try await store.units(of: "e") }
        await #expect(throws: ExposureStoreError.closed) { try await store.exported().count }
        try await temporary.reopen()
        #expect(try await temporary.store.units(of: "e") == [7])
    }

    @Test("Cancelling a caller affects no exposure")
    func cancellationAffectsNoExposure() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        let release = temporary.holdWriter()
        let cancelled = Task { try await store.record(Self.batch("a", 3)) }
        await store.waitForQueue(of: 3)
        async let other = store.record(Self.batch("b", 2))
        await store.waitForQueue(of: 5)
        cancelled.cancel()
        release.signal()
        #expect(try await other == [.stored, .stored])
        #expect(try await cancelled.value.count == 3)
        #expect(try await store.units(of: "e") == [5])
    }

    /// More than a transaction takes, so that they are several.
    @Test("A long queue is stored completely")
    func aLongQueueIsStoredWhole() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        let release = temporary.holdWriter()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<7 {
                group.addTask { try await store.record(Self.batch("\(task)", 3001)).count { $0 == .stored } }
            }
            await store.waitForQueue(of: 7 * 3001)
            release.signal()
            var stored = 0
            for try await count in group { stored += count }
            #expect(stored == 7 * 3001)
        }
        #expect(try await store.units(of: "e") == [7 * 3001])
    }
}
