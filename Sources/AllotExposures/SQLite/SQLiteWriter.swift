internal import AllotConfiguration
import GRDB

/// Stores and deletes exposures within one transaction.
struct SQLiteWriter {
    private let database: Database
    private var numbers: SQLiteNumbers
    private var sums = SQLiteSums()
    private let firstCursor: Int64
    private var lastCursor: Int64
    private let insert: SQLiteStatement
    private let findEvent: SQLiteStatement
    private let findIdentity: SQLiteStatement
    private let delete: SQLiteStatement

    init(_ database: Database) throws {
        self.database = database
        numbers = SQLiteNumbers(database)
        let last = try SQLiteStatement(database, "SELECT value FROM last WHERE name = 'exposure'").number()
        guard let last, last >= 0 else { throw SQLiteDamage("the last cursor is missing") }
        (firstCursor, lastCursor) = (last, last)
        insert = try SQLiteStatement(
            database,
            """
            INSERT INTO exposure (\(SQLiteRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """)
        findEvent = try SQLiteStatement(
            database, "SELECT 1 FROM exposure INDEXED BY exposure_event WHERE event = ? AND event IS NOT NULL")
        findIdentity = try SQLiteStatement(
            database,
            """
            SELECT \(SQLiteRow.columns) FROM exposure INDEXED BY exposure_identity
            WHERE randomisation = ? AND counted = ? AND unit = ? AND variant = ?
            """)
        delete = try SQLiteStatement(database, "DELETE FROM exposure WHERE cursor = ?")
    }

    mutating func insert(_ exposure: Exposure) throws -> ExposureOutcome {
        let place = try numbers.place(of: exposure)
        if try insert(exposure, at: place) { return .stored }
        let counted: Int64 = exposure.isCounted ? 1 : 0
        var stored: SQLiteRow?
        try findIdentity.run([place.randomisation, counted, exposure.unit, place.variant]) {
            stored = try SQLiteRow($0)
        }
        // A row of this identity that has the event ID is compared like any other.
        if let id = exposure.id, stored?.event.map({ UTF8Order.areEqual($0, id) }) != true,
            try findEvent.number([id]) != nil
        {
            return .duplicate
        }
        guard let stored, UTF8Order.areEqual(stored.unit, exposure.unit) else {
            throw SQLiteDamage("an exposure is there and cannot be found")
        }
        guard exposure.rank < stored.rank else { return .duplicate }
        try delete(stored)
        guard try insert(exposure, at: place) else { throw SQLiteDamage("an exposure was deleted and is still there") }
        return .duplicate
    }

    /// Returns `false` if one of its identity, or of its event ID, is stored.
    private mutating func insert(_ exposure: Exposure, at place: SQLiteRow.Place) throws -> Bool {
        let row = SQLiteRow(exposure, cursor: lastCursor + 1, place: place)
        try insert.run(row.values)
        guard insert.changeCount > 0 else { return false }
        lastCursor += 1
        sums.insert(row)
        return true
    }

    mutating func delete(_ row: SQLiteRow) throws {
        try delete.run([row.cursor])
        guard delete.changeCount == 1 else { throw SQLiteDamage("exposure \(row.cursor) cannot be deleted") }
        sums.delete(row)
        numbers.unconfirmed.delete(row)
    }

    /// Writes what changed along with the exposures.
    func finish() throws {
        try sums.write(database)
        try numbers.unconfirmed.finish()
        guard lastCursor > firstCursor else { return }
        try SQLiteStatement(database, "UPDATE last SET value = ? WHERE name = 'exposure'").run([lastCursor])
    }
}
