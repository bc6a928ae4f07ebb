internal import AllotConfiguration
import GRDB

/// The numbers that stand for the texts of exposures, as one transaction finds and makes them.
struct SQLiteNumbers {
    /// Texts that have one place, by their bytes.
    struct Key: Hashable {
        let experiment: UTF8Key
        let salt: UTF8Key
        let variant: UTF8Key
        let revision: UTF8Key?
        let reason: UTF8Key
        let isOverridden: Bool

        init(_ exposure: Exposure) {
            experiment = UTF8Key(exposure.experiment)
            salt = UTF8Key(exposure.salt)
            variant = UTF8Key(exposure.variant)
            revision = exposure.revision.map { UTF8Key($0) }
            reason = UTF8Key(exposure.reason)
            isOverridden = exposure.isOverridden
        }
    }

    private let database: Database
    /// What was found or made.
    private var places: [Key: SQLiteRow.Place] = [:]

    init(_ database: Database) {
        self.database = database
    }

    mutating func place(of exposure: Exposure) throws -> SQLiteRow.Place {
        let key = Key(exposure)
        if let known = places[key] { return known }
        let randomisation = try randomisation(exposure.experiment, exposure.salt)
        let variant = try variant(exposure.variant)
        let place = SQLiteRow.Place(
            randomisation: randomisation, variant: variant, cohort: try cohort(exposure, randomisation, variant))
        places[key] = place
        return place
    }

    private func randomisation(_ experiment: String, _ salt: String) throws -> Int64 {
        let find = try SQLiteStatement(database, "SELECT id FROM randomisation WHERE experiment = ? AND salt = ?")
        if let known = try find.number([experiment, salt]) { return known }
        let id = try next("randomisation")
        try SQLiteStatement(
            database,
            "INSERT INTO randomisation (id, experiment, salt, mark, received_at) VALUES (?, ?, ?, ?, ?)"
        ).run([id, experiment, salt, SQLiteTexts.mark([experiment, salt]), Int64.min])
        return id
    }

    private func variant(_ key: String) throws -> Int64 {
        if let known = try SQLiteStatement(database, "SELECT id FROM variant WHERE key = ?").number([key]) {
            return known
        }
        let id = try next("variant")
        try SQLiteStatement(database, "INSERT INTO variant (id, key, mark) VALUES (?, ?, ?)")
            .run([id, key, SQLiteTexts.mark([key])])
        return id
    }

    private func cohort(_ exposure: Exposure, _ randomisation: Int64, _ variant: Int64) throws -> Int64 {
        let override: Int64 = exposure.isOverridden ? 1 : 0
        let find = try SQLiteStatement(
            database,
            """
            SELECT id FROM cohort
            WHERE randomisation = ?1 AND variant = ?2 AND override = ?3 AND reason = ?4
                AND (revision IS NULL) = (?5 IS NULL) AND ifnull(revision, '') = ifnull(?5, '')
            """)
        if let known = try find.number([randomisation, variant, override, exposure.reason, exposure.revision]) {
            return known
        }
        let id = try next("cohort")
        try SQLiteStatement(
            database,
            """
            INSERT INTO cohort (id, randomisation, variant, override, reason, revision, mark)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        ).run([
            id, randomisation, variant, override, exposure.reason, exposure.revision,
            SQLiteTexts.mark([exposure.reason, exposure.revision], [randomisation, variant, override]),
        ])
        return id
    }

    private func next(_ name: String) throws -> Int64 {
        let last = try SQLiteStatement(
            database, "UPDATE last SET value = value + 1 WHERE name = ? RETURNING value")
        guard let number = try last.number([name]) else { throw SQLiteDamage("the last \(name) is missing") }
        return number
    }
}
