internal import AllotConfiguration
import AllotFiles
import Synchronization

/// Exposures in a file of SQLite or in PostgreSQL: durable before they are acknowledged, each unit once for each
/// variant of a randomisation. `Sendable`.
///
/// ```swift
/// let store = try ExposureStore("allot.sqlite")
/// let outcomes = try await store.record([
///     Exposure(unit: "user-42", experiment: "checkout", salt: "checkout", variant: "green", at: 1_795_262_400_000)
/// ])
/// print(outcomes)  // [stored]
/// for try await chunk in try await store.export() { print(String(decoding: chunk, as: UTF8.self), terminator: "") }
/// await store.shutdown()
/// ```
///
/// A store has one writer. Batches that arrive during a transaction are written together in the next, so that many
/// senders share the wait for the disk. An acknowledged exposure survives a crash of the process or of the machine.
/// Cancelling a caller does not cancel the storing of its exposures.
public final class ExposureStore: Sendable {
    private let database: any ExposureDatabase
    private let queueLimit: Int
    private let queue = Mutex(WaitingBatches())
    private let record = Mutex(ExposureHealthRecord())
    private let threads = ExposureThreads()

    /// The most exposures of a transaction, unless one batch alone has more.
    static let transactionLimit = 10_000

    /// A function that opens the store at a location, such as ``init(_:queueLimit:)``. The module `AllotPostgreSQL` has
    /// one for addresses of PostgreSQL as well.
    public typealias Opener = @Sendable (_ location: String) throws(ExposureStoreError) -> ExposureStore

    /// Opens or creates a store in a file of SQLite.
    ///
    /// - Parameters:
    ///   - path: The path of the file, whose folder must exist. SQLite keeps two more files next to it, `-wal` and
    ///     `-shm`.
    ///   - queueLimit: The number of exposures that may wait to be stored.
    /// - Throws: ``ExposureStoreError/cannotOpen(_:)``, also for a store of a newer version or of another program.
    public convenience init(_ path: String, queueLimit: Int = 100_000) throws(ExposureStoreError) {
        switch ExposureLocation(path) {
        case .path: self.init(try SQLiteDatabase(path: path), queueLimit: queueLimit)
        case .postgreSQL:
            throw .cannotOpen(
                "the location of the store is an address of PostgreSQL, which this program does not use; name a file")
        case .unknown:
            throw .cannotOpen(
                """
                the location of the store is not a path and not postgresql://…; \
                write postgresql://USER@HOST:PORT/DATABASE
                """)
        }
    }

    /// Whether a location is that of a file. Messages quote no other: it may contain a password.
    package static func isPath(_ location: String) -> Bool { ExposureLocation(location) == .path }

    /// The paths of the files of a store, whether they exist or not; none for a database of a server.
    package static func files(of location: String) -> [String] {
        isPath(location) ? SQLiteFileWatch.paths(of: location) : []
    }

    package init(_ database: any ExposureDatabase, queueLimit: Int = 100_000) {
        self.database = database
        self.queueLimit = queueLimit
    }

    /// The store's name in messages: its path, or its address without a password.
    package var name: String { database.name }

    /// The number of exposures that wait to be stored or are being written.
    package var queuedCount: Int { queue.withLock { $0.count } }

    /// The number of exposures that were refused because the store failed.
    package var failedCount: Int { record.withLock { $0.failedCount } }

    /// Whether the last attempt to store something succeeded, and no damage was found.
    public var health: ExposureStoreHealth { record.withLock { $0.health } }
    var isOpen: Bool { queue.withLock { $0.isOpen } }

    /// Stores exposures, and returns when they are durable: for each, in their order, whether it is new.
    ///
    /// One exposure of each identity is kept: the first, no matter in which order they arrive. An exposure whose event
    /// ID is stored with another identity changes nothing. A batch above the queue's limit is accepted only when no
    /// other waits.
    ///
    /// - Throws: ``ExposureStoreError``; then none of these exposures is acknowledged.
    public func record(_ exposures: [Exposure]) async throws(ExposureStoreError) -> [ExposureOutcome] {
        for (index, exposure) in exposures.enumerated() {
            if let fault = exposure.fault ?? exposure.faultOfAttributes {
                throw .refused("exposure \(index) cannot be stored: \(fault)")
            }
        }
        return try await record(checked: exposures)
    }

