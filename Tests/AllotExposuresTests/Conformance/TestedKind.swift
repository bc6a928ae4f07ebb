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
}

/// A database of one test. It is removed with its owner.
protocol TestedDatabase: AnyObject {
    /// Opens it; another time as another server would.
    func open() throws -> any ExposureDatabase
}

extension TestedDatabase {
    func openStore(queueLimit: Int = 100_000) throws -> ExposureStore {
        ExposureStore(try open(), queueLimit: queueLimit)
    }
}

final class TestedFile: TestedDatabase {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    func open() throws -> any ExposureDatabase {
        try SQLiteDatabase(path: folder.path("exposures.sqlite"))
    }
}
