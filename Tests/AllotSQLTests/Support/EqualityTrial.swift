import AllotBatch
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotSQL
import Foundation
import TestSupport
import Testing

/// Users in an engine and in a CSV file, and definitions that are tried on both.
final class EqualityTrial {
    private let engine: Engine
    private let dialect: Dialect
    private let folder: TemporaryFolder

    init(_ engine: Engine) throws {
        self.engine = engine
        dialect = try #require(Dialect(rawValue: engine.name.rawValue))
        folder = try TemporaryFolder()
        // Statements with SHA-1 name the extension that they need.
        if dialect == .postgresql { try engine.run("CREATE EXTENSION IF NOT EXISTS pgcrypto") }
    }

    /// Makes the table `users` and the file.
    func load(_ users: HostileUsers) throws {
        try folder.write(users.csv, to: "users.csv")
        try engine.load(
            "users", from: folder.write(users.jsonLines, to: "users.jsonl"), columns: HostileUsers.columns)
    }

    /// The difference between the engine's result and Allot's own, in words. Returns `nil` if they are equal.
    ///
    /// The definitions are kept if there is a difference.
    func difference(of random: RandomFolder, seed: Int, layout: WarehouseStatement.Layout) throws -> String? {
        let definitions = URL(filePath: NSTemporaryDirectory()).appending(
            path: "allot-sql-\(dialect.rawValue)-\(seed)-\(UUID().uuidString.prefix(8))"
        ).path
        try random.write(to: definitions)
        let difference: String?
        do {
            difference = try self.difference(of: Plan.load(folder: definitions), layout)
        } catch {
            difference = "\(error)"
        }
        guard let difference else {
            try FileManager.default.removeItem(atPath: definitions)
            return nil
        }
        try? FileManager.default.copyItem(atPath: folder.path("users.csv"), toPath: definitions + "/users.csv")
        return "\(dialect.rawValue), seed \(seed), \(layout), \(definitions) (with users.csv): \(difference)"
    }

    /// The difference between the engine's result of a plan and Allot's own, in words. Returns `nil` if they are equal.
    func difference(of plan: Plan, _ layout: WarehouseStatement.Layout) throws -> String? {
        let instant = try #require(Instant(RandomFolder.instant))
        // Only where a statement reads the user's ID can rows without a unit have it.
        let names = plan.attributeNames(of: Array(plan.experiments.indices))
        if layout == .long, !names.contains(Subject.defaultUnit), plan.experiments.contains(where: { $0.draw == nil }) {
            return nil
        }
        var selection: [Int]?
        if dialect == .postgresql, layout == .wide {
            // PostgreSQL cuts off longer names of columns.
            selection = plan.experiments.indices.filter { plan.experiments[$0].key.utf8.count <= 63 }
        }
        var batch = BatchAssignment(plan: plan, instant: instant)
        batch.selection = selection
        batch.layout = layout == .long ? .long : .wide
        batch.includesAll = layout == .long
        let expected = folder.path("expected.csv")
        let output = try AtomicOutput(path: expected)
        _ = try batch.run(InputFile(path: folder.path("users.csv")), output: output)
        try output.commit()

        var statement = WarehouseStatement(dialect: dialect)
        statement.layout = layout
        statement.instant = instant
        statement.selection = selection
        let comparison = try engine.compare(statement.text(for: plan), with: expected)
        if comparison.isEqual { return nil }
        let counts =
            "\(comparison.missing) rows are missing and \(comparison.unexpected) unexpected of \(comparison.rows)"
        return ([counts] + comparison.examples).joined(separator: "\n  ")
    }
}
