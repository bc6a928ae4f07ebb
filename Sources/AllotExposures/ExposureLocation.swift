/// The form of a store's location.
package enum ExposureLocation {
    case path
    /// The address of a PostgreSQL database.
    case postgreSQL
    /// An address of another kind or another form, which may contain a password: messages do not quote it.
    case unknown

    package init(_ location: String) {
        let lowercase = location.lowercased()
        // The other form of libpq: `host=… password=…`.
        let settings = ["host=", "hostaddr=", "user=", "password=", "dbname="]
        if ["postgresql://", "postgres://"].contains(where: lowercase.hasPrefix) {
            self = .postgreSQL
        } else {
            let isUnknown =
                lowercase.contains("://")
                || (["postgres:", "postgresql:"] + settings).contains(where: lowercase.hasPrefix)
                || lowercase.contains(where: \.isWhitespace) && settings.contains(where: lowercase.contains)
            self = isUnknown ? .unknown : .path
        }
    }
}
