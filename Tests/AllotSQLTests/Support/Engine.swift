import AllotConfiguration
import Foundation
import Synchronization
import TestSupport

/// An engine as it starts, in a process of `Engines/engine.py`. One test after another uses the same process.
final class Engine: Sendable {
    let name: EngineName
    private let connection: EngineConnection

    /// The processes that no test uses.
    private static let idle = Mutex<[EngineName: EngineConnection]>([:])

    /// What an engine, or the way to it, had against a request.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// How the rows of a statement differ from those that were expected.
    struct Comparison: Sendable {
        /// The number of rows that the statement gave.
        let rows: Int
        /// Rows that were expected and did not come, and rows that came instead.
        let missing: Int
        let unexpected: Int
        /// A few of the differences in words.
        let examples: [String]

        var isEqual: Bool { missing == 0 && unexpected == 0 }
    }

    /// The rows of a statement as text.
    struct Rows: Sendable {
        let columns: [String]
        let values: [[String?]]

        /// The rows as texts, in an order that does not depend on that of the rows.
        var sorted: [String] { Self.sorted(values) }

        static func sorted(_ values: [[String?]]) -> [String] {
            values.map { row in row.map { $0.map { "'\($0)'" } ?? "NULL" }.joined(separator: "\u{1}") }.sorted {
                $0.utf8.lexicographicallyPrecedes($1.utf8)
            }
        }
    }

    /// Starts an engine, anew if its process runs already: with its own settings, and without what tests made, apart
    /// from PostgreSQL, whose database is there for all tests.
    init(_ name: EngineName) throws {
        self.name = name
        guard let idle = Self.idle.withLock({ $0.removeValue(forKey: name) }) else {
            connection = try EngineConnection(name)
            return
        }
        do {
            _ = try idle.ask(["reset": true])
            connection = idle
        } catch {
            guard idle.hasEnded else { throw error }
            connection = try EngineConnection(name)
        }
    }

    deinit {
        if !connection.hasEnded { Self.idle.withLock { $0[name] = connection } }
    }

    /// Makes or replaces a table of text columns.
    ///
    /// - Parameters:
    ///   - lines: JSON lines, each an object of text and null under the names of all columns.
    ///   - columns: these names, which a table without rows needs.
    /// - Returns: the number of rows.
    @discardableResult
    func load(_ table: String = "users", lines: String, columns: [String]? = nil) throws -> Int {
        let folder = try TemporaryFolder()
        var request: JSONObject = [
            "load": .string(table), "file": .string(try folder.write(lines, to: "rows.jsonl")),
        ]
        if let columns { request["columns"] = .array(columns.map(JSONValue.string)) }
        let answer = try withExtendedLifetime(folder) { try connection.ask(request) }
        return try Self.integer(answer, "rows")
    }

    /// Makes or replaces the table `users`.
    @discardableResult
    func load(_ users: HostileUsers) throws -> Int {
        try load(lines: users.jsonLines, columns: HostileUsers.columns)
    }

    /// Compares the rows of a statement, in any order, with those of a CSV file that has a header.
    func compare(_ sql: String, with file: String) throws -> Comparison {
        let answer = try connection.ask(["compare": .string(sql), "expected": .string(file)])
        guard case .array(let examples)? = answer["examples"] else {
            throw Failure(description: "\(name.rawValue) answered \(JSONValue.object(answer).canonicalText)")
        }
        return Comparison(
            rows: try Self.integer(answer, "rows"), missing: try Self.integer(answer, "missing"),
            unexpected: try Self.integer(answer, "unexpected"), examples: examples.map { Self.text($0) ?? "" })
    }

    /// Runs a statement that has no rows.
    func run(_ sql: String) throws {
        _ = try connection.ask(["run": .string(sql)])
    }

    /// The rows of a statement.
    func rows(_ sql: String) throws -> Rows {
        let answer = try connection.ask(["rows": .string(sql)])
        guard case .array(let columns)? = answer["columns"], case .array(let values)? = answer["values"] else {
            throw Failure(description: "\(name.rawValue) answered \(JSONValue.object(answer).canonicalText)")
        }
        let rows = values.map { row -> [String?] in
            if case .array(let fields) = row { fields.map(Self.text) } else { [] }
        }
        return Rows(columns: columns.map { Self.text($0) ?? "" }, values: rows)
    }

    /// Drops a function that a statement created.
    func drop(function name: String) throws {
        switch self.name {
        case .duckdb: try run("DROP MACRO TABLE \(name)")
        case .clickhouse: try run("DROP VIEW \(name)")
        case .postgresql, .spark: try run("DROP FUNCTION \(name)")
        }
    }

    private static func text(_ value: JSONValue) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    private static func integer(_ answer: JSONObject, _ key: String) throws -> Int {
        guard case .number(let number)? = answer[key], let value = Int(number.text) else {
            throw Failure(description: "no number \(key) in \(JSONValue.object(answer).canonicalText)")
        }
        return value
    }
}
