internal import AllotConfiguration
import GRDB

/// The exposures that a deletion is about, as one transaction finds them.
struct SQLiteDeletion {
    private let database: Database
    private let texts: SQLiteTexts
    /// The numbers of the cohorts that can have them.
    private let cohorts: [Int64]
    private let unit: String?
    private let end: Int64

    init(_ deletion: ExposureDeletion, _ database: Database) throws {
        self.database = database
        let texts = try SQLiteTexts(database)
        self.texts = texts
        unit = deletion.unit
        end = deletion.before ?? .max
        let experiments = deletion.experiments.map { Set($0.map { UTF8Key($0) }) }
        let unconfirmed = try deletion.unconfirmed.map { arms in
            Set(arms).intersection(try SQLiteUnconfirmed(database).arms(texts))
        }
        cohorts = texts.cohorts.enumerated().compactMap { index, cohort in
            let arm = texts.arm(of: cohort)
            let isMeant = experiments?.contains(UTF8Key(arm.experiment)) ?? true && unconfirmed?.contains(arm) ?? true
            return isMeant ? Int64(index + 1) : nil
        }
    }

    /// The exposures themselves, the first ones of each cohort first.
    ///
    /// - Parameter limit: the most exposures.
    func rows(limit: Int) throws -> [SQLiteRow] {
        if let unit { return Array(try rows(of: unit).prefix(limit)) }
        let statement = try SQLiteStatement(
            database,
            """
            SELECT \(SQLiteRow.columns) FROM exposure INDEXED BY exposure_time
            WHERE cohort = ? AND at < ? ORDER BY at LIMIT ?
            """)
        var rows: [SQLiteRow] = []
        for cohort in cohorts where rows.count < limit {
            try statement.run([cohort, end, Int64(limit - rows.count)]) { rows.append(try SQLiteRow($0)) }
        }
        return rows
    }

    private func rows(of unit: String) throws -> [SQLiteRow] {
        let statement = try SQLiteStatement(
            database,
            """
            SELECT \(SQLiteRow.columns) FROM exposure INDEXED BY exposure_identity
            WHERE randomisation = ? AND counted = ? AND unit = ?
            """)
        let meant = Set(cohorts)
        var rows: [SQLiteRow] = []
        for randomisation in Set(cohorts.map { texts.cohorts[Int($0 - 1)].randomisation }) {
            for counted: Int64 in 0...1 {
                try statement.run([randomisation, counted, unit]) { row in
                    let row = try SQLiteRow(row)
                    if meant.contains(row.place.cohort), row.at < end { rows.append(row) }
                }
            }
        }
        return rows
    }

    /// Their numbers by experiment, in the order of the keys' bytes.
    func parts() throws -> [ExposureDeletion.Part] {
        if let unit {
            return try rows(of: unit).map { row in
                ExposureDeletion.Part(
                    experiment: texts.arm(of: texts.cohorts[Int(row.place.cohort - 1)]).experiment, count: 1,
                    earliest: row.at, latest: row.at)
            }.summed
        }
        let sums = try SQLiteStatement(
            database,
            "SELECT count(*), min(at), max(at) FROM exposure INDEXED BY exposure_time WHERE cohort = ? AND at < ?")
        var parts: [ExposureDeletion.Part] = []
        for cohort in cohorts {
            try sums.run([cohort, end]) { row in
                guard row.number(0) > 0 else { return }
                parts.append(
                    ExposureDeletion.Part(
                        experiment: texts.arm(of: texts.cohorts[Int(cohort - 1)]).experiment,
                        count: Int(row.number(0)), earliest: row.number(1), latest: row.number(2)))
            }
        }
        return parts.summed
    }
}
