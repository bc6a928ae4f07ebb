import AllotExposures

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
            try connection.query(sql, conditions.parameters).map { row in
                ExposureDeletion.Part(
                    experiment: row.text(0), count: Int(row.number(1)), earliest: row.number(2), latest: row.number(3))
            }
        }.summed
    }

    /// Deletes exposures for good, and remembers the last cursor: exports go on after it even if its row is deleted.
    func delete(_ deletion: ExposureDeletion, limit: Int) throws -> Int {
        let conditions = PostgreSQLDeletion(deletion)
        let parameters = conditions.parameters + [.number(Int64(limit))]
        let most = "LIMIT $\(parameters.count)::bigint"
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
        return try write { connection throws(PostgreSQLError) in
            try connection.query("UPDATE store SET deleted_cursor = (\(Self.lastCursor))")
            let deleted = PostgreSQLWriter.armsAndRevisions(try connection.query(sql, parameters))
            try PostgreSQLWriter(connection).removeNotes(of: deleted)
            return deleted.count
        }
    }

    func erase(unit: String) throws -> Int {
        let count = try delete(ExposureDeletion(unit: unit), limit: .max)
        // Rows that are deleted, and their entries in the indexes, stay in the files until this.
        try read { connection throws(PostgreSQLError) in
            _ = try connection.execute("VACUUM (INDEX_CLEANUP ON) exposure")
        }
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
            let arms = rows.compactMap { row -> (receivedAt: Int64, arm: ExposureArm)? in
                let arm = ExposureArm(experiment: row.text(0), salt: row.text(1), variant: row.text(2))
                return row.numberIfAny(3).map { ($0, arm) }
            }
            return arms.sorted { $0.receivedAt < $1.receivedAt }.map(\.arm)
        }
    }

    func confirm(_ arms: [(arm: ExposureArm, revision: String)]) throws {
        let isEmpty = try read(patience: patience / 3) { connection throws(PostgreSQLError) in
            try !connection.query("SELECT EXISTS (SELECT FROM unconfirmed)")[0].boolean(0)
        }
        // Most plans find nothing to confirm, and a transaction makes other servers wait.
        if isEmpty { return }
        let parameters = arms.map(\.arm).parameters + [.texts(arms.map(\.revision))]
        try write { connection throws(PostgreSQLError) in
            _ = try connection.query(PostgreSQLWriter.confirmation, parameters)
        }
    }
}

/// The exposures of a deletion, as conditions of a statement.
struct PostgreSQLDeletion {
    private(set) var parameters: [PostgreSQLValue]
    private(set) var ofArm = "true"
    private(set) var ofExposure = "at < $1::bigint"

    init(_ deletion: ExposureDeletion) {
        parameters = [.number(deletion.before ?? .max)]
        if let experiments = deletion.experiments {
            parameters.append(.texts(experiments))
            ofArm += " AND experiment = ANY ($\(parameters.count)::text[])"
        }
        if let unconfirmed = deletion.unconfirmed {
            let lists = (1...3).map { "$\(parameters.count + $0)::text[]" }.joined(separator: ", ")
            parameters += unconfirmed.parameters
            ofArm += """
                 AND (experiment, salt, variant) IN (SELECT * FROM unnest(\(lists)))
                 AND EXISTS (SELECT FROM unconfirmed WHERE unconfirmed.arm = arm.id AND unconfirmed.revision = '')
                """
        }
        if let unit = deletion.unit {
            parameters.append(.text(unit))
            ofExposure += " AND unit = $\(parameters.count)::text"
        }
    }
}
