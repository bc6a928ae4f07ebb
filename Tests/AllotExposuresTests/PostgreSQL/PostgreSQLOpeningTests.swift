import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotExposures
@testable import AllotPostgreSQL

@Suite(.blocks) struct PostgreSQLAddressTests {
    @Test(
        "A message shows an address without its password",
        arguments: [
            ("postgresql://ada:secret@db.example.com:5433/allot", "postgresql://ada@db.example.com:5433/allot"),
            ("postgres://ada@db/allot?password=secret", "postgresql://ada@db/allot"),
            ("postgresql://ada:se%63ret@one:1,two:2/allot", "postgresql://ada@one,two:1,2/allot"),
            ("postgresql:///allot?host=/run/postgresql&passfile=/secret", "postgresql:///run/postgresql/allot"),
            ("postgresql://", "postgresql://localhost/"),
            ("PostgreSQL://Ada:secret@db/Allot", "postgresql://Ada@db/Allot"),
        ])
    func aMessageShowsAnAddressWithoutItsPassword(location: String, name: String) throws {
        #expect(try #require(PostgreSQLAddress(location)).name == name)
    }

    @Test(
        "A malformed address is refused without quoting it",
        arguments: [
            "postgresql://ada:secret@[::1/allot", "postgresql://ada:secret%@db/allot", "postgresql://ada@db/?secret=1",
            "postgresql://ada:secret@db/allot\0", "postgresql://ada:secret@db/allot?options",
        ])
    func aMalformedAddressIsRefusedWithoutQuotingIt(location: String) {
        #expect(PostgreSQLAddress(location) == nil)
        expectCannotOpen("postgresql://USER@HOST:PORT/DATABASE") { _ = try PostgreSQLDatabase(location) }
    }

    @Test(
        "A location of another form is refused without quoting it",
        arguments: [
            "mysql://ada:secret@db/allot", "postgresql+ssl://ada:secret@db/allot", " postgresql:/ada:secret@db://",
            "postgresql:ada:secret@db", "host=db password=secret", "password=secret",
            "port=1 PASSWORD = x dbname=secret",
        ])
    func aLocationOfAnotherFormIsRefused(location: String) {
        expectCannotOpen("postgresql://USER@HOST:PORT/DATABASE") { _ = try ExposureStore(location: location) }
    }

    @Test("A store in a file is not opened at an address, which is not quoted")
    func anAddressIsNotAFile() {
        expectCannotOpen("name a file") { _ = try ExposureStore("postgresql://ada:secret@db/allot") }
    }

    @Test("Other locations are paths", arguments: ["a.sqlite", "/my data/a=b.sqlite", "postgres.sqlite", ":memory:"])
    func otherLocationsArePaths(location: String) {
        #expect(ExposureStore.isPath(location))
    }

    @Test("A server that does not run is reported with the fix and without the password")
    func aServerThatDoesNotRunIsReported() throws {
        let folder = try TemporaryFolder()
        expectCannotOpen("postgresql://ada@\(folder.path)/allot", "check that PostgreSQL runs") {
            _ = try PostgreSQLDatabase("postgresql://ada:secret@/allot?host=\(folder.path)")
        }
    }
}

