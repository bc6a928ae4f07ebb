import GRDB
import TestSupport
import Testing

@testable import AllotExposures

/// A kind of database that has to pass the suites for all kinds.
struct TestedKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Makes an empty database for one test.
    let make: @Sendable () throws -> any TestedDatabase

    static let sqlite = Self(testDescription: "SQLite") { try TestedFile() }

    /// All kinds that can be tested here.
    static let available = [sqlite] + (postgreSQL.map { [$0] } ?? [])

    /// Gives a body an empty store.
    func withStore(_ body: (ExposureStore) async throws -> Void) async throws {
        let tested = try make()
        defer { withExtendedLifetime(tested) {} }
        let store = try tested.openStore()
        try await body(store)
        await store.shutdown()
    }
}

/// A database of one test. It is removed with its owner.
protocol TestedDatabase: AnyObject {
    /// Opens it; another time as another server would.
    func open() throws -> any ExposureDatabase

    /// The number of rows that name variants, and of notes of variants and revisions.
    func names() throws -> [Int]
}

extension TestedDatabase {
    func openStore() throws -> ExposureStore { ExposureStore(try open()) }
}

final class TestedFile: TestedDatabase {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    func open() throws -> any ExposureDatabase {
        try SQLiteDatabase(path: folder.path("exposures.sqlite"))
    }

    func names() throws -> [Int] {
        try DatabaseQueue(path: folder.path("exposures.sqlite")).read { database in
            try ["cohort", "unconfirmed"].map {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? -1
            }
        }
    }
}
