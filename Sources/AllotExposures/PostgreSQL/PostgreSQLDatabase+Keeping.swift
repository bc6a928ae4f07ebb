/// Deletions, and the notes of what no definition has had.
extension PostgreSQLDatabase {
    func preview(of deletion: ExposureDeletion) throws -> [ExposureDeletion.Part] {
        let conditions = PostgreSQLDeletion(deletion)
        let sql = """
            SELECT experiment, number, earliest, latest
            FROM arm CROSS JOIN LATERAL (
                SELECT count(*) AS number, min(at) AS earliest, max(at) AS latest
                FROM exposure WHERE exposure.arm = arm.id AND \(conditions.ofExposure)) AS found
            WHERE \(conditions.ofArm) AND number > 0
            """
        return try read { connection throws(PostgreSQLError) in
            let rows = try connection.query(sql, conditions.parameters)
            return (0..<rows.count).map { row in
                ExposureDeletion.Part(
                    experiment: rows.text(row, 0), count: Int(rows.number(row, 1)), earliest: rows.number(row, 2),
                    latest: rows.number(row, 3))
            }
        }.summed
    }

    /// Deletes exposures for good, and remembers the last cursor: exports go on after it even if its row is deleted.
    func delete(_ deletion: ExposureDeletion, limit: Int) throws -> Int {
        let conditions = PostgreSQLDeletion(deletion)
        var parameters = conditions.parameters
        parameters.add(Int64(limit))
        let most = "LIMIT $\(parameters.ranges.count)::bigint"
        // A unit is found through the index of the identities, others through that of the times.
        let sql = """
            DELETE FROM exposure WHERE cursor = ANY (ARRAY (
                SELECT cursor
                FROM arm CROSS JOIN LATERAL (
                    SELECT cursor FROM exposure WHERE exposure.arm = arm.id AND \(conditions.ofExposure)
                    \(deletion.unit == nil ? "ORDER BY at" : "") \(most)) AS found
                WHERE \(conditions.ofArm) \(most)))
            RETURNING arm, revision
            """
        return try write { [parameters] connection throws(PostgreSQLError) in
            try connection.query("UPDATE store SET deleted_cursor = (\(Self.lastCursor))")
            let deleted = PostgreSQLWriter.armsAndRevisions(try connection.query(sql, parameters))
            try PostgreSQLWriter(connection).removeNotes(of: deleted)
            return deleted.count
        }
    }

    func erase(unit: String) throws -> Int {
        let count = try delete(ExposureDeletion(unit: unit), limit: .max)
        // Rows that are deleted, and their entries in the indexes, stay in the files until this.
        try read { connection throws(PostgreSQLError) in try connection.execute("VACUUM (INDEX_CLEANUP ON) exposure") }
        return count
    }

    func unconfirmedArms() throws -> [ExposureArm] {
        try read(patience: patience / 3) { connection throws(PostgreSQLError) in
            let rows = try connection.query(
                """
                SELECT experiment, salt, variant,
                    max((SELECT max(received_at) FROM exposure WHERE exposure.arm = arm.id)) AS received
                FROM unconfirmed JOIN arm ON arm.id = unconfirmed.arm
                WHERE unconfirmed.revision = '' GROUP BY experiment, salt, variant
                """)
            let arms = (0..<rows.count).compactMap { row -> (receivedAt: Int64, arm: ExposureArm)? in
                guard let receivedAt = rows.numberIfAny(row, 3) else { return nil }
                let arm = ExposureArm(
                    experiment: rows.text(row, 0), salt: rows.text(row, 1), variant: rows.text(row, 2))
                return (receivedAt, arm)
            }
            return arms.sorted { $0.receivedAt < $1.receivedAt }.map(\.arm)
        }
    }

    func confirm(_ arms: [(arm: ExposureArm, revision: String)]) throws {
        let isEmpty = try read(patience: patience / 3) { connection throws(PostgreSQLError) in
            try !connection.query("SELECT EXISTS (SELECT FROM unconfirmed)").boolean(0, 0)
        }
        // Most plans find nothing to confirm, and a transaction makes other servers wait.
        if isEmpty { return }
        var parameters = PostgreSQLParameters()
        parameters.add(arms.map(\.arm))
        parameters.add(arms.map(\.revision) as [String?])
        try write { [parameters] connection throws(PostgreSQLError) in
            try connection.query(PostgreSQLWriter.confirmation, parameters)
        }
    }
}

/// The exposures that a deletion is about, as conditions of a statement.
struct PostgreSQLDeletion {
    private(set) var parameters = PostgreSQLParameters()
    /// The condition for a row of `arm`.
    private(set) var ofArm = "true"
    /// The condition for a row of `exposure`.
    private(set) var ofExposure = "at < $1::bigint"

    init(_ deletion: ExposureDeletion) {
        parameters.add(deletion.before ?? .max)
        if let experiments = deletion.experiments {
            parameters.add(experiments as [String?])
            ofArm += " AND experiment = ANY ($\(parameters.ranges.count)::text[])"
        }
        if let unconfirmed = deletion.unconfirmed {
            let first = parameters.ranges.count
            parameters.add(unconfirmed)
            let lists = (1...3).map { "$\(first + $0)::text[]" }.joined(separator: ", ")
            ofArm += """
                 AND (experiment, salt, variant) IN (SELECT * FROM unnest(\(lists)))
                 AND EXISTS (SELECT FROM unconfirmed WHERE unconfirmed.arm = arm.id AND unconfirmed.revision = '')
                """
        }
        if let unit = deletion.unit {
            parameters.add(unit)
            ofExposure += " AND unit = $\(parameters.ranges.count)::text"
        }
    }
}
