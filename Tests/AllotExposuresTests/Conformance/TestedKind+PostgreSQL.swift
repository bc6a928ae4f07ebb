import Testing

@testable import AllotExposures
@testable import AllotPostgreSQL

extension TestedKind {
    /// PostgreSQL at the libpq connection string in `ALLOT_SQL_POSTGRES`; `nil` if there is none.
    static let postgreSQL = PostgreSQLTestSchema.connection.map { connection in
        Self(testDescription: "PostgreSQL") { try PostgreSQLTestSchema(connection) }
    }
}

extension PostgreSQLTestSchema: TestedDatabase {
    func open() throws -> any ExposureDatabase { try database() }

    func names() throws -> [Int] {
        try ["arm", "unconfirmed"].map { try Int(text("SELECT count(*)::text FROM \($0)")) ?? -1 }
    }
}

struct TestedKindTests {
    @Test("PostgreSQL is tested as well", .needsPostgreSQL)
    func postgreSQLIsTestedAsWell() {
        #expect(TestedKind.available.count == 2)
    }
}