    /// Stores exposures that have no ``Exposure/fault``.
    package func record(checked exposures: [Exposure]) async throws(ExposureStoreError) -> [ExposureOutcome] {
        guard !exposures.isEmpty else { return [] }
        return try await withCheckedContinuation { caller in
            let batch = WaitingBatches.Batch(exposures: exposures, caller: caller)
            do throws(ExposureStoreError) {
                try queue.withLock { queue throws(ExposureStoreError) in try queue.add(batch, limit: queueLimit) }
                writeIfIdle()
            } catch {
                caller.resume(returning: .failure(error))
            }
        }.get()
    }

    /// Refuses new exposures, breaks off reads and probes that wait for a database of a server, stores the waiting
    /// exposures, and closes the store. Further calls wait for that as well.
    public func shutdown() async {
        let closing = queue.withLock { queue in
            queue.close {
                Task {
                    breakOffReads()
                    await idle()
                    // Stored exposures are already durable: closing only tidies up.
                    await threads.finish()
                    database.close()
                }
            }
        }
        await closing.value
    }

    /// Breaks off reads and probes that wait for a database of a server, which may never answer. The store is closed
    /// next.
    package func breakOffReads() { database.breakOffReads() }

    private func idle() async {
        await withCheckedContinuation { continuation in
            if queue.withLock({ $0.isIdle(orResume: continuation) }) { continuation.resume() }
        }
    }

    // MARK: Writing

    private func writeIfIdle() {
        guard queue.withLock({ $0.beginWriting() }) else { return }
        threads.write { [self] in
            while true {
                let (batches, idle) = queue.withLock { $0.takeBatches(limit: Self.transactionLimit) }
                idle?.resume()
                guard !batches.isEmpty else { return }
                let answers = answers(to: batches)
                queue.withLock { $0.finish(batches) }
                for (batch, answer) in zip(batches, answers) { batch.caller.resume(returning: answer) }
            }
        }
    }

    /// Stores batches together; an error in the content of one batch fails that batch only.
    private func answers(to batches: [WaitingBatches.Batch]) -> [WaitingBatches.Answer] {
        do {
            // An exposure that a damaged store acknowledges is lost when the store is restored from a copy.
            if let damage = record.withLock({ $0.damage }) { throw damage }
            var outcomes = try database.store(batches.flatMap(\.exposures))[...]
            record.withLock { $0.succeed() }
            return batches.map { batch in
                defer { outcomes = outcomes.dropFirst(batch.exposures.count) }
                return .success(Array(outcomes.prefix(batch.exposures.count)))
            }
        } catch {
            let error = storeError(error)
            if case .refused = error {
                return batches.count == 1 ? [.failure(error)] : batches.flatMap { answers(to: [$0]) }
            }
            let count = batches.reduce(0) { $0 + $1.exposures.count }
            record.withLock { $0.fail(error, at: Self.now, exposures: count) }
            return batches.map { _ in .failure(error) }
        }
    }

    /// Tries to write something durably, and whether the store is still the one that was opened. Updates ``health``.
    package func probe() async -> ExposureStoreHealth {
        guard isOpen else { return health }
        return await threads.run(.change) { [self] in
            // A store that was closed meanwhile is not one that fails.
            guard isOpen, record.withLock({ $0.damage == nil }) else { return health }
            do {
                try database.probe()
                record.withLock { $0.succeed() }
            } catch ExposureStoreError.closed {
                // Broken off: that tells nothing of the store.
            } catch {
                let error = storeError(error)
                record.withLock { $0.fail(error, at: Self.now) }
            }
            return health
        }
    }

    /// Milliseconds since 1970.
    private static var now: Int64 {
        let now = SystemClock.now
        return Instant(seconds: now.seconds, nanoseconds: now.nanoseconds).milliseconds
    }

    // MARK: Other work

    /// Works on the database where it may block, next to the writer. A change is one part of many, between which other
    /// writes proceed.
    func run<Value: Sendable>(
        _ work: ExposureThreads.Work = .read, _ body: @escaping @Sendable (any ExposureDatabase) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        guard isOpen else { throw ExposureStoreError.closed }
        return try await threads.run(work) { [self] () -> Result<Value, ExposureStoreError> in
            guard isOpen else { return .failure(.closed) }
            do {
                // A deletion would take away what may be needed to restore the store.
                if work == .change, let damage = record.withLock({ $0.damage }) { throw damage }
                return .success(try body(database))
            } catch {
                let error = storeError(error)
                if case .damaged = error { record.withLock { $0.fail(error, at: Self.now) } }
                return .failure(error)
            }
        }.get()
    }

    private func storeError(_ error: any Error) -> ExposureStoreError {
        error as? ExposureStoreError ?? .storage("\(database.name): \(error)")
    }
}
