import GRDB

/// The sums that a transaction changes. They are written at its end.
struct SQLiteSums {
    private struct Sum {
        var count: Int64 = 0
        var digest: Int64 = 0

        mutating func add(_ sign: Int64, _ mark: Int64) {
            count += sign
            digest += sign * mark
        }
    }

    private var blocks: [Int64: Sum] = [:]
    private var cohorts: [Int64: Sum] = [:]
    private var randomisations: [Int64: Sum] = [:]
    private var received: [Int64: Int64] = [:]

    /// The number of cursors of a block.
    static let blockLength: Int64 = 1024

    /// The times in the tree of a cohort are added up as remainders of this prime number.
    static let timeModulus: Int64 = 1_000_003

    mutating func insert(_ row: SQLiteRow) {
        add(1, row)
        received[row.place.randomisation] = max(received[row.place.randomisation] ?? .min, row.receivedAt)
    }

    mutating func delete(_ row: SQLiteRow) {
        add(-1, row)
    }

    private mutating func add(_ sign: Int64, _ row: SQLiteRow) {
        blocks[row.cursor / Self.blockLength, default: Sum()].add(sign, row.mark)
        cohorts[row.place.cohort, default: Sum()].add(sign, row.at % Self.timeModulus)
        let mark = SQLiteRow.identityMark(isCounted: row.isCounted, unit: row.unit.utf8, variant: row.place.variant)
        randomisations[row.place.randomisation, default: Sum()].add(sign, mark)
    }

    func write(_ database: Database) throws {
        let block = try SQLiteStatement(
            database,
            """
            INSERT INTO block (id, rows, digest) VALUES (?1, ?2, ?3)
            ON CONFLICT (id) DO UPDATE SET rows = rows + ?2, digest = digest + ?3
            """)
        let empty = try SQLiteStatement(database, "DELETE FROM block WHERE id = ? AND rows = 0 AND digest = 0")
        for (id, sum) in blocks {
            try block.run([id, sum.count, sum.digest])
            if sum.count <= 0 { try empty.run([id]) }
        }
        let cohort = try SQLiteStatement(
            database, "UPDATE cohort SET units = units + ?2, digest = digest + ?3 WHERE id = ?1")
        for (id, sum) in cohorts { try cohort.run([id, sum.count, sum.digest]) }
        let randomisation = try SQLiteStatement(
            database,
            """
            UPDATE randomisation SET entries = entries + ?2, digest = digest + ?3, received_at = max(received_at, ?4)
            WHERE id = ?1
            """)
        for (id, sum) in randomisations { try randomisation.run([id, sum.count, sum.digest, received[id] ?? .min]) }
    }
}
