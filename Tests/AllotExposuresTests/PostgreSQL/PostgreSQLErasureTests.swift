import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotExposures
@testable import AllotPostgreSQL

@Suite(.blocks, .needsPostgreSQL) struct PostgreSQLErasureTests {
    @Test("Statistics keep no unit, no event ID and no attributes")
    func statisticsKeepNoUnit() throws {
        let schema = try PostgreSQLTestSchema()
        let database = try schema.database()
        _ = try database.store(
            (0..<1000).map {
                Exposure("unit \($0)", id: "event \($0 % 500)", attributes: #"{"name":"Ada"}"#)
            })
        try schema.execute("ANALYZE exposure")
        let columns = try schema.text(
            """
            SELECT string_agg(attname, ' ' ORDER BY attname) FROM pg_stats
            WHERE schemaname = '\(schema.name)' AND tablename = 'exposure'
            """)
        #expect(columns.contains("reason"))
        for column in ["unit", "event", "attributes"] {
            #expect(!columns.split(separator: " ").contains(Substring(column)))
        }
    }

    @Test("An erased unit leaves its table and indexes, and no other does")
    func anErasedUnitLeavesItsTableAndIndexes() throws {
        // In a cluster of its own: as long as any transaction of another may see deleted rows, they stay.
        let cluster = try PostgreSQLTestCluster()
        defer { withExtendedLifetime(cluster) {} }
        let schema = try PostgreSQLTestSchema(cluster.connection)
        let database = try schema.database()
        for experiment in ["e", "f"] {
            _ = try database.store(
                (0..<500).map { .init(unit: "unit \($0)", experiment: experiment, salt: "s", variant: "v", at: 0) })
        }
        #expect(try database.erase(unit: "unit 7") == 2)
        #expect(try database.erase(unit: "unit 7") == 0)
        #expect(try database.rows().count == 998)
        // Dead rows would still be in the indexes; there are none.
        let (tuples, entries) = ("reltuples::bigint", "(SELECT reltuples::bigint FROM pg_class WHERE oid = i)")
        let sizes = try schema.text(
            """
            SELECT concat_ws(' ', \(tuples), (
                SELECT string_agg(DISTINCT \(entries)::text, ' ')
                FROM unnest(ARRAY['exposure_pkey'::regclass, 'exposure_arm_unit_key', 'exposure_at']) AS i))
            FROM pg_class WHERE oid = 'exposure'::regclass
            """)
        #expect(sizes == "998 998")
    }

    @Test("A text that no index takes is refused; the others are stored without it")
    func aTextThatNoIndexTakesIsRefused() throws {
        let schema = try PostgreSQLTestSchema()
        let database = try schema.database()
        let long = String(repeating: "x", count: 2561)
        for exposure in [Exposure(revision: long), Exposure(long), Exposure(id: long)] {
            let error = #expect(throws: ExposureStoreError.self) { try database.store([exposure]) }
            guard case .refused(let message)? = error else { throw ExposureStoreError.closed }
            #expect(message.contains("PostgreSQL's indexes take 2560"))
        }
        // Random bytes are not compressed.
        var random = SeededGenerator(seed: 1)
        let longest = String(
            (0..<2560).map { _ in Character(Unicode.Scalar(UInt8.random(in: 33...126, using: &random))) })
        var exposure = Exposure(id: longest, unit: longest, experiment: longest, salt: "", variant: "", at: 0)
        exposure.reason = ""
        exposure.revision = longest
        exposure.attributes = longest
        #expect(try database.store([exposure]) == [.stored])
        #expect(try database.rows() == [exposure])
    }
}
