import Foundation
import Testing

@testable import AllotExposures
@testable import AllotPostgreSQL

/// A schema of its own in a PostgreSQL database, which is dropped with its owner.
final class PostgreSQLTestSchema {
    /// The connection string of the tests' database, as `Tests/AllotSQLTests/Engines/postgresql.sh start` prints it.
    static let connection = ProcessInfo.processInfo.environment["ALLOT_SQL_POSTGRES"].flatMap { $0.isEmpty ? nil : $0 }

    let name: String
    /// The address of a store in the schema. Its sessions have the schema's name, too.
    let location: String

    /// - Parameter connection: `host=… user=… dbname=…`; `nil` for the tests' database.
    /// - Parameter options: settings that the server begins each session with.
    init(_ connection: String? = nil, options: [String] = []) throws {
        name = "test_\(UUID().uuidString.lowercased())"
        let connection = try connection ?? #require(Self.connection)
        location = Self.location(
            "\(connection) application_name=\(name)", options: ["search_path=\"\(name)\""] + options)
    }

    deinit {
        try? execute("DROP SCHEMA IF EXISTS \"\(name)\" CASCADE")
    }

    /// The address that a connection string stands for.
    static func location(_ connection: String, options: [String] = []) -> String {
        var items = connection.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        if !options.isEmpty { items.append(["options", options.map { "-c\($0)" }.joined(separator: " ")]) }
        let query = items.map { item in
            let value = item.last?.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return "\(item[0])=\(value)"
        }
        return "postgresql:///?\(query.joined(separator: "&"))"
    }

    /// Opens a store in the schema.
    func database(persistence: Duration = .seconds(20)) throws -> PostgreSQLDatabase {
        try PostgreSQLDatabase(location, persistence: persistence)
    }

    /// Executes statements in the schema.
    func execute(_ sql: String) throws {
        let address = try #require(PostgreSQLAddress(location))
        try PostgreSQLSchema.connect(address, patience: nil).execute(sql)
    }

    /// The first value of the first row of a statement, which has to be a text.
    func text(_ sql: String) throws -> String {
        let address = try #require(PostgreSQLAddress(location))
        return try PostgreSQLSchema.connect(address, patience: nil).query(sql)[0].text(0)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test where there is no PostgreSQL.
    static var needsPostgreSQL: Self {
        .enabled(
            if: PostgreSQLTestSchema.connection != nil,
            "set ALLOT_SQL_POSTGRES to what Tests/AllotSQLTests/Engines/postgresql.sh start FOLDER prints")
    }
}

/// Runs a function that blocks away from the threads of Swift's tasks, of which there are few.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}

extension ExposureDatabase {
    /// All rows, counted or not, in the order of their cursors.
    func rows() throws -> [Exposure] {
        let last = try lastCursor()
        return try [true, false].flatMap { isCounted in
            var selection = ExposureSelection()
            selection.isCounted = isCounted
            return try exposures(of: selection, after: 0, through: last, limit: .max).exposures
        }
    }
}
