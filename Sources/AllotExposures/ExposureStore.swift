import GRDB
import Synchronization

/// Exposures in an SQLite file: durable before they are acknowledged, each unit once for each variant. `Sendable`.
///
/// ```swift
/// let store = try ExposureStore(path: "allot.sqlite")
/// let outcomes = try await store.record([
///     Exposure(unit: "user-42", experiment: "checkout", variant: "green", at: 1_795_262_400_000)
/// ])
/// print(outcomes)  // [stored]
/// for try await chunk in store.export() { print(String(decoding: chunk, as: UTF8.self), terminator: "") }
/// await store.shutdown()
/// ```
///
/// A store has one writer. Batches that arrive during a transaction are written together in the next, so that many
/// senders share the wait for the disk. An acknowledged exposure survives a crash of the process or of the machine.
/// Cancelling a caller does not cancel the storing of its exposures.
public final class ExposureStore: Sendable {
    let path: String
    let pool: DatabasePool
    private let queueLimit: Int
    private let queue = Mutex(ExposureQueue())

    /// The most exposures of a transaction, unless one batch alone has more.
    static let transactionLimit = 10_000

    /// Opens or creates a file. Its folder must exist; SQLite keeps two more files next to it, `-wal` and `-shm`.
    ///
    /// - Parameter queueLimit: the number of exposures that may wait to be stored.
    /// - Parameter path: The path of the file.
    /// - Throws: ``ExposureStoreError/cannotOpen(_:)``, also for the file of a newer version or of another program.
    public init(path: String, queueLimit: Int = 100_000) throws(ExposureStoreError) {
        self.path = path
        self.queueLimit = queueLimit
        pool = try ExposureFile.open(path)
    }

    /// The number of exposures that wait to be stored or are being written.
    package var queuedCount: Int {
        queue.withLock { $0.count }
    }

    /// Whether the store accepts exposures.
    var isOpen: Bool {
        queue.withLock { $0.isOpen }
    }

    /// Stores exposures, and returns when they are durable: for each, in their order, whether it is new.
    ///
    /// A unit's exposure to a variant is stored once, as it was first sent but with the earliest time. An exposure
    /// whose event ID is already stored is a duplicate, no matter what else it contains. Batches are stored in the
    /// order of their arrival, and a batch above the queue's limit only when no other waits.
    ///
    /// - Throws: ``ExposureStoreError``; then none of these exposures is stored.
    public func record(_ exposures: [Exposure]) async throws(ExposureStoreError) -> [ExposureOutcome] {
        for (index, exposure) in exposures.enumerated() {
            if let fault = exposure.fault { throw .refused("exposure \(index) cannot be stored: \(fault)") }
        }
        return try await record(checked: exposures)
    }

    /// Stores exposures that have no ``Exposure/fault``.
    package func record(checked exposures: [Exposure]) async throws(ExposureStoreError) -> [ExposureOutcome] {
        guard !exposures.isEmpty else { return [] }
        return try await withCheckedContinuation { caller in
            let batch = ExposureQueue.Batch(exposures: exposures, caller: caller)
            do throws(ExposureStoreError) {
                try queue.withLock { queue throws(ExposureStoreError) in try queue.add(batch, limit: queueLimit) }
                writeIfIdle()
            } catch {
                caller.resume(returning: .failure(error))
            }
        }.get()
    }

    /// Refuses new exposures, stores the waiting ones, and closes the file. Further calls wait for that as well.
    public func shutdown() async {
        let closing = queue.withLock { queue in
            queue.close {
                Task {
                    await idle()
                    // Stored exposures are already durable: closing only tidies the files. Readers go first, because
                    // only a connection that can write removes the log.
                    pool.releaseMemory()
                    try? pool.close()
                }
            }
        }
        await closing.value
    }

    /// Waits until nothing is left to store.
    private func idle() async {
        await withCheckedContinuation { continuation in
            if queue.withLock({ $0.isIdle(orResume: continuation) }) { continuation.resume() }
        }
    }

    // MARK: Writing

    /// Starts writing, unless it is already under way.
    private func writeIfIdle() {
        guard queue.withLock({ $0.beginWriting() }) else { return }
        pool.asyncWriteWithoutTransaction { [self] database in
            while true {
                let (batches, idle) = queue.withLock { $0.takeBatches(limit: Self.transactionLimit) }
                idle?.resume()
                guard !batches.isEmpty else { return }
                let answers = answers(to: batches, database)
                queue.withLock { $0.finish(batches) }
                for (batch, answer) in zip(batches, answers) { batch.caller.resume(returning: answer) }
            }
        }
    }

    /// Stores batches together; an error in the content of one batch fails that batch only.
    private func answers(to batches: [ExposureQueue.Batch], _ database: Database) -> [ExposureQueue.Answer] {
        do {
            return try store(batches, database).map { .success($0) }
        } catch {
            guard batches.count > 1, Self.isOfContent(error) else {
                let message = "exposures cannot be stored in \(ExposureStoreError.explanation(path, error))"
                return batches.map { _ in .failure(.storage(message)) }
            }
            return batches.flatMap { answers(to: [$0], database) }
        }
    }

    /// One transaction.
    private func store(_ batches: [ExposureQueue.Batch], _ database: Database) throws -> [[ExposureOutcome]] {
        var outcomes: [[ExposureOutcome]] = []
        try database.inTransaction(.immediate) {
            var writer = try ExposureWriter(database)
            for batch in batches { outcomes.append(try batch.exposures.map { try writer.insert($0) }) }
            return .commit
        }
        return outcomes
    }

    /// Whether an error is caused by the content of a batch, not by the file or the machine.
    private static func isOfContent(_ error: any Error) -> Bool {
        guard let code = (error as? DatabaseError)?.resultCode else { return false }
        return [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG].contains(code)
    }
}
