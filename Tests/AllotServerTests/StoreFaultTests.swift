import AllotConfiguration
import AllotCore
import AllotExposures
import AllotServer
import Dispatch
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import TestSupport
import Testing

@testable import AllotServing

/// Routes over a store that fails when a test says so.
@Suite(.mayHang) struct StoreFaultTests {
    /// Stores nothing, and fails on demand.
    private final class FaultyDatabase: ExposureDatabase {
        struct State {
            var isBroken = false
            /// Whether reads find damage.
            var isDamaged = false
            /// The number of reads that succeed before one fails; `nil` if none fails.
            var readsLeft: Int?
            /// The number of reads that did not end before they were broken off; `nil` if reads end.
            var stuckReads: Int?
            /// What the writer waits for; `nil` if it does not wait.
            var gate: DispatchSemaphore?
            var isClosed = false
        }

        let name = "faulty"
        let state = Mutex(State())
        private let breakOff = DispatchSemaphore(value: 0)

        private func reading<Value>(_ value: Value) throws -> Value {
            try probe()
            try state.withLock { state in
                if state.isDamaged { throw ExposureStoreError.damaged("faulty: it is damaged") }
                guard let count = state.readsLeft else { return }
                guard count > 0 else { throw ExposureStoreError.storage("faulty: the file is damaged") }
                state.readsLeft = count - 1
            }
            return value
        }

        func store(_ exposures: [Exposure]) throws -> [ExposureOutcome] {
            state.withLock { $0.gate }?.wait()
            try probe()
            return exposures.map { _ in .stored }
        }

        func lastCursor() throws -> Int64 {
            let stuckReads = state.withLock { state in
                state.stuckReads = state.stuckReads.map { $0 + 1 }
                return state.stuckReads
            }
            if stuckReads != nil {
                breakOff.wait()
                breakOff.signal()
                throw ExposureStoreError.closed
            }
            return try reading(10)
        }

        func exposures(
            of selection: ExposureSelection, after: Int64, through: Int64, limit: Int
        ) throws -> (exposures: [Exposure], cursor: Int64) {
            let exposure = Exposure(unit: "u\(after)", experiment: "a", salt: "a", variant: "b", at: 0)
            return (try reading([exposure]), after + 1)
        }

        func exposures(ofUnit unit: String) throws -> [Exposure] { try reading([]) }
        func hasWindows(experiment: String, salt: String) throws -> Bool { try reading(false) }
        func randomisations(of experiment: String?) throws -> [StoredRandomisation] { try reading([]) }
        func histories(of randomisations: [(experiment: String, salt: String)]) throws -> [ExposureHistory] {
            try reading(randomisations.map { _ in ExposureHistory(groups: [], unitsInSeveralVariants: 0) })
        }
        func counts(experiment: String, salt: String) throws -> ExposureCounts {
            try reading(ExposureCounts(groups: [], unitsInSeveralVariants: 0))
        }
        func totals() throws -> [ExposureTotal] {
            try reading(
                ["button", "beta"].map { key in
                    ExposureTotal(
                        experiment: key, salt: key, variant: "green", revision: nil, reason: "split", isCounted: true,
                        units: 7)
                })
        }
        func preview(of deletion: ExposureDeletion) throws -> [ExposureDeletion.Part] { [] }
        func delete(_ deletion: ExposureDeletion, limit: Int) throws -> Int { 0 }
        func unconfirmedArms() throws -> [ExposureArm] { [] }
        func confirm(_ arms: [(arm: ExposureArm, revision: String)]) throws {}
        func erase(unit: String) throws -> Int { 0 }
        func breakOffReads() { breakOff.signal() }
        func close() { state.withLock { $0.isClosed = true } }
        func probe() throws {
            if state.withLock({ $0.isBroken }) { throw ExposureStoreError.storage("faulty: the disk is full") }
        }
    }

    private func routes(
        _ database: FaultyDatabase, log: LogRecord = LogRecord(.critical), patience: Duration = .seconds(60),
        opening: @escaping @Sendable () throws(ExposureStoreError) -> Void = {}
    ) throws -> TestedRoutes {
        var routes = try TestedRoutes()
        let store = ExposureStore(database)
        // No minute passes.
        let now = ContinuousClock.now
        routes.allot.exposures = ExposureService(
            plans: routes.allot.plans, logger: Logger(label: "tests", factory: { _ in log }),
            interval: .milliseconds(1), patience: patience, now: { now },
            open: { () throws(ExposureStoreError) in
                try opening()
                return store
            })
        return routes
    }

