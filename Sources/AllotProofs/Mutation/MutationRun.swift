import AllotConfiguration
import AllotCore

/// Runs cases against every small change of the definitions.
struct MutationRun {
    private let definitions: Definitions
    private let mutants: [Mutant]
    /// The cases that pass, with their experiments.
    private let cases: [(testCase: TestCase, experiments: Set<Int>)]
    private let dependents: [Set<Int>]

    /// Takes the results of the cases without a change. Cases that do not pass notice nothing.
    init(_ definitions: Definitions, cases: [TestCase], results: [CaseResult]) {
        self.definitions = definitions
        mutants = MutantFactory(definitions).mutants
        let plan = Plan(definitions)
        self.cases = results.filter { $0.verdict == .passed }.map { result in
            let named = result.testCase.claims.flatMap { Statement.experiments(of: $0, in: plan) }
            return (result.testCase, Set(plan.order(of: named)))
        }
        // A unit that is forced, or no longer, is displaced elsewhere.
        dependents = definitions.experiments.indices.map { index in
            Set(definitions.experiments.indices.filter { plan.rivals(of: $0).contains(index) })
        }
    }

    func report() -> MutationReport {
        MutationReport(count: mutants.count, survivors: mutants.filter { !isNoticed($0) })
    }

    private func isNoticed(_ mutant: Mutant) -> Bool {
        let affected = mutant.affected.reduce(into: Set(mutant.affected)) { $0.formUnion(dependents[$1]) }
        let asked = cases.filter { !$0.experiments.isDisjoint(with: affected) }
        guard !asked.isEmpty else { return false }
        var changed = definitions
        mutant.change(&changed)
        var runner = TestRunner(Plan(changed), explains: false)
        // A change that leaves a case unproved may still be one that no unit notices.
        return asked.contains { runner.run($0.testCase).verdict == .failed }
    }
}

/// The small changes of the definitions that no case notices.
package struct MutationReport: Sendable {
    let count: Int
    let survivors: [Mutant]

    var lines: [String] { survivors.map { "survives: \(PrintableText(line: "\($0.name): \($0.words)"))" } }

    var summary: String {
        "mutants: \(count - survivors.count) of \(count) noticed"
            + (survivors.isEmpty ? "" : "; add cases that fail for the \(survivors.count) above")
    }
}
