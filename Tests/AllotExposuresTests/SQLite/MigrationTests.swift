import AllotConfiguration
import Foundation
import GRDB
import TestSupport
import Testing

@testable import AllotExposures

/// Stores that a version before salts wrote.
@Suite(.blocks) struct MigrationTests {
    /// Writes the file of the fixture, which is the text of a store that the version of 48ed605 wrote.
    private static func writeFixture(_ path: String) throws {
        let text = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/store-of-version-1.sql"), encoding: .utf8)
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: text) }
        try queue.close()
    }

    /// The rows of the former tables as exposures, by the rules in words: the salt is the key; revision, reason and
    /// override are in the attributes.
    private static func formerExposures(_ path: String) throws -> [Exposure] {
        let rows = try DatabaseQueue(path: path).read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT unit, experiment.key, variant.key, at, attributes FROM exposure
                    JOIN experiment ON experiment.id = exposure.experiment JOIN variant ON variant.id = exposure.variant
                    """)
        }
        return try rows.map { row in
            var exposure = Exposure(unit: row[0], experiment: row[1], salt: row[1], variant: row[2], at: row[3])
            guard let text: String = row[4], case .object(let object) = try JSONValue(parsing: Array(text.utf8)) else {
                return exposure
            }
            var rest = JSONObject()
            for member in object.members {
                switch (member.key, member.value) {
                case ("revision", .string(let revision)): exposure.revision = revision
                case ("reason", .string(let reason)): exposure.reason = reason
                case ("override", .boolean(let override)): exposure.isOverridden = override
                default: rest[member.key] = member.value
                }
            }
            exposure.attributes = rest.isEmpty ? nil : JSONValue.object(rest).canonicalText
            return exposure
        }
    }

    private static func stored(_ store: ExposureStore) async throws -> [Exposure] {
        try await store.exposures(limit: 1000).exposures
            + store.exposures(of: ExposureSelection(isCounted: false), limit: 1000).exposures
    }

    @Test("A store of the former version keeps all that it says")
    func aFormerStoreKeepsAllThatItSays() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/exposures.sqlite"
        try Self.writeFixture(path)
        let former = try Self.formerExposures(path)
        #expect(former.count > 250)
        #expect(former.contains { $0.isOverridden } && former.contains { $0.reason == "forced" })
        #expect(former.contains { $0.revision != nil && $0.attributes != nil })
        var store = try ExposureStore(path)
        #expect(Set(try await Self.stored(store).map(described)) == Set(former.map(described)))
        #expect(try await Self.stored(store).count == former.count)
        for key in Set(former.map(\.experiment)) {
            let own = former.filter { $0.experiment == key && $0.isCounted }
            let counts = try await store.counts(experiment: key, salt: key)
            let units = Dictionary(grouping: own) { UTF8Key($0.variant) }.sorted { $0.key < $1.key }
            #expect(counts.unitsByVariant.map(\.units) == units.map(\.value.count))
            #expect(counts.groups.map(\.units).reduce(0, +) == former.count { $0.experiment == key })
        }
        // Events that are sent again meet the rows of their identities.
        let again = former.enumerated().map { index, exposure in
            var exposure = exposure
            exposure.id = "event-\(index)"
            return exposure
        }
        #expect(try await store.record(again) == again.map { _ in .duplicate })
        #expect(Set(try await Self.stored(store).map(described)) == Set(former.map(described)))
        await store.shutdown()
        store = try ExposureStore(path)
        #expect(try await Self.stored(store).count == former.count)
        await store.shutdown()
        // Nothing of the former tables is left in free pages.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for text in ["event-1", "former_", "CREATE TABLE event"] {
            #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
        }
    }

    /// The process is killed once its log has a size; the migration writes several MiB.
    @Test("A migration whose process is killed leaves the former store or the new one", arguments: 0..<4)
    func aKilledMigrationLeavesOneOfTheTwo(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = folder.path + "/exposures.sqlite"
        let count = 20_000
        let queue = try DatabaseQueue(path: path)
        try SQLiteSchema.migrator.migrate(queue, upTo: "1 exposures")
        try await queue.write { database in
            try database.execute(
                sql: """
                    PRAGMA application_id = \(SQLiteSchema.applicationID);
                    INSERT INTO experiment VALUES (1, 'e');
                    INSERT INTO variant VALUES (1, 1, 'a'), (2, 1, 'b');
                    WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count - 1))
                    INSERT INTO exposure SELECT 1, n, 'unit ' || (n * 7919 % \(count)), 1 + n % 2,
                        '{"reason":"split","revision":"r"}' FROM numbers
                    """)
        }
        try queue.close()
        let limit = Int.random(in: 1..<6_000_000, using: &random)
        let program = try RunningProgram(BuiltProgram("exposure-crash-probe").url, [path, "none"])
        while program.isRunning {
            let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
            if log ?? 0 >= limit { program.signal(SIGKILL) }
            await Task.yield()
        }
        #expect(program.waitForEnd() != nil)
        let left = try DatabaseQueue(path: path)
        let steps = try await left.read { try SQLiteSchema.migrator.appliedIdentifiers($0) }
        let rows = try await left.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM exposure") }
        let check = try await left.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(rows == count)
        #expect(check == "ok")
        let tables = try await left.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema") }
        #expect(tables.contains("event") == (steps.count == 1))
        #expect(tables.contains("block") == (steps.count > 1))
        try left.close()
        let store = try ExposureStore(path)
        #expect(try await store.units(of: "e") == [count / 2, count / 2])
        await store.shutdown()
    }

    @Test("A store of a version that took no notes counts as confirmed")
    func aStoreWithoutNotesKeepsAll() async throws {
        let temporary = try TemporaryStore()
        _ = try await temporary.store.record([Exposure(unit: "u", experiment: "e", variant: "v", at: 0)])
        try await temporary.execute(
            "DROP TABLE unconfirmed; DELETE FROM grdb_migrations WHERE identifier = '3 unconfirmed'")
        try await temporary.reopen()
        var later = Exposure(unit: "later", experiment: "e", variant: "v", at: 1)
        later.confirmation = .nothing
        #expect(try await temporary.store.record([later]) == [.stored])
        #expect(try await temporary.store.unconfirmedArms() == [])
        #expect(try await temporary.store.units(of: "e") == [2])
        await temporary.store.shutdown()
    }
}
