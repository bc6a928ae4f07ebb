import AllotConfiguration
import Testing

extension RunningServer {
    /// What `/health/ready` says of the definitions.
    func definitions() throws -> JSONValue {
        try #require(try JSONValue(parsing: Array(try get("/health/ready").body.utf8))["definitions"])
    }

    /// The color that the tester gets.
    func color() throws -> JSONValue? {
        try JSONValue(parsing: Array(try get("/activeconfig/user/tester").body.utf8)).setting("Page", "Color")
    }
}
