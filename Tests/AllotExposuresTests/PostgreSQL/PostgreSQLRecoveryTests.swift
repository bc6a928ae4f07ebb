import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AllotExposures
@testable import AllotPostgreSQL

/// Lost connections, and servers that go and come back.
@Suite(.blocks, .needsPostgreSQL) struct PostgreSQLRecoveryTests {
    private static func batch(_ name: String) -> [Exposure] {
        (0..<10).map {
            .init(id: "\(name)-\($0)", unit: "\(name)-\($0)", experiment: "e", salt: "s", variant: "v", at: 0)
        }
    }

    private final class Progress: Sendable {
        let stored = Atomic(0)
        let isDone = Atomic(false)
    }

    @Test("No batch fails or is lost while connections are ended again and again")
    func noBatchFailsWhileConnectionsAreEnded() async throws {
        let schema = try PostgreSQLTestSchema()
        let location = schema.location
        // Opening is not repeated, so both are open before the first connection is ended.
        let databases = try (0..<2).map { _ in try PostgreSQLDatabase(location, persistence: .seconds(60)) }
        let progress = Progress()
        try await withThrowingTaskGroup { group in
            for (writer, database) in databases.enumerated() {
                group.addTask {
                    try await onThread {
                        defer { progress.isDone.store(true, ordering: .relaxed) }
                        var batch = 0
                        while !progress.isDone.load(ordering: .relaxed) {
                            _ = try database.store(Self.batch("\(writer)-\(batch)"))
                            batch += 1
                            progress.stored.add(10, ordering: .relaxed)
                        }
                    }
                }
            }
            try await onThread {
                let killer = try PostgreSQLSchema.connect(try #require(PostgreSQLAddress(location)), patience: nil)
                for _ in 0..<20 {
                    let before = progress.stored.load(ordering: .relaxed)
                    while progress.stored.load(ordering: .relaxed) < before + 50,
                        !progress.isDone.load(ordering: .relaxed)
                    {
                        sched_yield()
                    }
                    try killer.execute(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE application_name = current_setting('application_name') AND pid <> pg_backend_pid()
                        """)
                }
            }
            progress.isDone.store(true, ordering: .relaxed)
            try await group.waitForAll()
        }
        let units = try schema.database().rows().map(\.unit)
        #expect(units.count == progress.stored.load(ordering: .relaxed))
        #expect(Set(units).count == units.count)
    }

    @Test("A server that is stopped is reported with the fix, and used again once it runs")
    func aServerThatIsStoppedIsUsedAgain() throws {
        let cluster = try PostgreSQLTestCluster()
        let location = PostgreSQLTestSchema.location(cluster.connection)
        let database = try PostgreSQLDatabase(location, persistence: .milliseconds(100))
        #expect(try database.store(Self.batch("a")) == Array(repeating: .stored, count: 10))
        #expect(try database.rows().count == 10)
        try cluster.stop()
        let attempts: [() throws -> Void] = [
            { _ = try database.store(Self.batch("b")) }, { try database.probe() }, { _ = try database.lastCursor() },
        ]
        for attempt in attempts {
            let error = #expect(throws: ExposureStoreError.self) { try attempt() }
            #expect(error?.description.contains(database.name) == true)
            #expect(error?.description.contains("check that PostgreSQL runs") == true)
        }
        #expect(throws: ExposureStoreError.self) { try PostgreSQLDatabase(location) }
        try cluster.start()
        try database.probe()
        #expect(try database.store(Self.batch("b")) == Array(repeating: .stored, count: 10))
        #expect(try database.store(Self.batch("a")) == Array(repeating: .duplicate, count: 10))
        #expect(try database.rows().count == 20)
    }

    /// A lock on the row stands for a server that does not answer.
    @Test("A probe that waits is broken off, and then tells nothing of the store")
    func aProbeIsBrokenOff() async throws {
        let schema = try PostgreSQLTestSchema()
        let database = try schema.database()
        let holder = try PostgreSQLSchema.connect(try #require(PostgreSQLAddress(schema.location)), patience: nil)
        try holder.execute("BEGIN; SELECT FROM store FOR UPDATE")
        // Otherwise the schema could not be dropped.
        defer { _ = try? holder.execute("ROLLBACK") }
        database.breakOffReads()
        #expect(throws: ExposureStoreError.closed) { try database.probe() }
        #expect(await ExposureStore(database).probe() == .healthy)
    }

    /// A lock on the table stands for a server that does not answer.
    @Test("Reads that are not answered delay neither the look at the store nor its end")
    func readsThatAreNotAnsweredAreBrokenOff() async throws {
        let schema = try PostgreSQLTestSchema()
        let database = try PostgreSQLDatabase(
            schema.location, persistence: .milliseconds(100), patience: .seconds(6))
        _ = try database.store(Self.batch("a"))
        let holder = try PostgreSQLSchema.connect(try #require(PostgreSQLAddress(schema.location)), patience: nil)
        // The server would end a transaction of 10 idle seconds, and with it the lock.
        try holder.execute("SET idle_in_transaction_session_timeout = 0")
        try holder.execute("BEGIN; LOCK TABLE exposure")
        // Otherwise the schema could not be dropped.
        defer { _ = try? holder.execute("ROLLBACK") }
        let store = ExposureStore(database)
        // As many as there are threads for reading.
        let reads = (0..<4).map { _ in Task { try await store.counts(experiment: "e", salt: "s") } }
        // Their processes are stopped, or the server would give up the waits after 20 seconds of a busy machine. So
        // this thread is not left to other tests meanwhile.
        var stopped: Set<Int32> = []
        defer { for process in stopped { kill(process, SIGCONT) } }
        let waiting = "SELECT pid FROM pg_locks WHERE relation = 'exposure'::regclass AND NOT granted"
        while stopped.count < reads.count {
            for process in try holder.query(waiting).map({ Int32($0.number(0)) })
            where stopped.insert(process).inserted {
                try #require(kill(process, SIGSTOP) == 0)
            }
        }
        let error = await #expect(throws: ExposureStoreError.self) { try await store.lastCursor() }
        #expect(error?.description.contains("PostgreSQL does not answer") == true)
        await store.shutdown()
        for read in reads { await #expect(throws: ExposureStoreError.closed) { try await read.value } }
    }

    @Test("A store whose tables are gone is reported, and used again once a server has created them")
    func aStoreWhoseTablesAreGoneIsReported() throws {
        let schema = try PostgreSQLTestSchema()
        let database = try schema.database()
        _ = try database.store(Self.batch("a"))
        try schema.execute("DROP SCHEMA \"\(schema.name)\" CASCADE")
        for attempt in [{ try database.probe() }, { _ = try database.store(Self.batch("b")) }] {
            let error = #expect(throws: ExposureStoreError.self) { try attempt() }
            #expect(error?.description.contains("restart the servers, which create them") == true)
        }
        // Its arm gets another number than before.
        let other = try schema.database()
        _ = try other.store([.init(unit: "u", experiment: "other", salt: "s", variant: "v", at: 0)])
        try database.probe()
        #expect(try database.store(Self.batch("b")) == Array(repeating: .stored, count: 10))
        #expect(try database.rows() == other.rows())
        #expect(try database.randomisations(of: nil).map(\.experiment) == ["e", "other"])
    }
}
