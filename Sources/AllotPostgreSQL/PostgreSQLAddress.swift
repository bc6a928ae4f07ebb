import AllotExposures
import CLibPQ

/// The address of a PostgreSQL database as libpq takes it: `postgresql://user@host:port/database?…`. `Sendable`.
struct PostgreSQLAddress: Sendable {
    /// With the password, if it has one.
    let location: String
    /// The address in messages: without passwords and without options.
    let name: String

    /// Reads an address. Returns `nil` if it is malformed; libpq's message is dropped: it may quote the password.
    init?(_ location: String) {
        guard ExposureLocation(location) == .postgreSQL, !location.utf8.contains(0),
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
