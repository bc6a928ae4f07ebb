internal import AllotConfiguration
import Foundation
import GRDB

/// The exposures that have all texts in common but those of the unit and the event.
struct SQLiteCohort: FetchableRecord {
    let id: Int64
    let randomisation: Int64
    let arm: ExposureArm
    let revision: String?
    let reason: String
    let isOverridden: Bool
    let isCounted: Bool
    let units: Int
    /// When the last exposure was received, in milliseconds since 1970, UTC; it may have been deleted since.
    let receivedAt: Int64

    init(row: Row) throws {
        id = try row.decode(atIndex: 0)
        randomisation = try row.decode(atIndex: 1)
        arm = ExposureArm(
            experiment: try row.decode(atIndex: 2), salt: try row.decode(atIndex: 3),
            variant: try row.decode(atIndex: 4))
        revision = try row.decode(atIndex: 5)
        reason = try row.decode(atIndex: 6)
        isOverridden = try row.decode(atIndex: 7)
        isCounted = try row.decode(atIndex: 8)
        units = try row.decode(atIndex: 9)
        receivedAt = try row.decode(atIndex: 10)
    }

    /// The cohorts of an experiment, or of all, and of one randomisation of it, or of all.
    static func all(_ database: Database, of experiment: String? = nil, salt: String? = nil) throws -> [SQLiteCohort] {
        let sql = """
            SELECT id, randomisation, experiment, salt, variant, revision, reason, override, counted, units, received_at
            FROM cohort
            """
        guard let experiment else { return try fetchAll(database, sql: sql) }
        guard let salt else {
            return try fetchAll(database, sql: "\(sql) WHERE experiment = ?", arguments: [experiment.argument])
        }
        return try fetchAll(
            database, sql: "\(sql) WHERE experiment = ? AND salt = ?", arguments: [experiment.argument, salt.argument])
    }
}

extension String {
    /// The text as an argument of a comparison. GRDB ends texts at U+0000, which no stored text has; bytes
    /// are equal to no text.
    var argument: DatabaseValue { ExposureMessage.isStorable(self) ? databaseValue : Data(utf8).databaseValue }
}
