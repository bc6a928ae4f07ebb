import GRDB

/// Inserts exposures within one transaction.
struct ExposureWriter {
    private let database: Database
    private let insertArm: Statement
    private let findArm: Statement
    private let findEvent: Statement
    private let insertExposure: Statement
    private let makeEarlier: Statement

    init(_ database: Database) throws {
        self.database = database
        insertArm = try database.cachedStatement(sql: "INSERT INTO arm (experiment, variant) VALUES (?, ?)")
        findArm = try database.cachedStatement(sql: "SELECT id FROM arm WHERE experiment = ? AND variant = ?")
        findEvent = try database.cachedStatement(sql: "SELECT 1 FROM exposure WHERE event = ?")
        insertExposure = try database.cachedStatement(
            sql: """
                INSERT INTO exposure (arm, unit, at, event, attributes) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (unit, arm) DO NOTHING
                """)
        makeEarlier = try database.cachedStatement(
            sql: "UPDATE exposure SET at = ?3 WHERE unit = ?1 AND arm = ?2 AND at > ?3")
    }

    func insert(_ exposure: Exposure) throws -> ExposureOutcome {
        if let id = exposure.id, try Int.fetchOne(findEvent, arguments: [id]) != nil { return .duplicate }
        let arm = try arm(exposure)
        try insertExposure.execute(
            arguments: [arm, exposure.unit, exposure.at, exposure.id, exposure.attributes])
        guard database.changesCount == 0 else { return .stored }
        try makeEarlier.execute(arguments: [exposure.unit, arm, exposure.at])
        return .duplicate
    }

    private func arm(_ exposure: Exposure) throws -> Int64 {
        if let known = try Int64.fetchOne(findArm, arguments: [exposure.experiment, exposure.variant]) { return known }
        try insertArm.execute(arguments: [exposure.experiment, exposure.variant])
        return database.lastInsertedRowID
    }
}
