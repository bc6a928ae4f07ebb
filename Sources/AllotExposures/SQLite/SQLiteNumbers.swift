internal import AllotConfiguration
import GRDB

/// The numbers that stand for the texts of exposures, as one transaction finds and makes them.
struct SQLiteNumbers {
    /// Texts that have one place, by their bytes.
    struct Key: Hashable {
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

    /// The tables of texts.
    private enum Table: String {
        case randomisation
        case variant
        case cohort

        /// The statement that finds the numbers of which no exposure is stored. It looks at the exposures as well: a
        /// damaged sum must not give their number to others.
        var free: String {
            switch self {
            case .randomisation:
                """
                SELECT id FROM randomisation WHERE entries = 0 AND NOT EXISTS (
                    SELECT 1 FROM exposure INDEXED BY exposure_identity
                    WHERE exposure.randomisation = randomisation.id)
                """
            case .variant:
                """
                SELECT id FROM variant WHERE id NOT IN (
                    SELECT variant FROM cohort WHERE units > 0 OR EXISTS (
                        SELECT 1 FROM exposure INDEXED BY exposure_time WHERE exposure.cohort = cohort.id))
                """
            case .cohort:
                """
                SELECT id FROM cohort WHERE units = 0 AND NOT EXISTS (
                    SELECT 1 FROM exposure INDEXED BY exposure_time WHERE exposure.cohort = cohort.id)
                """
            }
        }
    }

    private let database: Database
    /// What was found or made.
    private var places: [Key: SQLiteRow.Place] = [:]
    /// The numbers that were found or made: the sums do not know yet what they have.
    private var used: [Table: Set<Int64>] = [:]
    /// The numbers of which nothing was stored when the first one was needed.
    private var free: [Table: [Int64]] = [:]
    var unconfirmed: SQLiteUnconfirmed

    init(_ database: Database) {
        self.database = database
        unconfirmed = SQLiteUnconfirmed(database)
    }

    mutating func place(of exposure: Exposure) throws -> SQLiteRow.Place {
        let key = Key(exposure)
        if let known = places[key] { return known }
        let arm = SQLiteUnconfirmed.Arm(
            randomisation: try randomisation(exposure.experiment, exposure.salt),
            variant: try variant(exposure.variant))
        let revision = try unconfirmed.note(exposure, in: arm)
        let place = SQLiteRow.Place(
            randomisation: arm.randomisation, variant: arm.variant, cohort: try cohort(exposure, revision, in: arm))
        places[key] = place
        return place
    }

    private mutating func randomisation(_ experiment: String, _ salt: String) throws -> Int64 {
        let find = try SQLiteStatement(database, "SELECT id FROM randomisation WHERE experiment = ? AND salt = ?")
        if let known = try find.number([experiment, salt]) { return use(known, of: .randomisation) }
        let id = try next(.randomisation)
        try SQLiteStatement(
            database,
            """
            INSERT INTO randomisation (id, experiment, salt, mark, received_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET experiment = excluded.experiment, salt = excluded.salt,
                mark = excluded.mark, received_at = excluded.received_at
            """
        ).run([id, experiment, salt, SQLiteTexts.mark([experiment, salt]), Int64.min])
        return id
    }

    private mutating func variant(_ key: String) throws -> Int64 {
        if let known = try SQLiteStatement(database, "SELECT id FROM variant WHERE key = ?").number([key]) {
            return use(known, of: .variant)
        }
        let id = try next(.variant)
        try SQLiteStatement(
            database,
            """
            INSERT INTO variant (id, key, mark) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET key = excluded.key, mark = excluded.mark
            """
        ).run([id, key, SQLiteTexts.mark([key])])
        return id
    }

    private mutating func cohort(
        _ exposure: Exposure, _ revision: String?, in arm: SQLiteUnconfirmed.Arm
    ) throws -> Int64 {
        let override: Int64 = exposure.isOverridden ? 1 : 0
        let find = try SQLiteStatement(
            database,
            """
            SELECT id FROM cohort
            WHERE randomisation = ?1 AND variant = ?2 AND override = ?3 AND reason = ?4
                AND (revision IS NULL) = (?5 IS NULL) AND ifnull(revision, '') = ifnull(?5, '')
            """)
        if let known = try find.number([arm.randomisation, arm.variant, override, exposure.reason, revision]) {
            return use(known, of: .cohort)
        }
        let id = try next(.cohort)
        try SQLiteStatement(
            database,
            """
            INSERT INTO cohort (id, randomisation, variant, override, reason, revision, mark)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET randomisation = excluded.randomisation, variant = excluded.variant,
                override = excluded.override, reason = excluded.reason, revision = excluded.revision,
                mark = excluded.mark
            """
        ).run([
            id, arm.randomisation, arm.variant, override, exposure.reason, revision,
            SQLiteTexts.mark([exposure.reason, revision], [arm.randomisation, arm.variant, override]),
        ])
        return id
    }

    private mutating func use(_ number: Int64, of table: Table) -> Int64 {
        used[table, default: []].insert(number)
        return number
    }

    /// A number for new texts: one of which nothing is stored any more, or else the next.
    private mutating func next(_ table: Table) throws -> Int64 {
        if free[table] == nil {
            var numbers: [Int64] = []
            try SQLiteStatement(database, table.free).run { numbers.append($0.number(0)) }
            free[table] = numbers
        }
        while let number = free[table]?.popLast() {
            if used[table, default: []].insert(number).inserted { return number }
        }
        let last = try SQLiteStatement(
            database, "UPDATE last SET value = value + 1 WHERE name = ? RETURNING value")
        guard let number = try last.number([table.rawValue]) else {
            throw SQLiteDamage("the last \(table.rawValue) is missing")
        }
        return use(number, of: table)
    }
}
