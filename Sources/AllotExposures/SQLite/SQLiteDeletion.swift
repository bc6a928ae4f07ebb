internal import AllotConfiguration
import GRDB

/// The exposures that a deletion is about, as one transaction finds them.
struct SQLiteDeletion {
    private let database: Database
    /// The numbers of the cohorts that can have them.
    private let cohorts: [Int64]
    private let unit: String?
    private let end: Int64

    init(_ deletion: ExposureDeletion, _ database: Database) throws {
        self.database = database
        unit = deletion.unit
        end = deletion.before ?? .max
        // Each part of a deletion begins here, and many texts take long to read.
        guard deletion.experiments != nil || deletion.unconfirmed != nil || deletion.unit != nil else {
            cohorts = try Self.numbers("SELECT id FROM cohort ORDER BY id", database)
            return
        }
        let texts = try SQLiteTexts(database)
        let experiments = deletion.experiments.map { Set($0.map { UTF8Key($0) }) }
        let unconfirmed = deletion.unconfirmed.map { Set($0) }
        let noted = try unconfirmed == nil ? [] : SQLiteUnconfirmed(database).noted()
        cohorts = texts.cohorts.enumerated().compactMap { index, cohort in
            let arm = texts.arm(of: cohort)
            let number = SQLiteUnconfirmed.Arm(randomisation: cohort.randomisation, variant: cohort.variant)
            let isMeant =
                experiments?.contains(UTF8Key(arm.experiment)) ?? true
                && unconfirmed.map { noted.contains(number) && $0.contains(arm) } ?? true
            return isMeant ? Int64(index + 1) : nil
        }
    }

    private static func numbers(_ sql: String, _ database: Database) throws -> [Int64] {
        var numbers: [Int64] = []
        try SQLiteStatement(database, sql).run { numbers.append($0.number(0)) }
        return numbers
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
        for randomisation in try Self.numbers("SELECT id FROM randomisation", database) {
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
        let texts = try SQLiteTexts(database)
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
