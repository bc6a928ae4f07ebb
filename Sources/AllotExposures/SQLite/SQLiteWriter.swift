internal import AllotConfiguration
import GRDB

/// Stores and deletes exposures within one transaction.
struct SQLiteWriter {
    /// Exposures that have one cohort, by the bytes of their texts.
    private struct Key: Hashable {
        let arm: ExposureArm
        let revision: UTF8Key?
        let reason: UTF8Key
        let isOverridden: Bool
        let confirmation: Exposure.Confirmation

        init(_ exposure: Exposure) {
            arm = ExposureArm(exposure)
            revision = exposure.revision.map { UTF8Key($0) }
            reason = UTF8Key(exposure.reason)
            isOverridden = exposure.isOverridden
            confirmation = exposure.confirmation
        }
    }

    /// The part of a stored exposure with which others of its identity are compared.
    private struct Stored: FetchableRecord {
        let cursor: Int64
        let cohort: Int64
        let event: String?
        let rank: ExposureRank

        init(row: Row) throws {
            cursor = try row.decode(atIndex: 0)
            cohort = try row.decode(atIndex: 1)
            event = try row.decode(atIndex: 2)
            rank = ExposureRank(isInDoubt: try row.decode(atIndex: 3), at: try row.decode(atIndex: 4))
        }
    }

    /// How a cohort changed.
    private struct Change {
        var units: Int64 = 0
        var receivedAt = Int64.min
    }

    private let database: Database
    private var cohorts: [Key: Int64] = [:]
    private var changes: [Int64: Change] = [:]
    private let firstCursor: Int64
    private var lastCursor: Int64
    private let insert: Statement
    private let findEvent: Statement
    private let findIdentity: Statement
    private let delete: Statement

    init(_ database: Database) throws {
        self.database = database
        firstCursor = try Self.lastCursor(database)
        lastCursor = firstCursor
        insert = try database.cachedStatement(
            sql: """
                INSERT INTO exposure (
                    cursor, cohort, experiment, salt, counted, unit, variant, at, received_at, doubt, reported_at,
                    event, attributes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """)
        findEvent = try database.cachedStatement(
            sql: "SELECT 1 FROM exposure INDEXED BY exposure_event WHERE event = ? AND event IS NOT NULL")
        findIdentity = try database.cachedStatement(
            sql: """
                SELECT cursor, cohort, event, doubt IS NOT NULL, at FROM exposure INDEXED BY exposure_identity
                WHERE experiment = ? AND salt = ? AND counted = ? AND unit = ? AND variant = ?
                """)
        delete = try database.cachedStatement(sql: "DELETE FROM exposure WHERE cursor = ?")
    }

    /// The last cursor that there was.
    static func lastCursor(_ database: Database) throws -> Int64 {
        guard let last = try Int64.fetchOne(database, sql: "SELECT cursor FROM store") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the last cursor is missing")
        }
        return last
    }

    mutating func insert(_ exposure: Exposure) throws -> ExposureOutcome {
        let cohort = try cohort(of: exposure)
        if try insert(exposure, into: cohort) { return .stored }
        let stored = try Stored.fetchOne(
            findIdentity,
            arguments: [
                exposure.experiment, exposure.salt, exposure.isCounted, exposure.unit, exposure.variant,
            ])
        // A row of this identity that has the event ID is compared like any other.
        if let id = exposure.id, stored?.event.map({ UTF8Order.areEqual($0, id) }) != true,
            try Int.fetchOne(findEvent, arguments: [id]) != nil
        {
            return .duplicate
        }
        guard let stored else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "an exposure conflicts with a row that cannot be read")
        }
        guard exposure.rank < stored.rank else { return .duplicate }
        try delete(cursor: stored.cursor, of: stored.cohort)
        guard try insert(exposure, into: cohort) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row cannot be replaced")
        }
        return .duplicate
    }

    /// Returns `false` if one of its identity, or of its event ID, is stored.
    private mutating func insert(_ exposure: Exposure, into cohort: Int64) throws -> Bool {
        try insert.execute(
            arguments: [
                lastCursor + 1, cohort, exposure.experiment, exposure.salt, exposure.isCounted, exposure.unit,
                exposure.variant, exposure.at, exposure.receivedAt, exposure.doubt?.rawValue, exposure.reportedAt,
                exposure.id, exposure.attributes,
            ])
        guard database.changesCount > 0 else { return false }
        lastCursor += 1
        var change = changes[cohort] ?? Change()
        change.units += 1
        change.receivedAt = max(change.receivedAt, exposure.receivedAt)
        changes[cohort] = change
        return true
    }

    /// Deletes an exposure of a cohort.
    mutating func delete(cursor: Int64, of cohort: Int64) throws {
        try delete.execute(arguments: [cursor])
        guard database.changesCount == 1 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "exposure \(cursor) cannot be deleted")
        }
        changes[cohort, default: Change()].units -= 1
    }

    /// The number of the exposure's cohort, which is made if there is none.
    private mutating func cohort(of exposure: Exposure) throws -> Int64 {
        let key = Key(exposure)
        if let known = cohorts[key] { return known }
        let revision = try SQLiteUnconfirmed(database).note(exposure)
        let known = try Int64.fetchOne(
            database,
            sql: """
                SELECT id FROM cohort
                WHERE experiment = ? AND salt = ? AND variant = ? AND revision IS ? AND reason = ? AND override = ?
                """,
            arguments: [
                exposure.experiment, exposure.salt, exposure.variant, revision, exposure.reason, exposure.isOverridden,
            ])
        if known == nil {
            try database.execute(
                sql: """
                    INSERT INTO cohort (
                        experiment, salt, variant, revision, reason, override, counted, units, received_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)
                    """,
                arguments: [
                    exposure.experiment, exposure.salt, exposure.variant, revision, exposure.reason,
                    exposure.isOverridden, exposure.isCounted, exposure.receivedAt,
                ])
        }
        let cohort = known ?? database.lastInsertedRowID
        cohorts[key] = cohort
        // One that stays without units is deleted at the end.
        changes[cohort] = changes[cohort] ?? Change()
        return cohort
    }

    /// Writes what changed along with the exposures.
    func finish() throws {
        let change = try database.cachedStatement(
            sql: "UPDATE cohort SET units = units + ?, received_at = max(received_at, ?) WHERE id = ?")
        let empty = try database.cachedStatement(
            sql: """
                DELETE FROM cohort WHERE id = ? AND units = 0
                    AND NOT EXISTS (SELECT 1 FROM exposure INDEXED BY exposure_time WHERE cohort = cohort.id)
                """)
        for (cohort, delta) in changes {
            if delta.units != 0 || delta.receivedAt > .min {
                try change.execute(arguments: [delta.units, delta.receivedAt, cohort])
            }
            if delta.units <= 0 { try empty.execute(arguments: [cohort]) }
        }
        guard lastCursor > firstCursor else { return }
        try database.execute(sql: "UPDATE store SET cursor = ?", arguments: [lastCursor])
    }
}
