import GRDB

extension ExposureStore {
    /// Counts the units of an experiment, all at one moment, without blocking the writer.
    ///
    /// - Throws: ``ExposureStoreError``, or `CancellationError` if the task is cancelled.
    /// - Complexity: linear in the experiment's units times its variants.
    public func counts(experiment: String) async throws -> ExposureCounts {
        try await read { database in
            guard let number = try ExposurePage.number(of: experiment, database) else {
                return ExposureCounts(variants: [], unitsInSeveralVariants: 0)
            }
            let arms = try Row.fetchAll(
                database, sql: "SELECT id, key FROM variant WHERE experiment = ? ORDER BY key", arguments: [number])
            return ExposureCounts(
                variants: try arms.compactMap { try Self.count($0[0], $0[1], of: number, database) },
                unitsInSeveralVariants: try Int.fetchOne(
                    database,
                    sql: """
                        SELECT count(*) FROM (
                            SELECT 1 FROM exposure INDEXED BY exposure_unit
                            WHERE experiment = ? GROUP BY unit HAVING count(*) > 1)
                        """, arguments: [number]) ?? 0)
        }
    }

    /// Reads the index alone, in its order: no rows are read and nothing is sorted.
    private static func count(
        _ variant: Int64, _ key: String, of experiment: Int64, _ database: Database
    ) throws -> ExposureCounts.Variant? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT count(*), min(at), max(at) FROM exposure INDEXED BY exposure_unit
                WHERE experiment = ? AND variant = ?
                """, arguments: [experiment, variant])
        guard let row, let earliest: Int64 = row[1], let latest: Int64 = row[2] else { return nil }
        return ExposureCounts.Variant(variant: key, units: row[0], earliest: earliest, latest: latest)
    }

    /// All exposures, or those of one experiment, as CSV in the order of time.
    public func export(experiment: String? = nil) -> ExposureExport {
        ExposureExport(self, experiment: experiment)
    }

    /// Reads from one snapshot.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        guard isOpen else { throw ExposureStoreError.closed }
        do {
            return try await pool.read(body)
        } catch let error as DatabaseError {
            guard isOpen else { throw ExposureStoreError.closed }
            throw ExposureStoreError.storage("cannot read \(ExposureStoreError.explanation(path, error))")
        }
    }
}

/// The units that were exposed to an experiment, counted at one moment. `Sendable`.
public struct ExposureCounts: Sendable, Hashable {
    /// The units that have seen one variant. `Sendable`.
    public struct Variant: Sendable, Hashable {
        /// The variant's key.
        public let variant: String
        /// The number of units that have seen it, 1 or more.
        public let units: Int
        /// The first exposure, in milliseconds since 1970, UTC.
        public let earliest: Int64
        /// The last unit's first exposure, in milliseconds since 1970, UTC.
        public let latest: Int64
    }

    /// The variants that any unit has seen, in the order of their keys' bytes.
    public let variants: [Variant]
    /// The number of units that have seen more than one variant; it should be 0.
    public let unitsInSeveralVariants: Int
}
