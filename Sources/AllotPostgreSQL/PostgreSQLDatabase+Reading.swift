import AllotConfiguration
import AllotExposures

extension PostgreSQLDatabase {
    func exposures(
        of selection: ExposureSelection, after: Int64, through: Int64, limit: Int
    ) throws -> (exposures: [Exposure], cursor: Int64) {
        try read { connection throws(PostgreSQLError) in
            let rows = try connection.query(
                Self.page,
                [
                    .number(after), .number(through), .boolean(selection.isCounted), .text(selection.experiment),
                    .text(selection.salt), .number(Int64(limit)),
                ])
            return (rows.map(Self.exposure), rows.count < limit ? through : rows.last?.number(0) ?? through)
        }
    }

    func exposures(ofUnit unit: String) throws -> [Exposure] {
        try read { connection throws(PostgreSQLError) in
            try connection.query(Self.unit, [.text(unit)]).map(Self.exposure)
        }
    }

    private static let columns = """
        cursor, event, unit, experiment, salt, variant, revision, reason, override, at, received_at, doubt, \
        reported_at, attributes, nullif(window_number, -1)
        """

    /// One look into the index of the identities for each arm.
    private static let unit = """
        SELECT \(columns)
        FROM arm JOIN exposure ON exposure.arm = arm.id
        WHERE unit = $1::text
        """

    private static let page = """
        SELECT \(columns)
        FROM exposure JOIN arm ON arm.id = exposure.arm
        WHERE cursor > $1::bigint AND cursor <= $2::bigint AND counted = $3::boolean
            AND ($4::text IS NULL OR experiment = $4) AND ($5::text IS NULL OR salt = $5)
        ORDER BY cursor LIMIT $6::bigint
        """

    private static func exposure(_ row: PostgreSQLRows.Row) -> Exposure {
        var exposure = Exposure(
            id: row.textIfAny(1), unit: row.text(2), experiment: row.text(3), salt: row.text(4), variant: row.text(5),
            reason: row.text(7), at: row.number(9), receivedAt: row.number(10))
        exposure.revision = row.textIfAny(6)
        exposure.isOverridden = row.boolean(8)
        exposure.doubt = row.textIfAny(11).flatMap(Exposure.Doubt.init)
        exposure.reportedAt = row.numberIfAny(12)
        exposure.attributes = row.textIfAny(13)
        exposure.window = row.numberIfAny(14)
        return exposure
    }

    func randomisations(of experiment: String?) throws -> [StoredRandomisation] {
        try read { connection throws(PostgreSQLError) in
            try connection.query(Self.arms, [.text(experiment)]).map { row in
                StoredRandomisation(
                    experiment: row.text(0), salt: row.text(1), variants: row.texts(2), lastReceivedAt: row.number(3))
            }
        }
    }

    /// One look into an index for each arm, however many exposures it has.
    private static let arms = """
        SELECT experiment, salt, array_agg(DISTINCT variant ORDER BY variant), max(received)
        FROM (
            SELECT experiment, salt, variant,
                (SELECT max(received_at) FROM exposure WHERE exposure.arm = arm.id) AS received
            FROM arm WHERE $1::text IS NULL OR experiment = $1) AS arms
        WHERE received IS NOT NULL
        GROUP BY experiment, salt ORDER BY experiment, salt
        """

    func hasWindows(experiment: String, salt: String) throws -> Bool {
        try read { connection throws(PostgreSQLError) in
            try connection.query(
                """
                SELECT EXISTS (
                    SELECT FROM arm JOIN exposure ON exposure.arm = arm.id
                    WHERE experiment = $1::text AND salt = $2::text AND window_number >= 0)
                """, [.text(experiment), .text(salt)])[0].boolean(0)
        }
    }

    func counts(experiment: String, salt: String) throws -> ExposureCounts {
        try histories(of: [(experiment, salt)], withRepeats: false)[0].counts
    }

    func histories(of randomisations: [(experiment: String, salt: String)]) throws -> [ExposureHistory] {
        try histories(of: randomisations, withRepeats: true)
    }

