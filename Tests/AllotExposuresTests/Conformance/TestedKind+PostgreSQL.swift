import Foundation
import Testing

@testable import AllotExposures

extension TestedKind {
    /// PostgreSQL at the libpq connection string in `ALLOT_SQL_POSTGRES`; `nil` if there is none.
    static let postgreSQL: Self? = nil
}

@Suite struct TestedKindTests {
    @Test(
        "PostgreSQL is tested as well",
        .enabled(if: TestedKind.postgreSQL != nil, "set ALLOT_SQL_POSTGRES to the connection string of a server"))
    func postgreSQLIsTestedAsWell() {
        #expect(TestedKind.available.count == 2)
    }
}
