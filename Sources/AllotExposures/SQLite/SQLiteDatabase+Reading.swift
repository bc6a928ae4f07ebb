internal import AllotConfiguration
import GRDB

extension SQLiteDatabase {
    // MARK: Randomisations

    package func randomisations(of experiment: String?) throws -> [StoredRandomisation] {
        Dictionary(grouping: try read { try SQLiteCohort.all($0, of: experiment) }) {
            [UTF8Key($0.arm.experiment), UTF8Key($0.arm.salt)]
        }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        .map { texts, cohorts in
            StoredRandomisation(
                experiment: texts[0].text, salt: texts[1].text,
                variants: Set(cohorts.map { UTF8Key($0.arm.variant) }).sorted().map(\.text),
                lastReceivedAt: cohorts.map(\.receivedAt).max() ?? 0)
        }
    }

    // MARK: Counts

    package func hasWindows(experiment: String, salt: String) throws -> Bool {
        let sql = """
            SELECT EXISTS (
                SELECT 1 FROM exposure INDEXED BY exposure_identity
                WHERE randomisation IN (SELECT randomisation FROM cohort WHERE experiment = ? AND salt = ?)
                    AND window_number >= 0)
            """
        return try read { try Bool.fetchOne($0, sql: sql, arguments: [experiment.argument, salt.argument]) } ?? false
    }

    package func totals() throws -> [ExposureTotal] {
        try read { try SQLiteCohort.all($0) }.map { cohort in
            ExposureTotal(
                experiment: cohort.arm.experiment, salt: cohort.arm.salt, variant: cohort.arm.variant,
                revision: cohort.revision, reason: cohort.reason, isCounted: cohort.isCounted, units: cohort.units)
        }
    }

    package func counts(experiment: String, salt: String) throws -> ExposureCounts {
        try read { database in
            let cohorts = try SQLiteCohort.all(database, of: experiment, salt: salt)
            return ExposureCounts(
                groups: try cohorts.map { try Self.group($0, database) },
                unitsInSeveralVariants: try Self.unitsInSeveralVariants(of: cohorts, database))
        }
    }

    package func histories(of randomisations: [(experiment: String, salt: String)]) throws -> [ExposureHistory] {
        try read { database in
            try randomisations.map { experiment, salt in
                let cohorts = try SQLiteCohort.all(database, of: experiment, salt: salt)
                let several = try Self.unitsInSeveralVariants(of: cohorts, database)
                let repeats = try several > 0 ? Self.repeats(of: cohorts, database) : [:]
                let groups = try cohorts.map { cohort in
                    (try Self.group(cohort, database), try Self.days(cohort.id, repeats[cohort.id] ?? [:], database))
                }
                return ExposureHistory(groups: groups, unitsInSeveralVariants: several)
            }
        }
    }

