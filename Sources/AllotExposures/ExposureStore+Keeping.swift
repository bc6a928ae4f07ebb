extension ExposureStore {
    /// Counts the exposures of a deletion by experiment, in the order of the keys' bytes; without blocking the writer.
    ///
    /// - Throws: ``ExposureStoreError``, or `CancellationError` if the task is cancelled.
    /// - Complexity: linear in these exposures.
    public func preview(of deletion: ExposureDeletion) async throws -> [ExposureDeletion.Part] {
        try await run { try $0.preview(of: deletion) }
    }

    /// Deletes exposures in small parts, between which others are stored.
    ///
    /// - Returns: How many were deleted.
    /// - Throws: ``ExposureStoreError``, or `CancellationError` if the task is cancelled; what was deleted until then
    ///   stays deleted.
    public func delete(_ deletion: ExposureDeletion) async throws -> Int {
        let limit = 2000
        var count = 0
        while true {
            let deleted = try await run(.change) { try $0.delete(deletion, limit: limit) }
            count += deleted
            if deleted < limit { return count }
        }
    }

    /// Deletes all exposures of a unit. No bytes of them are left in the files of an SQLite store.
    ///
    /// A file is rewritten each time, even if the unit has no exposure: pages may keep copies of what was deleted.
    /// Exposures that arrive meanwhile wait until that ends, however long it takes, and are refused only when the queue
    /// is full. Another process that uses the file refuses its exposures after ten seconds.
    ///
    /// - Returns: How many were deleted.
    /// - Throws: ``ExposureStoreError``; then bytes may be left: erase the unit again.
    public func erase(unit: String) async throws -> Int { try await run(.change) { try $0.erase(unit: unit) } }

    /// The variants that no definition has confirmed, the one whose last exposure was received longest ago first.
    package func unconfirmedArms() async throws -> [ExposureArm] { try await run { try $0.unconfirmedArms() } }

    /// Notes that definitions have these variants and revisions: their exposures are kept, whatever comes.
    package func confirm(_ arms: [(arm: ExposureArm, revision: String)]) async throws {
        try await run(.change) { try $0.confirm(arms) }
    }

    /// Stores copies of all exposures of another store, with their event IDs and times, by the same rules as others.
    ///
    /// The other store may be in use: what it stores meanwhile is copied as well, until nothing more arrives or it was
    /// read a hundred times. An exposure that another replaces meanwhile may be counted twice.
    ///
    /// - Returns: How many were stored, and of how many others one of the same identity was stored.
    /// - Throws: ``ExposureStoreError``, or `CancellationError` if the task is cancelled; what was stored until then
    ///   stays stored, so that the same stores can be merged again.
    public func merge(_ other: ExposureStore) async throws -> (stored: Int, duplicates: Int) {
        var (stored, duplicates) = (0, 0)
        var first: Int64 = 0
        // An exposure that was replaced before it was read has its place after the last one.
        for _ in 0..<100 {
            let last = try await other.lastCursor()
            guard last > first else { break }
            for isCounted in [true, false] {
                var cursor = first
                while cursor < last {
                    let page = try await other.run { [cursor] in
                        try $0.exposures(
                            of: ExposureSelection(isCounted: isCounted), after: cursor, through: last, limit: 2000)
                    }
                    let outcomes = try await record(page.exposures)
                    stored += outcomes.count { $0 == .stored }
                    duplicates += outcomes.count { $0 == .duplicate }
                    cursor = page.cursor
                }
            }
            first = last
        }
        return (stored, duplicates)
    }
}
