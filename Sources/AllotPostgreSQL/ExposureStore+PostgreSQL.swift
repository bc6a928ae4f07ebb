public import AllotExposures

extension ExposureStore {
    /// Opens or creates a store in a PostgreSQL database, which several servers may share, or in a file of SQLite.
    ///
    /// - Parameters:
    ///   - location: The address of a database, `postgresql://…`, or the path of a file, whose folder must exist.
    ///   - isNewAllowed: Whether tables are created in a database that has none.
    ///   - queueLimit: The number of exposures that may wait to be stored.
    /// - Throws: `ExposureStoreError.cannotOpen(_:)`, also for a store of a newer version or of another program.
    public convenience init(
        location: String, isNewAllowed: Bool = true, queueLimit: Int = 100_000
    ) throws(ExposureStoreError) {
        guard ExposureLocation(location) == .postgreSQL else {
            try self.init(location, queueLimit: queueLimit)
            return
        }
        self.init(try PostgreSQLDatabase(location, isNewAllowed: isNewAllowed), queueLimit: queueLimit)
    }
}
