import AllotCore
import AllotDefinitions
import AllotSQL
import Foundation
import TestSupport
import Testing

/// Every statement is one statement of its dialect, to a parser that has nothing to do with Allot.
@Suite(.blocks) struct GrammarTests {
    @Test("Another parser reads every text as one statement", .needsGrammar, arguments: Dialect.allCases)
    func isOneStatement(dialect: Dialect) throws {
        var statements: [(dialect: Dialect, sql: String)] = []
        for plan in try Self.plans.get() {
            for layout in WarehouseStatement.Layout.allCases {
                var statement = WarehouseStatement(dialect: dialect)
                statement.layout = layout
                statement.table = "shop.app.\"My Users\""
                for instant in [nil, RandomPlan.instant] {
                    statement.instant = instant
                    statements.append((dialect, try Self.text(statement, plan)))
                }
                statement.instantColumn = "signed_up_at"
                statements.append((dialect, try Self.text(statement, plan)))
                statement.instantColumn = nil
                for kind in Creation.Kind.allCases where Self.has(kind, dialect, layout) {
                    statement.creation = Creation(kind, name: "app.assignments")
                    statements.append((dialect, try Self.text(statement, plan)))
                }
            }
        }
        let answers = try GrammarParser.answers(statements.map { ($0.dialect, Self.withoutBlock($0.sql)) })
        #expect(answers.count == statements.count)
        for (answer, statement) in zip(answers, statements) {
            // A view of other columns is dropped and created, both or neither.
            let isTransaction = statement.sql.contains("\nBEGIN;\nDROP VIEW IF EXISTS ")
            let isRead = answer["error"] == nil && answer["statements"] == (isTransaction ? 4 : 1)
            #expect(isRead, "\(answer): \(Self.excerpt(statement.sql))")
            let isCreation = statement.sql.contains("\nCREATE ")
            #expect(answer["kind"] == .string(isTransaction ? "Transaction" : isCreation ? "Create" : "Select"))
            #expect(!isTransaction || statement.dialect == .redshift)
        }
    }

    /// The creation in a block of PostgreSQL's own language, which the parser does not know.
    private static func withoutBlock(_ sql: String) -> String {
        guard let start = sql.firstRange(of: "DO $allot_block$\n"), let end = sql.firstRange(of: "\nEND IF;\n") else {
            return sql
        }
        return String(sql[..<start.lowerBound])
            + String(sql[end.upperBound...]).replacing("\nEND\n$allot_block$;", with: "")
    }

    /// The parser sees what is wrong.
    @Test("The other parser rejects text that is not one statement", .needsGrammar)
    func parserRefuses() throws {
        let texts = [
            "SELECT 'a", "SELECT CASE WHEN a THEN", "SELECT (1", "FROM FROM x y z", "SELECT 1; SELECT 2",
        ]
        let statements = Dialect.allCases.flatMap { dialect in texts.map { (dialect: dialect, sql: $0) } }
        let answers = try GrammarParser.answers(statements)
        #expect(answers.count == statements.count)
        for (answer, statement) in zip(answers, statements) {
            #expect(answer["error"] != nil || answer["statements"] != 1, "\(answer): \(statement)")
        }
    }

    /// The project's own experiments, and random ones; those that a dialect cannot say are left out of it.
    ///
    /// The environment variable `ALLOT_SQL_DEFINITIONS` sets the number of random ones, by default 3.
    private static let plans = Result { try loadedPlans() }

    private static func loadedPlans() throws -> [Plan] {
        let experiments = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Experiments").path
        let count = min(12, ProcessInfo.processInfo.environment["ALLOT_SQL_DEFINITIONS"].flatMap { Int($0) } ?? 3)
        return try [Plan.load(folder: experiments)]
            + (0..<count).map { index in
                try index % 3 == 2 ? RandomPlan.ofConditions(seed: index, count: 30) : RandomPlan.make(seed: index)
            }
    }

    /// The statement of those experiments that the dialect can say.
    private static func text(_ statement: WarehouseStatement, _ plan: Plan) throws -> String {
        var statement = statement
        var left = Array(plan.experiments.indices)
        while !left.isEmpty {
            statement.selection = left
            do {
                return try statement.text(for: plan)
            } catch {
                let faulty = left.filter { index in
                    error.problems.contains { $0.hasPrefix(plan.experiments[index].key + ":") }
                }
                // What requires a faulty one is at fault itself.
                let rest = left.filter { !faulty.contains($0) }
                left = rest.count < left.count ? rest : Array(left.dropLast())
            }
        }
        // The dialect can say nothing; the simplest statement stands for it.
        statement.selection = nil
        return try statement.text(for: TestDefinitions.plan(["simple": [:]]))
    }

    private static func has(
        _ kind: Creation.Kind, _ dialect: Dialect, _ layout: WarehouseStatement.Layout
    ) -> Bool {
        // The parser does not know PostgreSQL's functions; the engine itself does, in `CreationCheck`.
        kind != .function || layout == .long && ![.trino, .redshift, .postgresql].contains(dialect)
    }

    private static func excerpt(_ sql: String) -> String {
        let path = NSTemporaryDirectory() + "allot-grammar-\(UUID().uuidString.prefix(8)).sql"
        try? Data(sql.utf8).write(to: URL(filePath: path))
        return path
    }
}
