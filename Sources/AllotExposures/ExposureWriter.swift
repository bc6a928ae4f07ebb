import GRDB

/// Inserts exposures within one transaction.
struct ExposureWriter {
    private struct Arm {
        let experiment: Int64
        let variant: Int64
    }

    private let database: Database
    private let findEvent: Statement
    private let insertEvent: Statement
    private let insertExposure: Statement
    private let makeEarlier: Statement
    /// The numbers that this transaction has looked up, by the keys' bytes. They are not kept longer, because a
    /// transaction that fails rolls back its new ones.
    private var arms: [[UInt8]: Arm] = [:]

    init(_ database: Database) throws {
        self.database = database
        findEvent = try database.cachedStatement(sql: "SELECT 1 FROM event WHERE id = ?")
        insertEvent = try database.cachedStatement(sql: "INSERT INTO event (id) VALUES (?)")
        insertExposure = try database.cachedStatement(
            sql: """
                INSERT INTO exposure (experiment, at, unit, variant, attributes) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (experiment, unit, variant) DO NOTHING
                """)
        makeEarlier = try database.cachedStatement(
            sql: "UPDATE exposure SET at = ?4 WHERE experiment = ?1 AND unit = ?2 AND variant = ?3 AND at > ?4")
    }

    mutating func insert(_ exposure: Exposure) throws -> ExposureOutcome {
        if let id = exposure.id, try Int.fetchOne(findEvent, arguments: [id]) != nil { return .duplicate }
        let arm = try arm(exposure)
        try insertExposure.execute(
            arguments: [arm.experiment, exposure.at, exposure.unit, arm.variant, exposure.attributes])
        guard database.changesCount > 0 else {
            try makeEarlier.execute(arguments: [arm.experiment, exposure.unit, arm.variant, exposure.at])
            return .duplicate
        }
        if let id = exposure.id { try insertEvent.execute(arguments: [id]) }
        return .stored
    }

    private mutating func arm(_ exposure: Exposure) throws -> Arm {
        // No key contains a zero.
        let keys = Array(exposure.experiment.utf8) + [0] + Array(exposure.variant.utf8)
        if let known = arms[keys] { return known }
        let experiment = try number(
            find: "SELECT id FROM experiment WHERE key = ?", insert: "INSERT INTO experiment (key) VALUES (?)",
            [exposure.experiment])
        let variant = try number(
            find: "SELECT id FROM variant WHERE experiment = ? AND key = ?",
            insert: "INSERT INTO variant (experiment, key) VALUES (?, ?)", [experiment, exposure.variant])
        let arm = Arm(experiment: experiment, variant: variant)
        arms[keys] = arm
        return arm
    }

    private func number(find: String, insert: String, _ arguments: StatementArguments) throws -> Int64 {
        if let known = try Int64.fetchOne(database.cachedStatement(sql: find), arguments: arguments) { return known }
        try database.cachedStatement(sql: insert).execute(arguments: arguments)
        return database.lastInsertedRowID
    }
}
