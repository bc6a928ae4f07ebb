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

    private func add(_ revision: String, of arm: Arm) throws {
        try SQLiteStatement(
            database,
            "INSERT OR IGNORE INTO unconfirmed (randomisation, variant, revision, mark) VALUES (?, ?, ?, ?)"
        ).run([arm.randomisation, arm.variant, revision, Self.mark(revision, arm)])
    }

    private static func mark(_ revision: String, _ arm: Arm) -> Int64 {
        SQLiteTexts.mark([revision], [arm.randomisation, arm.variant])
    }

    // MARK: Other work

    /// The variants of which exposures are stored, the one that was received longest ago first.
    func arms(_ texts: SQLiteTexts) throws -> [ExposureArm] {
        var cohorts: [Arm: SQLiteTexts.Cohort] = [:]
        for cohort in texts.cohorts where cohort.units > 0 {
            cohorts[Arm(randomisation: cohort.randomisation, variant: cohort.variant)] = cohort
        }
        var found: [(receivedAt: Int64, arm: ExposureArm)] = []
        let notes = try SQLiteStatement(
            database, "SELECT randomisation, variant, mark FROM unconfirmed WHERE revision = ''")
        try notes.run { row in
            let arm = Arm(randomisation: row.number(0), variant: row.number(1))
            guard row.number(2) == Self.mark("", arm) else {
                throw SQLiteDamage("an unconfirmed variant is not what was written")
            }
            guard let cohort = cohorts[arm] else { return }
            let receivedAt = texts.randomisations[Int(cohort.randomisation - 1)].receivedAt
            found.append((receivedAt, texts.arm(of: cohort)))
        }
        return found.sorted { $0.receivedAt < $1.receivedAt }.map(\.arm)
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

    /// Removes the notes of which no exposures are left.
    func removeEmpty() throws {
        try SQLiteStatement(
            database,
            """
            DELETE FROM unconfirmed WHERE NOT EXISTS (
                SELECT 1 FROM cohort
                WHERE cohort.randomisation = unconfirmed.randomisation AND cohort.variant = unconfirmed.variant
                    AND units > 0 AND unconfirmed.revision IN ('', cohort.revision))
            """
        ).run()
    }
}
