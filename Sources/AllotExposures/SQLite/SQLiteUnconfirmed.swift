import GRDB

/// The notes of variants and revisions that no definition has had, in one transaction.
struct SQLiteUnconfirmed {
    /// A variant of a randomisation.
    struct Arm: Hashable {
        let randomisation: Int64
        let variant: Int64
    }

    private let database: Database
    /// The variants of the transaction's exposures, whose sums are written at its end.
    private var seen: Set<Arm> = []
    /// The variants of which notes were added or exposures deleted: notes may be left without exposures.
    private var doubtful: Set<Arm> = []

    init(_ database: Database) {
        self.database = database
    }

    // MARK: Storing

    /// Notes what an exposure names and no definition has, or that a definition has its variant.
    ///
    /// - Returns: the revision with which the exposure is stored; `nil` if it has none, or if there is no room for
    ///   another.
    mutating func note(_ exposure: Exposure, in arm: Arm) throws -> String? {
        let isFirst = seen.insert(arm).inserted
        if exposure.confirmation != .nothing {
            try SQLiteStatement(
                database, "DELETE FROM unconfirmed WHERE randomisation = ? AND variant = ? AND revision = ''"
            ).run([arm.randomisation, arm.variant])
        } else if isFirst, try !hasExposures(arm) {
            try add("", of: arm)
        }
        guard exposure.confirmation != .whole, let revision = exposure.revision, !revision.isEmpty,
            try !isKnown(revision, of: arm)
        else { return exposure.revision }
        let count = try SQLiteStatement(
            database, "SELECT count(*) FROM unconfirmed WHERE randomisation = ? AND variant = ? AND revision <> ''"
        ).number([arm.randomisation, arm.variant])
        guard count ?? 0 < Exposure.Confirmation.revisionLimit else { return nil }
        try add(revision, of: arm)
        return revision
    }

    private func hasExposures(_ arm: Arm) throws -> Bool {
        try SQLiteStatement(
            database, "SELECT 1 FROM cohort WHERE randomisation = ? AND variant = ? AND units > 0 LIMIT 1"
        ).number([arm.randomisation, arm.variant]) != nil
    }

    /// Whether a revision is noted, or exposures with it are stored.
    private func isKnown(_ revision: String, of arm: Arm) throws -> Bool {
        try SQLiteStatement(
            database,
            """
            SELECT 1 FROM unconfirmed WHERE randomisation = ?1 AND variant = ?2 AND revision = ?3
            UNION ALL
            SELECT 1 FROM cohort WHERE randomisation = ?1 AND variant = ?2 AND revision = ?3 AND units > 0
            LIMIT 1
            """
        ).number([arm.randomisation, arm.variant, revision]) != nil
    }

    private mutating func add(_ revision: String, of arm: Arm) throws {
        doubtful.insert(arm)
        try SQLiteStatement(
            database,
            "INSERT OR IGNORE INTO unconfirmed (randomisation, variant, revision, mark) VALUES (?, ?, ?, ?)"
        ).run([arm.randomisation, arm.variant, revision, Self.mark(revision, arm)])
    }

    /// Takes notice of an exposure that was deleted.
    mutating func delete(_ row: SQLiteRow) {
        doubtful.insert(Arm(randomisation: row.place.randomisation, variant: row.place.variant))
    }

    /// Removes the notes of which no exposures are left, once the sums are written.
    func finish() throws {
        let statement = try SQLiteStatement(
            database,
            """
            DELETE FROM unconfirmed WHERE randomisation = ?1 AND variant = ?2 AND NOT EXISTS (
                SELECT 1 FROM cohort WHERE randomisation = ?1 AND variant = ?2 AND units > 0
                    AND unconfirmed.revision IN ('', cohort.revision))
            """)
        for arm in doubtful { try statement.run([arm.randomisation, arm.variant]) }
    }

    private static func mark(_ revision: String, _ arm: Arm) -> Int64 {
        SQLiteTexts.mark([revision], [arm.randomisation, arm.variant])
    }

    // MARK: Other work

    /// The variants that are noted.
    func noted() throws -> Set<Arm> {
        var noted: Set<Arm> = []
        let notes = try SQLiteStatement(
            database, "SELECT randomisation, variant, mark FROM unconfirmed WHERE revision = ''")
        try notes.run { row in
            let arm = Arm(randomisation: row.number(0), variant: row.number(1))
            guard row.number(2) == Self.mark("", arm) else {
                throw SQLiteDamage("an unconfirmed variant is not what was written")
            }
            noted.insert(arm)
        }
        return noted
    }

    /// The noted variants of which exposures are stored, the one whose last exposure was stored longest ago first.
    func arms(_ texts: SQLiteTexts) throws -> [ExposureArm] {
        let notes = try noted()
        let last = try SQLiteStatement(
            database, "SELECT max(cursor) FROM exposure INDEXED BY exposure_time WHERE cohort = ?")
        var cursors: [ExposureArm: Int64] = [:]
        for (index, cohort) in texts.cohorts.enumerated() where cohort.units > 0 {
            guard notes.contains(Arm(randomisation: cohort.randomisation, variant: cohort.variant)),
                let cursor = try last.number([Int64(index + 1)])
            else { continue }
            let arm = texts.arm(of: cohort)
            cursors[arm] = max(cursors[arm] ?? 0, cursor)
        }
        return cursors.sorted { $0.value < $1.value }.map(\.key)
    }

    /// Removes the notes of variants and revisions, which definitions have.
    func confirm(_ arms: [(arm: ExposureArm, revision: String)]) throws {
        let statement = try SQLiteStatement(
            database,
            """
            DELETE FROM unconfirmed
            WHERE randomisation = (SELECT id FROM randomisation WHERE experiment = ? AND salt = ?)
                AND variant = (SELECT id FROM variant WHERE key = ?) AND revision IN ('', ?)
            """)
        for (arm, revision) in arms { try statement.run([arm.experiment, arm.salt, arm.variant, revision]) }
    }
}
