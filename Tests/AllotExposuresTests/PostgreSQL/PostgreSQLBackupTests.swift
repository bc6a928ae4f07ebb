import Foundation
import TestSupport
import Testing

@testable import AllotExposures
@testable import AllotPostgreSQL

/// A dump of a store in use, as the article on running the server advises.
@Suite(.blocks, .needsPostgreSQL) struct PostgreSQLBackupTests {
    private static let hasPrograms = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/pg_dump") }

    private func run(_ arguments: String...) throws {
        let outcome = try Outcome(of: URL(fileURLWithPath: "/usr/bin/env"), arguments)
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(
        "A dump that is read again has the exposures of its time, and takes more",
        .enabled(if: hasPrograms, "install postgresql-client for pg_dump"))
    func dumpIsAStore() async throws {
        let schema = try PostgreSQLTestSchema()
        let connection = try #require(PostgreSQLTestSchema.connection)
        let folder = try TemporaryFolder()
        let dump = folder.path("exposures.dump")
        func exposures(_ numbers: Range<Int>) -> [Exposure] {
            numbers.map { .init("u\($0)", at: Int64($0)) }
        }
        let store = try ExposureStore(location: schema.location)
        _ = try await store.record(exposures(0..<300))
        let expected = try await store.exported()
        try run(
            "pg_dump", "--format=custom", "--schema=\"\(schema.name)\"", "--file=\(dump)", "--dbname=\(connection)")
        _ = try await store.record(exposures(300..<400))
        await store.shutdown()

        try schema.execute("DROP SCHEMA \"\(schema.name)\" CASCADE")
        try run("pg_restore", "--exit-on-error", "--dbname=\(connection)", dump)
        let restored = try ExposureStore(location: schema.location)
        #expect(try await restored.exported() == expected)
        _ = try await restored.record(exposures(290..<310))
        #expect(try await restored.exported().count == 311)
        await restored.shutdown()
    }
}