@Suite(.blocks, .needsPostgreSQL) struct PostgreSQLOpeningTests {
    @Test("Servers that start at once on an empty database share one store")
    func serversThatStartAtOnceShareOneStore() async throws {
        let schema = try PostgreSQLTestSchema()
        let location = schema.location
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    try await onThread {
                        let database = try PostgreSQLDatabase(location)
                        return try database.store([.init("\(number)")])
                    }
                }
            }
            for try await outcomes in group { #expect(outcomes == [.stored]) }
        }
        #expect(Set(try schema.database().rows().map(\.unit)).count == 8)
    }

    @Test("A database without a store stays without one if none may be created")
    func noStoreIsCreated() throws {
        let schema = try PostgreSQLTestSchema()
        expectCannotOpen("the database has no store; name the one in which allot-server stores exposures") {
            _ = try ExposureStore(location: schema.location, isNewAllowed: false)
        }
        #expect(throws: (any Error).self) { try schema.execute("SELECT version FROM store") }
        try schema.database().close()
        _ = try ExposureStore(location: schema.location, isNewAllowed: false)
    }

    @Test("A store of a newer version is refused, and unchanged")
    func aStoreOfANewerVersionIsRefused() throws {
        let schema = try PostgreSQLTestSchema()
        try schema.database().close()
        try schema.execute("UPDATE store SET version = version + 1")
        expectCannotOpen("newer version of Allot") { _ = try schema.database() }
        #expect(try schema.text("SELECT version::text FROM store") == "\(PostgreSQLSchema.version + 1)")
    }

    @Test("A store of the former version gets what it lacks, and what it has counts as confirmed")
    func aStoreOfTheFormerVersionIsCompleted() throws {
        let schema = try PostgreSQLTestSchema()
        let former = try schema.database()
        _ = try former.store([Exposure()])
        former.close()
        try schema.execute(
            """
            DROP TABLE unconfirmed; ALTER TABLE exposure DROP COLUMN window_number;
            ALTER TABLE exposure ADD CONSTRAINT exposure_arm_unit_key UNIQUE (arm, unit);
            UPDATE store SET version = 1
            """)
        let database = try schema.database()
        // The one that was stored has no window, and another one of its unit in a window is not the same.
        var inWindow = Exposure()
        inWindow.window = 0
        #expect(try database.store([Exposure(), inWindow, inWindow]) == [.duplicate, .stored, .duplicate])
        #expect(try database.store([Exposure("later", at: 1, confirmation: .nothing)]) == [.stored])
        #expect(try database.unconfirmedArms() == [])
        #expect(try schema.text("SELECT version::text FROM store") == "\(PostgreSQLSchema.version)")
        database.close()
    }

    /// A user who may do nothing yet, and an address of theirs for a schema.
    private final class User {
        let role = "role_\(UUID().uuidString.lowercased())"
        private let owner: PostgreSQLTestSchema

        init(of owner: PostgreSQLTestSchema) throws {
            self.owner = owner
            try owner.execute("CREATE ROLE \"\(role)\" LOGIN")
        }

        deinit { try? owner.execute("DROP OWNED BY \"\(role)\" CASCADE; DROP ROLE \"\(role)\"") }

        func location(_ schema: String) throws -> String {
            let connection = try #require(PostgreSQLTestSchema.connection)
            return PostgreSQLTestSchema.location(
                connection.replacing(/user=\S+/, with: "user=\(role)"), options: ["search_path=\"\(schema)\""])
        }
    }

    @Test("A schema that exists is used by a user who may create none")
    func aSchemaThatExistsIsUsed() throws {
        let schema = try PostgreSQLTestSchema()
        let user = try User(of: schema)
        defer { withExtendedLifetime(user) {} }
        try schema.execute("CREATE SCHEMA \"\(schema.name)\" AUTHORIZATION \"\(user.role)\"")
        let database = try PostgreSQLDatabase(user.location(schema.name))
        #expect(try database.store([Exposure()]) == [.stored])
        #expect(try database.erase(unit: "u") == 1)
        expectCannotOpen("permission denied", "grant the user the right") {
            _ = try PostgreSQLDatabase(user.location("other_\(user.role)"))
        }
        database.close()
    }

    @Test("A user who may only read can export, and no more")
    func aUserWhoMayOnlyReadCanExport() throws {
        let schema = try PostgreSQLTestSchema()
        #expect(try schema.database().store([Exposure()]) == [.stored])
        let user = try User(of: schema)
        defer { withExtendedLifetime(user) {} }
        try schema.execute(
            """
            GRANT USAGE ON SCHEMA "\(schema.name)" TO "\(user.role)";
            GRANT SELECT ON ALL TABLES IN SCHEMA "\(schema.name)" TO "\(user.role)";
            """)
        let reader = try PostgreSQLDatabase(user.location(schema.name))
        #expect(try reader.rows() == [Exposure()])
        #expect(try reader.randomisations(of: nil).map(\.experiment) == ["e"])
        for attempt in [{ _ = try reader.store([Exposure("other")]) }, { try reader.probe() }] {
            let error = #expect(throws: ExposureStoreError.self) { try attempt() }
            guard case .storage(let message)? = error else { throw ExposureStoreError.closed }
            #expect(message.contains("permission denied"))
            #expect(message.contains("grant the user the right"))
        }
        reader.close()
    }

    @Test("A database that cannot hold all texts is refused")
    func aDatabaseThatCannotHoldAllTextsIsRefused() throws {
        let schema = try PostgreSQLTestSchema()
        let name = "latin_\(UUID().uuidString.lowercased())"
        try schema.execute("CREATE DATABASE \"\(name)\" TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
        defer { try? schema.execute("DROP DATABASE \"\(name)\" WITH (FORCE)") }
        let connection = try #require(PostgreSQLTestSchema.connection).replacing(/dbname=\S+/, with: "dbname=\(name)")
        expectCannotOpen("LATIN1", "ENCODING 'UTF8'") {
            _ = try PostgreSQLDatabase(PostgreSQLTestSchema.location(connection))
        }
    }

    @Test("The server ends a statement before the client gives up")
    func theServerEndsAStatementFirst() throws {
        let schema = try PostgreSQLTestSchema()
        let address = try #require(PostgreSQLAddress(schema.location))
        let connection = try PostgreSQLSchema.connect(address, patience: .seconds(30))
        #expect(try connection.query("SELECT current_setting('statement_timeout')")[0].text(0) == "25s")
    }

    @Test("Commits are durable, whatever the server's default is")
    func commitsAreDurable() throws {
        let schema = try PostgreSQLTestSchema(options: ["synchronous_commit=off"])
        #expect(try schema.text("SELECT current_setting('synchronous_commit')") == "on")
        let stronger = try PostgreSQLTestSchema(options: ["synchronous_commit=remote_apply"])
        #expect(try stronger.text("SELECT current_setting('synchronous_commit')") == "remote_apply")
    }

    @Test("Plans do not depend on statistics: the index of the identity is used, also in a store with few rows")
    func theIndexOfTheIdentityIsUsed() throws {
        let schema = try PostgreSQLTestSchema()
        let database = try schema.database()
        let lookup = """
            EXPLAIN SELECT cursor
            FROM unnest(ARRAY[1], ARRAY['u'], ARRAY[-1::bigint]) AS sent (arm, unit, window_number)
                JOIN exposure USING (arm, unit, window_number)
            """
        func plan() throws -> String {
            let address = try #require(PostgreSQLAddress(schema.location))
            return try PostgreSQLSchema.connect(address, patience: nil).query(lookup).map { $0.text(0) }
                .joined(separator: "\n")
        }
        #expect(try plan().contains("exposure_arm_unit_key"))
        for number in 0..<60 {
            let exposure = Exposure(unit: "\(number)", experiment: "e\(number)", salt: "s", variant: "v", at: 0)
            _ = try database.store([exposure])
        }
        try schema.execute("ANALYZE exposure")
        #expect(try plan().contains("exposure_arm_unit_key"))
    }
}
