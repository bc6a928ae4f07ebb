import AllotConfiguration
import Foundation
import GRDB
import TestSupport
import Testing

@testable import AllotExposures

/// Stores that former versions wrote.
@Suite(.blocks) struct MigrationTests {
    /// A former form of a store.
    enum Form: String, CaseIterable {
        /// Before salts were, as the version of 48ed605 wrote it.
        case keys = "store-of-version-1"
        /// With numbers for texts, and checksums.
        case numbers = "store-of-version-3"

        /// A table that no other form has.
        var table: String { self == .keys ? "event" : "block" }

        /// Removes the rows of the fixture, and stores a number of exposures of "e" to "a" and "b" in turns.
        func filling(_ count: Int) -> String {
            let numbers =
                "WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count - 1))"
            return switch self {
            case .keys:
                """
                DELETE FROM exposure; DELETE FROM event; DELETE FROM variant; DELETE FROM experiment;
                INSERT INTO experiment VALUES (1, 'e');
                INSERT INTO variant VALUES (1, 1, 'a'), (2, 1, 'b');
                \(numbers) INSERT INTO exposure SELECT 1, n, 'unit ' || (n * 7919 % \(count)), 1 + n % 2,
                    '{"reason":"split","revision":"r"}' FROM numbers
                """
            case .numbers:
                """
                DELETE FROM exposure; DELETE FROM unconfirmed; DELETE FROM cohort; DELETE FROM variant;
                DELETE FROM randomisation;
                INSERT INTO randomisation (id, experiment, salt, mark, received_at) VALUES (1, 'e', 'e', 0, 0);
                INSERT INTO variant VALUES (1, 'a', 0), (2, 'b', 0);
                INSERT INTO cohort (id, randomisation, variant, revision, reason, override, mark)
                VALUES (1, 1, 1, 'r', 'split', 0, 0), (2, 1, 2, 'r', 'split', 0, 0);
                \(numbers) INSERT INTO exposure (
                    cursor, randomisation, counted, unit, variant, cohort, at, received_at, event, mark)
                SELECT n + 1, 1, 1, 'unit ' || (n * 7919 % \(count)), 1 + n % 2, 1 + n % 2, n, n, 'event ' || n, 0
                FROM numbers;
                UPDATE last SET value = \(count) WHERE name = 'exposure'
                """
            }
        }
    }

