internal import AllotConfiguration
import GRDB

/// The exposures that a deletion is about, as one transaction finds them.
struct SQLiteDeletion {
    private let database: Database
    private let cohorts: [SQLiteCohort]
    private let unit: String?
    private let end: Int64

    init(_ deletion: ExposureDeletion, _ database: Database) throws {
        self.database = database
        unit = deletion.unit
        end = deletion.before ?? .max
        let experiments = deletion.experiments.map { Set($0.map { UTF8Key($0) }) }
        let arms = try deletion.unconfirmed.map { Set($0).intersection(try SQLiteUnconfirmed(database).arms()) }
        cohorts = try SQLiteCohort.all(database).filter { cohort in
            experiments?.contains(UTF8Key(cohort.arm.experiment)) ?? true && arms?.contains(cohort.arm) ?? true
        }
    }

    /// The exposures of one cohort: through the tree of times, or those of a unit through that of the identities.
    private var source: String {
        unit == nil
            ? "exposure INDEXED BY exposure_time WHERE cohort = :cohort AND at < :end"
            : """
            exposure INDEXED BY exposure_identity
            WHERE randomisation = :randomisation AND unit = :unit AND variant = :variant AND cohort = :cohort
                AND at < :end
            """
    }

    private func arguments(_ cohort: SQLiteCohort) -> StatementArguments {
        let common: StatementArguments = ["cohort": cohort.id, "end": end]
        guard let unit else { return common }
        return common
            + ["randomisation": cohort.randomisation, "unit": unit.argument, "variant": cohort.arm.variant]
    }

    /// The exposures themselves, at most `limit`, the first ones of each cohort first.
    func rows(limit: Int) throws -> [(cursor: Int64, cohort: Int64)] {
        let statement = try database.cachedStatement(sql: "SELECT cursor FROM \(source) ORDER BY at LIMIT :limit")
        var rows: [(cursor: Int64, cohort: Int64)] = []
        for cohort in cohorts where rows.count < limit {
            let cursors = try Int64.fetchAll(statement, arguments: arguments(cohort) + ["limit": limit - rows.count])
            rows += cursors.map { ($0, cohort.id) }
        }
        return rows
    }

    /// Their numbers by experiment, in the order of the keys' bytes.
    func parts() throws -> [ExposureDeletion.Part] {
        let statement = try database.cachedStatement(sql: "SELECT count(*), min(at), max(at) FROM \(source)")
        return try cohorts.compactMap { cohort -> ExposureDeletion.Part? in
            guard let row = try Row.fetchOne(statement, arguments: arguments(cohort)) else { return nil }
            let count = try row.decode(Int.self, atIndex: 0)
            guard count > 0 else { return nil }
            return ExposureDeletion.Part(
                experiment: cohort.arm.experiment, count: count, earliest: try row.decode(atIndex: 1),
                latest: try row.decode(atIndex: 2))
        }.summed
    }
}
