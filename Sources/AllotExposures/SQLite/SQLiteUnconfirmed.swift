import GRDB

/// The notes of variants and revisions that no definition has had, in one transaction. An empty revision stands for the
/// variant itself. Notes go with the last of their cohorts.
struct SQLiteUnconfirmed {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Notes what an exposure names and no definition has, or that a definition has its variant: before the exposure
    /// has a cohort. Returns the revision to store; `nil` if it has none, or if there is no room for another.
    func note(_ exposure: Exposure) throws -> String? {
        let arm: StatementArguments = [
            "experiment": exposure.experiment, "salt": exposure.salt, "variant": exposure.variant,
        ]
        if exposure.confirmation != .nothing {
            try delete.execute(arguments: arm + ["revision": ""])
        } else if try !isFound("SELECT 1 FROM cohort WHERE \(Self.isOfArm) LIMIT 1", arm) {
            try add("", arm)
        }
        guard exposure.confirmation != .whole, let revision = exposure.revision, !revision.isEmpty else {
            return exposure.revision
        }
        let isKnown = try isFound(
            """
            SELECT 1 FROM unconfirmed WHERE \(Self.isOfArm) AND revision = :revision
            UNION ALL SELECT 1 FROM cohort WHERE \(Self.isOfArm) AND revision = :revision LIMIT 1
            """, arm + ["revision": revision])
        if isKnown { return revision }
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM unconfirmed WHERE \(Self.isOfArm) AND revision <> ''", arguments: arm)
        guard count ?? 0 < Exposure.Confirmation.revisionLimit else { return nil }
        try add(revision, arm)
        return revision
    }

    private static let isOfArm = "experiment = :experiment AND salt = :salt AND variant = :variant"

    private var delete: Statement {
        get throws {
            try database.cachedStatement(
                sql: "DELETE FROM unconfirmed WHERE \(Self.isOfArm) AND revision IN ('', :revision)")
        }
    }

    private func isFound(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
        try Int.fetchOne(database, sql: sql, arguments: arguments) != nil
    }

    private func add(_ revision: String, _ arm: StatementArguments) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO unconfirmed (experiment, salt, variant, revision)
                VALUES (:experiment, :salt, :variant, :revision)
                """, arguments: arm + ["revision": revision])
    }

    func confirm(_ arms: [(arm: ExposureArm, revision: String)]) throws {
        let delete = try delete
        for (arm, revision) in arms {
            try delete.execute(
                arguments: [
                    "experiment": arm.experiment, "salt": arm.salt, "variant": arm.variant, "revision": revision,
                ])
        }
    }

    /// The noted variants, the one whose last exposure was received longest ago first.
    func arms() throws -> [ExposureArm] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT experiment, salt, variant FROM unconfirmed JOIN cohort USING (experiment, salt, variant)
                WHERE unconfirmed.revision = '' GROUP BY experiment, salt, variant ORDER BY max(received_at), max(id)
                """)
        return try rows.map { row in
            ExposureArm(
                experiment: try row.decode(atIndex: 0), salt: try row.decode(atIndex: 1),
                variant: try row.decode(atIndex: 2))
        }
    }
}