    /// Writes the file of a fixture.
    ///
    /// - Parameter more: Statements that are executed in it.
    private static func write(_ form: Form, to path: String, _ more: String = "") throws {
        let text = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/\(form.rawValue).sql"), encoding: .utf8)
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: text + more) }
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
            var exposure = Exposure(row[0], experiment: row[1], variant: row[2], at: row[3])
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

    @Test("A store of the version before salts keeps all that it says")
    func aStoreBeforeSaltsKeepsAllThatItSays() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/exposures.sqlite"
        try Self.write(.keys, to: path)
        let former = try Self.formerExposures(path)
        #expect(former.count > 250)
        #expect(former.contains { $0.isOverridden })
        #expect(former.contains { $0.reason == "forced" })
        #expect(former.contains { $0.revision != nil && $0.attributes != nil })
        var store = try ExposureStore(path)
        #expect(Set(try await Self.stored(store).map(described)) == Set(former.map(described)))
        #expect(try await Self.stored(store).count == former.count)
        for key in Set(former.map(\.experiment)) {
            let own = former.filter { $0.experiment == key && $0.isCounted }
            let counts = try await store.counts(experiment: key, salt: key)
            let units = Dictionary(grouping: own) { UTF8Key($0.variant) }.sorted { $0.key < $1.key }
            #expect(counts.unitsByVariant == units.map(\.value.count))
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

    /// The rows of the numbered form as exposures.
    private static func numberedExposures(_ path: String) throws -> [Exposure] {
        let rows = try DatabaseQueue(path: path).read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT unit, experiment, salt, key, reason, at, exposure.received_at, event, revision, override,
                        doubt, reported_at, attributes
                    FROM exposure JOIN cohort ON cohort.id = cohort JOIN variant ON variant.id = exposure.variant
                        JOIN randomisation ON randomisation.id = exposure.randomisation
                    ORDER BY cursor
                    """)
        }
        return rows.map { row in
            var exposure = Exposure(
                id: row[7], unit: row[0], experiment: row[1], salt: row[2], variant: row[3], reason: row[4], at: row[5],
                receivedAt: row[6] as Int64)
            exposure.revision = row[8]
            exposure.isOverridden = row[9]
            exposure.doubt = (row[10] as Int?).map { $0 == 1 ? .beforeStart : .tooOld }
            exposure.reportedAt = row[11]
            exposure.attributes = row[12]
            return exposure
        }
    }

    @Test("A store with numbers for texts keeps all that it says, its cursors and its notes")
    func aNumberedStoreKeepsAllThatItSays() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/exposures.sqlite"
        try Self.write(.numbers, to: path)
        let former = try Self.numberedExposures(path)
        #expect(former.count == 10)
        let store = try ExposureStore(path)
        #expect(try await store.exposures().exposures.map(described) == former.filter(\.isCounted).map(described))
        #expect(
            try await store.exposures(of: ExposureSelection(isCounted: false)).exposures.map(described)
                == former.filter { !$0.isCounted }.map(described))
        #expect(try await store.exposures(after: 12).exposures.map(\.unit) == ["b,\"x\"", "a"])
        #expect(try await store.lastCursor() == 20)
        var model = ExposureModel()
        _ = model.record(former)
        for randomisation in try await store.randomisations() {
            let (experiment, salt) = (randomisation.experiment, randomisation.salt)
            #expect(
                try await store.counts(experiment: experiment, salt: salt)
                    == model.counts(experiment: experiment, salt: salt))
        }
        #expect(try await store.totals() == model.totals())
        #expect(try await store.randomisations().map(\.lastReceivedAt) == [2000, 3000, 4000])
        #expect(
            try await store.unconfirmedArms() == [
                ExposureArm(experiment: "grün", salt: "grün", variant: "u\u{308}")
            ])
        #expect(try await store.record(former) == former.map { _ in .duplicate })
        #expect(try await store.problems() == [])
        await store.shutdown()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for text in ["former_", "CREATE TABLE block"] { #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)") }
    }

    @Test(
        "A former store in which a text is missing, or a number is another, is not migrated",
        arguments: [
            "DELETE FROM randomisation WHERE id = 3", "DELETE FROM variant WHERE id = 3",
            "DELETE FROM cohort WHERE id = 6", "UPDATE exposure SET randomisation = 9 WHERE cohort = 6",
        ])
    func missingTextsEndAMigration(damage: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/exposures.sqlite"
        try Self.write(.numbers, to: path, "PRAGMA foreign_keys = OFF; \(damage);")
        for _ in 0..<2 { #expect(throws: ExposureStoreError.self) { try ExposureStore(path) } }
        let count = try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM block") }
        #expect(count == 0)
    }

    /// The process is killed once its log has a size; the migration writes several MiB.
    @Test(
        "A migration whose process is killed leaves the former store or the new one", arguments: Form.allCases, 0..<4)
    func aKilledMigrationLeavesOneOfTheTwo(form: Form, seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = folder.path + "/exposures.sqlite"
        let count = 20_000
        try Self.write(form, to: path, "PRAGMA foreign_keys = OFF; \(form.filling(count))")
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
        let isNew = steps == ["5 windows"]
        #expect(tables.contains(form.table) != isNew)
        #expect(tables.contains("store") == isNew)
        try left.close()
        let store = try ExposureStore(path)
        #expect(try await store.units(of: "e") == [count / 2, count / 2])
        await store.shutdown()
    }

    @Test("A store of the version before windows keeps its exposures, and takes those of windows")
    func aStoreWithoutWindowsKeepsAll() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/exposures.sqlite"
        var store = try ExposureStore(path)
        #expect(try await store.record([Exposure("a"), Exposure("b")]) == [.stored, .stored])
        await store.shutdown()
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    DROP INDEX exposure_identity;
                    ALTER TABLE exposure DROP COLUMN window_number;
                    CREATE UNIQUE INDEX exposure_identity ON exposure (randomisation, unit, variant);
                    UPDATE grdb_migrations SET identifier = '4 cohorts of randomisations';
                    """)
        }
        try queue.close()
        store = try ExposureStore(path)
        var inWindow = Exposure("a")
        inWindow.window = 3
        #expect(try await store.record([Exposure("a"), inWindow, inWindow]) == [.duplicate, .stored, .duplicate])
        #expect(try await store.exposures(limit: 10).exposures.map(\.window) == [nil, nil, 3])
        #expect(try await store.problems() == [])
        await store.shutdown()
    }

    @Test("A store of a version that took no notes counts as confirmed")
    func aStoreWithoutNotesKeepsAll() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/exposures.sqlite"
        try Self.write(
            .numbers, to: path,
            "DROP TABLE unconfirmed; DELETE FROM grdb_migrations WHERE identifier = '3 unconfirmed'")
        let store = try ExposureStore(path)
        let later = Exposure("later", experiment: "button", variant: "green", at: 1, confirmation: .nothing)
        #expect(try await store.record([later]) == [.stored])
        #expect(try await store.unconfirmedArms() == [])
        #expect(try await store.units(of: "button") == [2, 3])
        await store.shutdown()
    }
}
