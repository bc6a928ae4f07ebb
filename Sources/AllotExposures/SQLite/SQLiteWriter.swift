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

    /// The numbers that stand for what an exposure has in common with others.
    private struct Place: FetchableRecord, Decodable {
        let cohort: Int64
        let randomisation: Int64
    }

    private struct Change {
        var units: Int64 = 0
        var receivedAt = Int64.min
    }

    private let database: Database
    private var places: [Key: Place] = [:]
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
                    cursor, cohort, randomisation, unit, variant, at, received_at, doubt, reported_at, event,
                    attributes, window_number)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """)
        findEvent = try database.cachedStatement(
            sql: "SELECT 1 FROM exposure INDEXED BY exposure_event WHERE event = ? AND event IS NOT NULL")
        findIdentity = try database.cachedStatement(
            sql: """
                SELECT cursor, cohort, event, doubt IS NOT NULL, at FROM exposure INDEXED BY exposure_identity
                WHERE randomisation = ? AND unit = ? AND window_number = ? AND variant = ?
                """)
        delete = try database.cachedStatement(sql: "DELETE FROM exposure WHERE cursor = ?")
    }

    static func lastCursor(_ database: Database) throws -> Int64 {
        guard let last = try Int64.fetchOne(database, sql: "SELECT cursor FROM store") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the last cursor is missing")
        }
        return last
    }

    mutating func insert(_ exposure: Exposure) throws -> ExposureOutcome {
        let place = try place(of: exposure)
        if try insert(exposure, at: place) { return .stored }
        let stored = try Stored.fetchOne(
            findIdentity, arguments: [place.randomisation, exposure.unit, exposure.storedWindow, exposure.variant])
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
        guard try insert(exposure, at: place) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row cannot be replaced")
        }
        return .duplicate
    }

    /// Returns `false` if one of its identity, or of its event ID, is stored.
    private mutating func insert(_ exposure: Exposure, at place: Place) throws -> Bool {
        try insert.execute(
            arguments: [
                lastCursor + 1, place.cohort, place.randomisation, exposure.unit, exposure.variant, exposure.at,
                exposure.receivedAt, exposure.doubt?.rawValue, exposure.reportedAt, exposure.id, exposure.attributes,
                exposure.storedWindow,
            ])
        guard database.changesCount > 0 else { return false }
        lastCursor += 1
        var change = changes[place.cohort] ?? Change()
        change.units += 1
        change.receivedAt = max(change.receivedAt, exposure.receivedAt)
        changes[place.cohort] = change
        return true
    }

    mutating func delete(cursor: Int64, of cohort: Int64) throws {
        try delete.execute(arguments: [cursor])
        guard database.changesCount == 1 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "exposure \(cursor) cannot be deleted")
        }
        changes[cohort, default: Change()].units -= 1
    }

    /// The numbers of the exposure's cohort, which is made if there is none, and of its randomisation. New ones are
    /// past those of all rows: a row whose cohort was lost is damage, and not one of another experiment.
    private mutating func place(of exposure: Exposure) throws -> Place {
        let key = Key(exposure)
        if let known = places[key] { return known }
        let cohort: StatementArguments = [
            "experiment": exposure.experiment, "salt": exposure.salt, "variant": exposure.variant,
            "revision": try SQLiteUnconfirmed(database).note(exposure), "reason": exposure.reason,
            "override": exposure.isOverridden,
        ]
        let find = """
            SELECT id AS cohort, randomisation FROM cohort
            WHERE experiment = :experiment AND salt = :salt AND variant = :variant AND revision IS :revision
                AND reason = :reason AND override = :override
            """
        var found = try Place.fetchOne(database, sql: find, arguments: cohort)
        if found == nil {
            try database.execute(
                sql: """
                    INSERT INTO cohort (
                        id, randomisation, experiment, salt, variant, revision, reason, override, counted, units,
                        received_at)
                    VALUES (
                        1 + max(
                            coalesce((SELECT max(id) FROM cohort), 0), coalesce((SELECT max(cohort) FROM exposure), 0)),
                        coalesce(
                            (SELECT randomisation FROM cohort
                                WHERE experiment = :experiment AND salt = :salt AND counted = :counted LIMIT 1),
                            1 + max(
                                coalesce((SELECT max(randomisation) FROM cohort), 0),
                                coalesce((SELECT max(randomisation) FROM exposure), 0))),
                        :experiment, :salt, :variant, :revision, :reason, :override, :counted, 0, :received)
                    """, arguments: cohort + ["counted": exposure.isCounted, "received": exposure.receivedAt])
            found = try Place.fetchOne(database, sql: find, arguments: cohort)
        }
        guard let place = found else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a cohort cannot be read")
        }
        places[key] = place
        // One that stays without units is deleted at the end.
        changes[place.cohort] = changes[place.cohort] ?? Change()
        return place
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