    /// Runs a service during the body, and then ends it.
    private func running(_ exposures: ExposureService, _ body: () async throws -> Void) async throws {
        let keeping = Task { try await exposures.run() }
        try await body()
        keeping.cancel()
        _ = await keeping.result
        #expect(exposures.store == nil)
    }

    /// Expects that no exposures are taken and the server is not ready, with the reason.
    private func expectRefusal(_ client: any TestClientProtocol, _ reason: String) async throws {
        let refused = try await client.post("/exposures", Event.batch([Event.text("a")]))
        try refused.expectFailure(.serviceUnavailable, "send them again later")
        #expect(refused.headers[.retryAfter] == "10")
        let ready = try await client.get("/health/ready")
        #expect(ready.status == .serviceUnavailable)
        #expect(try ready.json()["exposures"]?["error"] == .string(reason))
    }

    @Test("A write that fails turns the health, with a line a minute, and a store that stores again turns it back")
    func healthFollowsTheStore() async throws {
        let (database, log) = (FaultyDatabase(), LogRecord(.error))
        let routes = try routes(database, log: log)
        let exposures = try #require(routes.allot.exposures)
        try await running(exposures) {
            try await routes.test { client async throws in
                try await client.expose(Event.text("a"))
                for _ in 0..<2 {
                    database.state.withLock { $0.isBroken = true }
                    try await expectRefusal(client, "faulty: the disk is full")
                    database.state.withLock { $0.isBroken = false }
                    while exposures.health != .healthy { await Task.yield() }
                    #expect(try await client.get("/health/ready").status == .ok)
                    try await client.expose(Event.text("a"))
                }
            }
            // Noticed without a write.
            database.state.withLock { $0.isBroken = true }
            while exposures.health == .healthy { await Task.yield() }
        }
        #expect(log.lines == ["exposures are refused: faulty: the disk is full"])
    }

    @Test("A batch is answered once it is stored, and counts among the bodies in memory until then")
    func waitingBatchesTakeRoom() async throws {
        let (database, gate) = (FaultyDatabase(), DispatchSemaphore(value: 0))
        database.state.withLock { $0.gate = gate }
        let routes = try routes(database)
        let bodies = routes.allot.bodies
        let store = try #require(routes.allot.exposures?.store)
        // All of it can be taken only if no other body has any.
        let everything = 1 << 28
        try await routes.test { client async throws in
            async let answer = client.post("/exposures", Event.batch([Event.text("a")]))
            while store.queuedCount == 0 { await Task.yield() }
            #expect(!bodies.take(everything, of: 0))
            gate.signal()
            let status = try await answer.status
            #expect(status == .ok)
            #expect(bodies.take(everything, of: 0))
        }
    }

    @Test("A store whose reads never end does not keep the service from ending")
    func readsThatNeverEndAreBrokenOff() async throws {
        let database = FaultyDatabase()
        database.state.withLock { $0.stuckReads = 0 }
        let exposures = try #require(try routes(database).allot.exposures)
        try await running(exposures) {
            while database.state.withLock({ $0.stuckReads }) == 0 { await Task.yield() }
        }
    }

    @Test(
        "Counts that cannot be read, and exports that cannot begin, are not answered with 200, with a line a minute",
        arguments: [("/experiments/button/exposures", 0), ("/experiments/button/exposures", 1), ("/exposures", 0)])
    func unreadableAnswers(uri: String, reads: Int) async throws {
        let (database, log) = (FaultyDatabase(), LogRecord(.trace))
        try await routes(database, log: log).test { client async throws in
            for _ in 0..<3 {
                database.state.withLock { $0.readsLeft = reads }
                let answer = try await client.get(uri)
                try answer.expectFailure(.serviceUnavailable, "cannot be read now")
                #expect(answer.headers[.retryAfter] == "10")
            }
        }
        #expect(log.lines == ["exposures cannot be read: faulty: the file is damaged"])
        #expect(log.levels(of: "exposures") == [.error])
    }

