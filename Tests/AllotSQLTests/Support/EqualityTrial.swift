import AllotBatch
import AllotCore
import AllotFiles
import AllotSQL
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
        try engine.load(users)
    }

    /// The difference between the engine's result of a plan and Allot's own, in words. Returns `nil` if they are equal.
    func difference(
        of plan: Plan, _ layout: WarehouseStatement.Layout, at instant: Instant = RandomPlan.instant
    ) throws -> String? {
        // Only where a statement reads the user's ID can rows without a unit have it.
        let names = plan.attributeNames(of: Array(plan.experiments.indices))
        if layout == .long, !names.contains(Subject.defaultUnit), plan.experiments.contains(where: { $0.draw == nil }) {
            return nil
        }
        var batch = BatchAssignment(plan: plan, instant: instant)
        batch.layout = layout == .long ? .long : .wide
        batch.includesAll = layout == .long
        let expected = folder.path("expected.csv")
        let output = try AtomicOutput(path: expected)
        _ = try batch.run(InputFile(path: folder.path("users.csv")), output: output)
        try output.commit()

        var statement = WarehouseStatement(dialect: dialect)
        statement.layout = layout
        statement.instant = instant
        let comparison = try engine.compare(statement.text(for: plan), with: expected)
        if comparison.isEqual { return nil }
        let counts =
            "\(comparison.missing) rows are missing and \(comparison.unexpected) unexpected of \(comparison.rows)"
        return ([counts] + comparison.examples).joined(separator: "\n  ")
    }
}
