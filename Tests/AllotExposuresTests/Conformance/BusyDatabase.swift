import Synchronization

@testable import AllotExposures

/// A file in which exposures are stored just before the first ones are read.
final class BusyDatabase: ExposureDatabase {
    private let database: SQLiteDatabase
    private let arriving: Mutex<[Exposure]>

    init(_ database: SQLiteDatabase, _ arriving: [Exposure]) {
        self.database = database
        self.arriving = Mutex(arriving)
    }

    var name: String { database.name }

    func store(_ exposures: [Exposure]) throws -> [ExposureOutcome] { try database.store(exposures) }

    func lastCursor() throws -> Int64 { try database.lastCursor() }

    func exposures(
        of selection: ExposureSelection, after: Int64, through: Int64, limit: Int
    ) throws -> (exposures: [Exposure], cursor: Int64) {
        let new = arriving.withLock { arriving in
            defer { arriving = [] }
            return arriving
        }
        if !new.isEmpty { _ = try database.store(new) }
        return try database.exposures(of: selection, after: after, through: through, limit: limit)
    }

    func exposures(ofUnit unit: String) throws -> [Exposure] { try database.exposures(ofUnit: unit) }

    func randomisations(of experiment: String?) throws -> [StoredRandomisation] {
        try database.randomisations(of: experiment)
    }

    func counts(experiment: String, salt: String) throws -> ExposureCounts {
        try database.counts(experiment: experiment, salt: salt)
    }

    func totals() throws -> [ExposureTotal] { try database.totals() }

    func histories(of randomisations: [(experiment: String, salt: String)]) throws -> [ExposureHistory] {
        try database.histories(of: randomisations)
    }

    func preview(of deletion: ExposureDeletion) throws -> [ExposureDeletion.Part] {
        try database.preview(of: deletion)
    }

    func delete(_ deletion: ExposureDeletion, limit: Int) throws -> Int { try database.delete(deletion, limit: limit) }

    func unconfirmedArms() throws -> [ExposureArm] { try database.unconfirmedArms() }

    func confirm(_ arms: [(arm: ExposureArm, revision: String)]) throws { try database.confirm(arms) }

    func erase(unit: String) throws -> Int { try database.erase(unit: unit) }

    func probe() throws { try database.probe() }

    func close() { database.close() }
}