    /// Reads one tree alone, in its order: no rows are read and nothing is sorted.
    private static func group(_ cohort: SQLiteCohort, _ database: Database) throws -> ExposureCounts.Group {
        let times = try database.cachedStatement(
            sql: "SELECT count(*), min(at), max(at) FROM exposure INDEXED BY exposure_time WHERE cohort = ?")
        guard let row = try Row.fetchOne(times, arguments: [cohort.id]),
            try row.decode(Int.self, atIndex: 0) == cohort.units
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "exposures of a cohort are missing") }
        return ExposureCounts.Group(
            variant: cohort.arm.variant, revision: cohort.revision, reason: cohort.reason,
            isOverridden: cohort.isOverridden, units: cohort.units, earliest: try row.decode(atIndex: 1),
            latest: try row.decode(atIndex: 2))
    }

    /// The days of a cohort, with the units of each that were counted in another variant before: the tree of times is
    /// read from one day that has units to the next.
    private static func days(
        _ cohort: Int64, _ repeats: [Int64: Int], _ database: Database
    ) throws -> [ExposureHistory.Day] {
        let next = try database.cachedStatement(
            sql: "SELECT min(at) FROM exposure INDEXED BY exposure_time WHERE cohort = ? AND at >= ?")
        let count = try database.cachedStatement(
            sql: "SELECT count(*) FROM exposure INDEXED BY exposure_time WHERE cohort = ? AND at >= ? AND at < ?")
        var days: [ExposureHistory.Day] = []
        var start = Int64.min
        while let first = try Int64.fetchOne(next, arguments: [cohort, start]) {
            let day = ExposureHistory.day(of: first)
            start = (day + 1) * ExposureHistory.dayLength
            let units = try Int.fetchOne(count, arguments: [cohort, first, start]) ?? 0
            days.append(ExposureHistory.Day(day: Int(day), units: units, repeats: repeats[day] ?? 0))
        }
        return days
    }

    /// The units of a randomisation that are counted in several variants, in one window where there are windows. The
    /// entries of a unit follow one another in the tree of identities, so nothing is sorted.
    private static let several = """
        SELECT unit, window_number FROM exposure INDEXED BY exposure_identity
        WHERE randomisation = ?1 GROUP BY unit, window_number HAVING count(*) > 1
        """

    private static func unitsInSeveralVariants(of cohorts: [SQLiteCohort], _ database: Database) throws -> Int {
        let counted = cohorts.filter(\.isCounted)
        guard Set(counted.map(\.arm)).count > 1 else { return 0 }
        return try Int.fetchOne(
            database, sql: "SELECT count(*) FROM (\(several))", arguments: [counted[0].randomisation]) ?? 0
    }

    /// By cohort and day, the units that were counted in another variant earlier.
    private static func repeats(of cohorts: [SQLiteCohort], _ database: Database) throws -> [Int64: [Int64: Int]] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT cohort, at FROM (
                    SELECT cohort, at, row_number() OVER (PARTITION BY unit, window_number ORDER BY at, cursor) AS place
                    FROM (\(several)) AS several
                        CROSS JOIN exposure INDEXED BY exposure_identity USING (unit, window_number)
                    WHERE randomisation = ?1)
                WHERE place > 1
                """, arguments: [cohorts.first(where: \.isCounted)?.randomisation])
        var repeats: [Int64: [Int64: Int]] = [:]
        while let row = try rows.next() {
            let day = ExposureHistory.day(of: try row.decode(atIndex: 1))
            repeats[try row.decode(atIndex: 0), default: [:]][day, default: 0] += 1
        }
        return repeats
    }

    // MARK: Exposures

    /// A row of the exposures with the rest of its texts. An exposure whose cohort is missing has no reason, and is an
    /// error.
    private struct Record: FetchableRecord {
        let cursor: Int64
        let exposure: Exposure

        static let columns = """
            cursor, event, unit, experiment, salt, exposure.variant, reason, at, \
            exposure.received_at, revision, override, doubt, reported_at, attributes, nullif(window_number, -1)
            """
        static let cohort = "LEFT JOIN cohort ON cohort.id = exposure.cohort"

        init(row: Row) throws {
            cursor = try row.decode(atIndex: 0)
            var exposure = Exposure(
                id: try row.decode(atIndex: 1), unit: try row.decode(atIndex: 2),
                experiment: try row.decode(atIndex: 3), salt: try row.decode(atIndex: 4),
                variant: try row.decode(atIndex: 5), reason: try row.decode(atIndex: 6),
                at: try row.decode(atIndex: 7), receivedAt: try row.decode(Int64.self, atIndex: 8))
            exposure.revision = try row.decode(atIndex: 9)
            exposure.isOverridden = try row.decode(atIndex: 10)
            if let doubt = try row.decode(String?.self, atIndex: 11) {
                exposure.doubt = Exposure.Doubt(rawValue: doubt)
                guard exposure.doubt != nil else {
                    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "exposure \(cursor) has an unknown doubt")
                }
            }
            exposure.reportedAt = try row.decode(atIndex: 12)
            exposure.attributes = try row.decode(atIndex: 13)
            exposure.window = try row.decode(atIndex: 14)
            self.exposure = exposure
        }
    }

    package func exposures(
        of selection: ExposureSelection, after: Int64, through: Int64, limit: Int
    ) throws -> (exposures: [Exposure], cursor: Int64) {
        var conditions = "counted = :counted"
        var arguments: StatementArguments = [
            "after": after, "through": through, "counted": selection.isCounted, "limit": limit,
        ]
        for (name, text) in [("experiment", selection.experiment), ("salt", selection.salt)] {
            guard let text else { continue }
            conditions += " AND \(name) = :\(name)"
            arguments += [name: text.argument]
        }
        // No index but that of the cursors gives their order.
        let sql = """
            SELECT \(Record.columns) FROM exposure NOT INDEXED \(Record.cohort)
            WHERE cursor > :after AND cursor <= :through AND (cohort.id IS NULL OR \(conditions))
            ORDER BY cursor LIMIT :limit
            """
        let records = try read { try Record.fetchAll($0, sql: sql, arguments: arguments) }
        return (records.map(\.exposure), records.count < limit ? through : records.last?.cursor ?? through)
    }

    /// Looks the unit up in the tree of identities, for one randomisation after another.
    package func exposures(ofUnit unit: String) throws -> [Exposure] {
        let sql = """
            SELECT \(Record.columns)
            FROM (SELECT DISTINCT randomisation FROM cohort) AS known
                CROSS JOIN exposure INDEXED BY exposure_identity
                ON exposure.randomisation = known.randomisation AND exposure.unit = ?
                \(Record.cohort)
            """
        return try read { try Record.fetchAll($0, sql: sql, arguments: [unit.argument]) }.map(\.exposure)
    }
}
