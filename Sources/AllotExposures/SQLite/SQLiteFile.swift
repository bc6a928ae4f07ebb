import Foundation
import GRDB

/// Opens the files of stores.
enum SQLiteFile {
    /// The number of attempts, 2 ms apart, to take what another process has locked: at least ten seconds.
    private static let attempts = 5000

    /// Opens or creates a file, and brings its tables to the present form.
    static func open(_ path: String) throws(ExposureStoreError) -> DatabasePool {
        do {
            var configuration = Configuration()
            configuration.label = "exposures"
            // SQLite's own timeout soon looks every tenth of a second only, and misses the gaps that a process leaves
            // which writes all the time.
            configuration.busyMode = .callback { waitForOthers(attempt: $0) }
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cell_size_check = ON") }
            try look(path, configuration)
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { database in
                try prepareWriter(database)
                try claim(database, path)
            }
            try pool.read { try refuseNewer($0, path) }
            let isFormer = try pool.read(SQLiteSchema.isFormer)
            try SQLiteSchema.migrator.migrate(pool)
            // What the former tables contained is not left in pages that are free now.
            if isFormer { try rewrite(pool) }
            return pool
        } catch let error as ExposureStoreError {
            throw error
        } catch {
            throw .cannotOpen("cannot open the exposure store \(ExposureStoreError.explanation(path, error))")
        }
    }

    /// Refuses a file that cannot be a store, and changes nothing in it: a pool would change its journal already.
    private static func look(_ path: String, _ configuration: Configuration) throws {
        // What is not a file is left to the pool, whose error says so.
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else { return }
        var configuration = configuration
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { database in
                guard try isStore(database, path) else { return }
                try refuseNewer(database, path)
            }
            try queue.close()
        } catch let error as DatabaseError where [.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode) {
            // What a crash left has to be repaired first, which a reader cannot do.
        }
    }

    private static func refuseNewer(_ database: Database, _ path: String) throws {
        guard try SQLiteSchema.isNewer(database) else { return }
        throw ExposureStoreError.cannotOpen(
            "\(path) was written by a newer version of Allot; use that version, or name another file")
    }

    /// Returns `false` for an empty file, and throws for that of another program.
    private static func isStore(_ database: Database, _ path: String) throws -> Bool {
        let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        if owner == SQLiteSchema.applicationID { return true }
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema")
        guard owner == 0, tables == 0 else {
            throw ExposureStoreError.cannotOpen(
                "\(path) is an SQLite file of another program; name another file for exposures")
        }
        return false
    }

    /// Copies what is stored into new pages, so that nothing else is left in the file and its log.
    static func rewrite(_ pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "VACUUM")
            var attempt = 0
            while true {
                do {
                    _ = try database.checkpoint(.truncate)
                    return
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    // SQLite waits for writers, but not for another checkpoint.
                    guard waitForOthers(attempt: attempt) else { throw error }
                    attempt += 1
                }
            }
        }
    }

    /// Returns `false` if there were attempts enough.
    private static func waitForOthers(attempt: Int) -> Bool {
        guard attempt < attempts else { return false }
        Thread.sleep(forTimeInterval: 0.002)
        return true
    }

    private static func prepareWriter(_ database: Database) throws {
        // With NORMAL a power failure loses acknowledged exposures. GRDB's pool sets NORMAL when it opens the file,
        // after its configuration's own preparation, so this has to be set now.
        try database.execute(sql: "PRAGMA synchronous = FULL")
        // Pages that many transactions touch are copied from the log to the file once, not once for each.
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 16384")
        try database.execute(sql: "PRAGMA cache_size = -65536")
        // Deleted rows are overwritten, not only unlinked.
        try database.execute(sql: "PRAGMA secure_delete = ON")
    }

    /// Marks an empty file as a store; refuses the file of another program.
    private static func claim(_ database: Database, _ path: String) throws {
        try database.inTransaction(.immediate) {
            guard try !isStore(database, path) else { return .commit }
            try database.execute(sql: "PRAGMA application_id = \(SQLiteSchema.applicationID)")
            return .commit
        }
    }
}
