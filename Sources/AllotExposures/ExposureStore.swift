import GRDB
import Synchronization

/// Exposures in an SQLite file: stored durably before they are acknowledged, each unit once for each variant.
///
/// One writer; exposures that arrive while a transaction is under way are written together in the next, so that many
/// senders share the wait for the disk. An acknowledged exposure survives the death of the process and of the machine.
public final class ExposureStore: Sendable {
    private struct Waiting {
        let exposures: [Exposure]
        let continuation: CheckedContinuation<[ExposureOutcome], any Error>
    }

    private struct State {
        var waiting: [Waiting] = []
        var count = 0
        var isWriting = false
        var isClosed = false
        var idle: [CheckedContinuation<Void, Never>] = []
    }

    private let path: String
    private let queueLimit: Int
    private let pool: DatabasePool
    private let state = Mutex(State())

    /// The most exposures of a transaction, unless one batch alone has more.
    private static let transactionLimit = 20_000

    /// Opens a file, or makes it.
    ///
    /// - Parameter queueLimit: how many exposures may wait to be stored.
    /// - Throws: `ExposureStoreError.cannotOpen`.
    public init(path: String, queueLimit: Int = 100_000) throws(ExposureStoreError) {
        self.path = path
        self.queueLimit = queueLimit
        var configuration = Configuration()
        configuration.label = "exposures"
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            // In the WAL mode of a pool "NORMAL" would let a power failure take acknowledged exposures.
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
            if try pool.read(ExposureSchema.migrator.hasBeenSuperseded) {
                throw ExposureStoreError.cannotOpen(
                    "\(path) was written by a newer version of allot-server; use that one, or another file")
            }
            try ExposureSchema.migrator.migrate(pool)
        } catch let error as ExposureStoreError {
            throw error
        } catch {
            throw .cannotOpen(
                "\(path) cannot be used for exposures (\(error)); name a file that can be written, or move this one away"
            )
        }
    }

    /// How many exposures wait to be stored.
    public var queuedCount: Int {
        state.withLock { $0.count }
    }

    // MARK: Storing

    /// Stores exposures and returns when they are durable: for each, in their order, whether it is new.
    ///
    /// A unit's exposure to a variant is stored once, with its earliest time. An event ID that is stored already makes an
    /// exposure a duplicate, whatever else it holds.
    ///
    /// - Throws: ``ExposureStoreError``; then none of these exposures is stored.
    public func record(_ exposures: [Exposure]) async throws -> [ExposureOutcome] {
        guard !exposures.isEmpty else { return [] }
        return try await withCheckedThrowingContinuation { continuation in
            let refusal: ExposureStoreError? = state.withLock { state in
                if state.isClosed { return .closed }
                if state.count > 0, state.count + exposures.count > queueLimit { return .overloaded }
                state.waiting.append(Waiting(exposures: exposures, continuation: continuation))
                state.count += exposures.count
                return nil
            }
            if let refusal { continuation.resume(throwing: refusal) } else { writeIfIdle() }
        }
    }

    /// Begins a transaction unless one is under way.
    private func writeIfIdle() {
        let begins = state.withLock { state in
            guard !state.isWriting, !state.waiting.isEmpty else { return false }
            state.isWriting = true
            return true
        }
        guard begins else { return }
        pool.asyncWriteWithoutTransaction { [self] database in
            while let batches = takeBatches() { write(batches, database) }
        }
    }

    /// The batches of the next transaction; `nil` when none wait, and the writing ends.
    private func takeBatches() -> [Waiting]? {
        let (batches, idle) = state.withLock { state -> ([Waiting]?, [CheckedContinuation<Void, Never>]) in
            var (taken, count) = (0, 0)
            while taken < state.waiting.count {
                let next = state.waiting[taken].exposures.count
                if taken > 0, count + next > Self.transactionLimit { break }
                count += next
                taken += 1
            }
            guard taken > 0 else {
                state.isWriting = false
                let idle = state.idle
                state.idle = []
                return (nil, idle)
            }
            let batches = Array(state.waiting[..<taken])
            state.waiting.removeFirst(taken)
            return (batches, [])
        }
        for continuation in idle { continuation.resume() }
        return batches
    }

    private func write(_ batches: [Waiting], _ database: Database) {
        let result: Result<[[ExposureOutcome]], any Error>
        do {
            var outcomes: [[ExposureOutcome]] = []
            try database.inTransaction(.immediate) {
                let writer = try ExposureWriter(database)
                outcomes = try batches.map { batch in try batch.exposures.map(writer.insert) }
                return .commit
            }
            result = .success(outcomes)
        } catch {
            result = .failure(
                ExposureStoreError.storage(
                    "exposures cannot be stored in \(path) (\(error)); make room on the disk or check its permissions"))
        }
        let count = batches.reduce(0) { $0 + $1.exposures.count }
        state.withLock { $0.count -= count }
        switch result {
        case .success(let outcomes):
            for (batch, outcomes) in zip(batches, outcomes) { batch.continuation.resume(returning: outcomes) }
        case .failure(let error):
            for batch in batches { batch.continuation.resume(throwing: error) }
        }
    }

    /// Refuses new exposures, stores those that wait, and closes the file.
    public func shutdown() async {
        let isOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isOpen else { return }
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                guard state.isWriting || !state.waiting.isEmpty else { return true }
                state.idle.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
        try? pool.close()
    }

    // MARK: Reading

    /// Counts the units of an experiment.
    public func counts(experiment: String) async throws -> ExposureCounts {
        do {
            return try await pool.read { database in
                let variants = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT variant, count(*), min(at), max(at) FROM exposure JOIN arm ON arm.id = exposure.arm
                        WHERE experiment = ? GROUP BY variant ORDER BY variant
                        """, arguments: [experiment]
                ).map { row in
                    ExposureCounts.Variant(variant: row[0], units: row[1], earliest: row[2], latest: row[3])
                }
                let several = try Int.fetchOne(
                    database,
                    sql: """
                        SELECT count(*) FROM (
                            SELECT 1 FROM exposure JOIN arm ON arm.id = exposure.arm
                            WHERE experiment = ? GROUP BY unit HAVING count(*) > 1)
                        """, arguments: [experiment])
                return ExposureCounts(variants: variants, unitsInSeveralVariants: several ?? 0)
            }
        } catch {
            throw ExposureStoreError.storage("\(path) cannot be read (\(error)); check the disk")
        }
    }

    /// All exposures, or those of one experiment, as CSV in the order in which they were stored.
    public func export(experiment: String? = nil) -> ExposureExport {
        ExposureExport(pool: pool, experiment: experiment)
    }
}
