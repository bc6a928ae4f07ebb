import GRDB
import Synchronization

/// Exposures in a file of SQLite.
package final class SQLiteDatabase: ExposureDatabase {
    let path: String
    let pool: DatabasePool
    private let files: Mutex<SQLiteFileWatch>
    /// When the last transaction was on the disk; `nil` if the last one failed.
    private let lastWrite = Mutex<ContinuousClock.Instant?>(nil)
    private let freeBytes: @Sendable (_ path: String) -> Int?

    /// With less space than this a probe fails: a few more exposures may find room, but not a batch.
    private static let leastFreeBytes = 1 << 20

    /// Opens or creates a store; `freeBytes` gives the space that is left on the disk of a file, if it is known.
    package init(
        path: String, freeBytes: @escaping @Sendable (_ path: String) -> Int? = { DiskSpace.free(at: $0) }
    ) throws(ExposureStoreError) {
        self.path = path
        self.freeBytes = freeBytes
        pool = try SQLiteFile.open(path)
        files = Mutex(SQLiteFileWatch(path))
    }

    package var name: String { path }

    // MARK: Writing

    package func store(_ exposures: [Exposure]) throws -> [ExposureOutcome] {
        try write("exposures cannot be stored in") { database in
            var writer = try SQLiteWriter(database)
            let outcomes = try exposures.map { try writer.insert($0) }
            try writer.finish()
            return outcomes
        }
    }

    package func delete(_ deletion: ExposureDeletion, limit: Int) throws -> Int {
        try write("exposures cannot be deleted in") { database in
            let rows = try SQLiteDeletion(deletion, database).rows(limit: limit)
            var writer = try SQLiteWriter(database)
            for row in rows { try writer.delete(cursor: row.cursor, of: row.cohort) }
            try writer.finish()
            return rows.count
        }
    }

    package func erase(unit: String) throws -> Int {
        let count = try delete(ExposureDeletion(unit: unit), limit: .max)
        try perform("a unit is deleted, but bytes of it may be left in") {
            // What is deleted is overwritten, but pages that were split or merged may have copies of it in their gaps.
            try SQLiteFile.rewrite(pool)
        }
        return count
    }

    package func confirm(_ arms: [(arm: ExposureArm, revision: String)]) throws {
        let isEmpty = try read { try Int.fetchOne($0, sql: "SELECT 1 FROM unconfirmed LIMIT 1") == nil }
        // Most plans find nothing to confirm, and a transaction waits for the disk.
        if isEmpty { return }
        try write("definitions cannot be noted in") { try SQLiteUnconfirmed($0).confirm(arms) }
    }

    /// Looks at the files each time, and writes only if nothing else did for a while: the disk is not there for probes.
    package func probe() throws {
        // What a probe writes finds room where nothing else does.
        if let free = freeBytes(path), free < Self.leastFreeBytes {
            throw ExposureStoreError.storage(
                "exposures cannot be stored in \(path): its disk has \(free / 1024) KiB left; make room on it")
        }
        let isRecent = lastWrite.withLock { $0.map { $0.duration(to: .now) < .seconds(5) } ?? false }
        guard !isRecent else { return try perform("exposures cannot be stored in") { try checkFiles() } }
        try write("exposures cannot be stored in") { database in
            try database.execute(sql: "UPDATE store SET cursor = cursor")
        }
    }

    package func close() {
        // Readers go first, because only a connection that can write removes the log.
        pool.releaseMemory()
        try? pool.close()
    }

    // MARK: Reading

    package func lastCursor() throws -> Int64 { try read { try SQLiteWriter.lastCursor($0) } }
    package func unconfirmedArms() throws -> [ExposureArm] { try read { try SQLiteUnconfirmed($0).arms() } }

    package func preview(of deletion: ExposureDeletion) throws -> [ExposureDeletion.Part] {
        try read { try SQLiteDeletion(deletion, $0).parts() }
    }

    package func problems() throws -> [String] {
        try read { try String.fetchAll($0, sql: "PRAGMA quick_check") }.filter { $0 != "ok" }
    }

    // MARK: Errors

    /// Runs one transaction. When it returns, what it wrote is on the disk, and in the file of this name.
    private func write<Value>(_ failure: String, _ body: (Database) throws -> Value) throws -> Value {
        let value = try perform(failure) {
            lastWrite.withLock { $0 = nil }
            try checkFiles()
            let value = try pool.write(body)
            try checkFiles()
            return value
        }
        lastWrite.withLock { $0 = .now }
        return value
    }

    /// Reads from one snapshot.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try perform("exposures cannot be read from") {
            try checkFiles()
            return try pool.read(body)
        }
    }

    private func checkFiles() throws { try files.withLock { try $0.check() } }

    private func perform<Value>(_ failure: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            let message = "\(failure) \(ExposureStoreError.explanation(path, error))"
            switch error.resultCode {
            // The exposures are at fault, not the file or the machine.
            case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG: throw ExposureStoreError.refused(message)
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: throw ExposureStoreError.damaged(message)
            default: throw ExposureStoreError.storage(message)
            }
        } catch is RowDecodingError {
            // Its own description quotes the row, which may name people.
            let error = DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row is not what was written")
            throw ExposureStoreError.damaged("\(failure) \(ExposureStoreError.explanation(path, error))")
        }
    }
}