    @Test("An overview counts all experiments in two reads", arguments: [(1, false), (2, true)])
    func anOverviewReadsTwice(reads: Int, isRead: Bool) async throws {
        let database = FaultyDatabase()
        database.state.withLock { $0.readsLeft = reads }
        try await routes(database).test { client async throws in
            let page = try await client.get("/").text
            #expect(page.contains("cannot be read now") == !isRead)
            #expect(page.contains(#"data-label="First exposures">7</td>"#) == isRead)
        }
    }

    @Test("An export that cannot be read to its end does not look complete", arguments: 1...4)
    func damagedExportsBreakOff(reads: Int) async throws {
        let database = FaultyDatabase()
        database.state.withLock { $0.readsLeft = reads }
        try await routes(database).test { client async throws in
            // In memory, what breaks off the connection is thrown.
            await #expect(throws: ExposureStoreError.storage("faulty: the file is damaged")) {
                try await client.get("/exposures")
            }
        }
    }

    @Test("A store that was found damaged is not healthy, not ready, and takes nothing more")
    func damageIsReported() async throws {
        let database = FaultyDatabase()
        let log = LogRecord(.error)
        let routes = try routes(database, log: log)
        let exposures = try #require(routes.allot.exposures)
        let registry = PrometheusRegistry()
        routes.allot.registerGauges(with: registry)
        @Sendable func isHealthy() -> Bool {
            String(decoding: registry.text(), as: UTF8.self).contains("\nallot_exposure_store_healthy 1\n")
        }
        try await routes.test { client async throws in
            try await client.expose(Event.text("a"))
            #expect(isHealthy())
            database.state.withLock { $0.isDamaged = true }
            let answer = try await client.get("/experiments/button/exposures")
            try answer.expectFailure(.serviceUnavailable, "their store is damaged, and has to be restored")
            #expect(answer.headers[.retryAfter] == nil)
            // A read that succeeds, and a write that would, change nothing.
            database.state.withLock { $0.isDamaged = false }
            try await running(exposures) {
                for _ in 0..<2 {
                    #expect(!isHealthy())
                    try await expectRefusal(client, "faulty: it is damaged")
                    while log.levels(of: "exposures are refused: faulty: it is damaged").isEmpty { await Task.yield() }
                }
            }
        }
    }

    @Test("A store that is slow to open delays nothing else, and is used once it is open")
    func slowStoresAreWaitedForElsewhere() async throws {
        let gate = DispatchSemaphore(value: 0)
        let log = LogRecord(.error)
        let routes = try routes(FaultyDatabase(), log: log, patience: .milliseconds(1)) { gate.wait() }
        let exposures = try #require(routes.allot.exposures)
        #expect(exposures.store == nil)
        try await running(exposures) {
            try await routes.test { client async throws in
                #expect(try await client.get("/activeconfig/user/a").status == .ok)
                try await expectRefusal(client, "the store of exposures is still being opened")
                gate.signal()
                while exposures.health != .healthy { await Task.yield() }
                try await client.expose(Event.text("a"))
                #expect(try await client.get("/health/ready").status == .ok)
            }
        }
        #expect(log.lines == ["exposures are refused: the store of exposures is still being opened"])
    }

    @Test("A service ends while its store is being opened, and closes what is opened later")
    func storesThatOpenTooLateAreClosed() async throws {
        let gate = DispatchSemaphore(value: 0)
        let database = FaultyDatabase()
        let exposures = try #require(
            try routes(database, patience: .milliseconds(1)) { gate.wait() }.allot.exposures)
        try await running(exposures) {}
        gate.signal()
        while !database.state.withLock({ $0.isClosed }) { await Task.yield() }
        #expect(exposures.store == nil)
    }

    @Test("The reason why a store cannot be opened is logged, even after a line that it is being opened")
    func reasonsAreLogged() async throws {
        let gate = DispatchSemaphore(value: 0)
        let log = LogRecord(.error)
        let routes = try routes(FaultyDatabase(), log: log, patience: .milliseconds(1)) {
            () throws(ExposureStoreError) in
            gate.wait()
            // The next attempt does not wait.
            gate.signal()
            throw ExposureStoreError.cannotOpen("locked")
        }
        let exposures = try #require(routes.allot.exposures)
        try await running(exposures) {
            gate.signal()
            while log.lines.count < 2 { await Task.yield() }
        }
        #expect(
            log.lines == [
                "exposures are refused: the store of exposures is still being opened", "exposures are refused: locked",
            ])
    }
}