    private func histories(
        of randomisations: [(experiment: String, salt: String)], withRepeats: Bool
    ) throws -> [ExposureHistory] {
        try read { connection throws(PostgreSQLError) in
            // All statements see the same moment.
            try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1") {
                connection throws(PostgreSQLError) in
                var histories: [ExposureHistory] = []
                for (experiment, salt) in randomisations {
                    let parameters: [PostgreSQLValue] = [.text(experiment), .text(salt)]
                    let days = try connection.query(Self.days, parameters)
                    let (units, repeats) = try unitsInSeveralVariants(parameters, withRepeats: withRepeats, connection)
                    histories.append(ExposureHistory(groups: Self.groups(days, repeats), unitsInSeveralVariants: units))
                }
                return histories
            }
        }
    }

    func totals() throws -> [ExposureTotal] {
        try read { connection throws(PostgreSQLError) in
            let rows = try connection.query(
                """
                SELECT experiment, salt, variant, revision, reason, counted, count(*)
                FROM arm JOIN exposure ON exposure.arm = arm.id GROUP BY arm.id, revision, reason
                """)
            return rows.map { row in
                ExposureTotal(
                    experiment: row.text(0), salt: row.text(1), variant: row.text(2), revision: row.textIfAny(3),
                    reason: row.text(4), isCounted: row.boolean(5), units: Int(row.number(6)))
            }
        }
    }

    /// The first columns of a row: all that the units of a group have in common.
    private struct GroupKey: Hashable {
        let texts: [UTF8Key?]
        let isOverridden: Bool

        init(_ row: PostgreSQLRows.Row) {
            texts = [row.text(0), row.textIfAny(1), row.text(2)].map { $0.map(UTF8Key.init) }
            isOverridden = row.boolean(3)
        }
    }

    /// Puts the rows of each group together, with the repeats by day: units that another variant had counted.
    private static func groups(
        _ rows: PostgreSQLRows, _ repeats: [GroupKey: [Int: Int]]
    ) -> [(group: ExposureCounts.Group, days: [ExposureHistory.Day])] {
        Dictionary(grouping: rows, by: GroupKey.init).map { key, rows in
            let days = rows.map { row in
                let day = Int(row.number(4))
                return ExposureHistory.Day(day: day, units: Int(row.number(5)), repeats: repeats[key]?[day] ?? 0)
            }
            let group = ExposureCounts.Group(
                variant: rows[0].text(0), revision: rows[0].textIfAny(1), reason: rows[0].text(2),
                isOverridden: key.isOverridden, units: days.reduce(0) { $0 + $1.units },
                earliest: rows.map { $0.number(6) }.min() ?? 0, latest: rows.map { $0.number(7) }.max() ?? 0)
            return (group, days.sorted { $0.day < $1.day })
        }
    }

    /// The day of a time. Division cuts off towards zero, and no time is before the year 0.
    private static let day = "(at + 62167219200000) / 86400000 - 719528"

    /// Reads the index on the times alone.
    private static let days = """
        SELECT variant, revision, reason, override, \(day) AS day, count(*), min(at), max(at)
        FROM arm JOIN exposure ON exposure.arm = arm.id
        WHERE experiment = $1::text AND salt = $2::text
        GROUP BY variant, revision, reason, override, day
        """

    /// The number of these units, and by group and day those that were counted in another variant before, if wanted.
    /// Merges the index's parts of all counted arms, each of which is ordered by unit and window: nothing is sorted.
    private func unitsInSeveralVariants(
        _ parameters: [PostgreSQLValue], withRepeats: Bool, _ connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> (units: Int, repeats: [GroupKey: [Int: Int]]) {
        let rows = try connection.query(
            "SELECT id FROM arm WHERE experiment = $1::text AND salt = $2::text AND counted", parameters)
        guard rows.count > 1 else { return (0, [:]) }
        let arms = rows.map { "\($0.number(0))" }
        let units = arms.map {
            "(SELECT unit, window_number FROM exposure WHERE arm = \($0) ORDER BY unit, window_number)"
        }
        let several = """
            (SELECT unit, window_number FROM (\(units.joined(separator: " UNION ALL "))) AS units
            GROUP BY unit, window_number HAVING count(*) > 1)
            """
        try connection.execute("SET LOCAL enable_hashagg = off")
        let count = Int(try connection.queryOnce("SELECT count(*) FROM \(several) AS several")[0].number(0))
        guard withRepeats, count > 0 else { return (count, [:]) }
        let repeated = try connection.queryOnce(Self.repeats(of: several, arms: arms.joined(separator: ", ")))
        var repeats: [GroupKey: [Int: Int]] = [:]
        for row in repeated { repeats[GroupKey(row), default: [:]][Int(row.number(4))] = Int(row.number(5)) }
        return (count, repeats)
    }

    /// Looks the exposures of each of some units up in the index of the identities.
    private static func repeats(of units: String, arms: String) -> String {
        """
        SELECT variant, revision, reason, override, \(day) AS day, count(*)
        FROM \(units) AS several JOIN exposure USING (unit, window_number) JOIN arm ON arm.id = exposure.arm
        WHERE exposure.arm IN (\(arms)) AND EXISTS (
            SELECT FROM exposure AS other
            WHERE other.arm IN (\(arms)) AND other.unit = exposure.unit
                AND other.window_number = exposure.window_number
                AND (other.at, other.cursor) < (exposure.at, exposure.cursor))
        GROUP BY variant, revision, reason, override, day
        """
    }
}
