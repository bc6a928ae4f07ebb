import TestSupport
import Testing

@testable import AllotCore

/// Every way to decide in the core gives what the precedence table says.
struct PrecedenceTests {
    private static let instant = PrecedenceRow.instant

    @Test("The table has a row for each reason")
    func everyReason() {
        #expect(Set(PrecedenceTable.rows.map(\.reason)) == Set(Reason.allCases))
    }

    @Test("Raw values of reasons number the columns of tables by reason")
    func rawValues() {
        #expect(Reason.allCases.map { Int($0.rawValue) } == Array(0..<Reason.count))
        for reason in Reason.allCases { #expect(Decision.none(reason).reasonNumber == Int(reason.rawValue)) }
    }

    @Test("One unit is decided as the table says", arguments: PrecedenceTable.rows)
    func oneUnit(row: PrecedenceRow) throws {
        let plan = try row.plan()
        var evaluator = Evaluator(plan: plan, at: Self.instant)
        evaluator.evaluate(PreparedSubject(row.subject, for: plan))
        try expect(row, evaluator.decisions, plan)
    }

    @Test("One experiment alone is decided as the table says, after other units", arguments: PrecedenceTable.rows)
    func oneExperiment(row: PrecedenceRow) throws {
        let plan = try row.plan()
        let index = try #require(plan.index(of: PrecedenceRow.key))
        var evaluator = Evaluator(plan: plan, at: Self.instant)
        for other in ["ada", "unit-1", ""] {
            _ = evaluator.decide(index, for: PreparedSubject(Subject(id: other), for: plan))
        }
        let decision = evaluator.decide(index, for: PreparedSubject(row.subject, for: plan))
        #expect(decision.reason == row.reason)
        try expect(row, evaluator.decisions, plan)
        #expect(plan.index(of: "unknown") == nil)
    }

    @Test("A unit among others is decided as the table says", arguments: PrecedenceTable.rows)
    func group(row: PrecedenceRow) throws {
        let plan = try row.plan()
        let others = ["ada", "", "unit-1", "unit-2"].map { Subject(id: $0) }
        let subjects = others[..<2] + [row.subject] + others[2...]
        var evaluator = Evaluator(plan: plan, at: Self.instant, selection: nil, groupSize: subjects.count)
        evaluator.evaluate(SubjectGroup(subjects.map { PreparedSubject($0, for: plan) }))
        try expect(row, evaluator.selectedDecisions(row: 2), plan)
    }

    @Test("An explanation says what the table says", arguments: PrecedenceTable.rows)
    func explanation(row: PrecedenceRow) throws {
        let explanation = try row.plan().explanation(
            for: row.subject, at: Self.instant, experiments: [PrecedenceRow.key])
        let experiment = try #require(explanation.experiments.first)
        #expect(experiment.assignment.variant == row.variant)
        #expect(experiment.assignment.reason == row.reason)
        #expect(!experiment.steps.isEmpty)
    }

    private func expect(_ row: PrecedenceRow, _ decisions: [Decision], _ plan: Plan) throws {
        let index = try #require(plan.experiments.firstIndex { $0.key == PrecedenceRow.key })
        let assignment = plan.assignment(index, decisions[index], at: Self.instant)
        #expect(assignment.variant == row.variant)
        #expect(assignment.reason == row.reason)
        #expect((assignment.bucket != nil) == (row.reason == .split))
    }
}
