import CLibPQ

/// The address of a PostgreSQL database as libpq takes it: `postgresql://user@host:port/database?…`. `Sendable`.
struct PostgreSQLAddress: Sendable {
    /// With the password, if it has one.
    let location: String
    /// The address in messages: without passwords and without options.
    let name: String

    /// The form of a store's location.
    enum Kind {
        case address
        case path
        /// An address of another kind or another form, which may contain a password: messages do not quote it.
        case unknown
    }

    static func kind(of location: String) -> Kind {
        let lowercase = location.lowercased()
        if schemes.contains(where: lowercase.hasPrefix) { return .address }
        if lowercase.contains("://") || lowercase.hasPrefix("postgres:") || lowercase.hasPrefix("postgresql:") {
            return .unknown
        }
        // The other form of libpq: `host=… password=…`.
        let settings = ["host=", "hostaddr=", "user=", "password=", "dbname="]
        if settings.contains(where: lowercase.hasPrefix) { return .unknown }
        return lowercase.contains(where: \.isWhitespace) && settings.contains(where: lowercase.contains)
            ? .unknown : .path
    }

    private static let schemes = ["postgresql://", "postgres://"]

    /// Reads an address. Returns `nil` if it is malformed; libpq's message is dropped: it may quote the password.
    init?(_ location: String) {
        guard Self.kind(of: location) == .address, !location.utf8.contains(0),
            let scheme = location.firstRange(of: "://")
        else { return nil }
        // libpq takes the scheme in lowercase only.
        let location = location[..<scheme.lowerBound].lowercased() + location[scheme.lowerBound...]
        guard let options = PQconninfoParse(location, nil) else { return nil }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        self.location = location
        name =
            "postgresql://" + (values["user"].map { "\($0)@" } ?? "")
            + (values["host"] ?? values["hostaddr"] ?? "localhost")
            + (values["port"].map { ":\($0)" } ?? "") + "/" + (values["dbname"] ?? "")
    }
}
