import AllotConfiguration
import AllotCore

/// The answers of the engine itself to single tests of conditions: each is the audience of an experiment of its own,
/// in a plan that has no other purpose.
struct TestProbe: Sendable {
    let tests: [Condition.Test]
    private let plan: Plan
    private var evaluator: Evaluator

    init(_ tests: [Condition.Test]) {
        self.tests = tests
        let experiments = tests.enumerated().compactMap { index, test -> ExperimentDefinition? in
            // Experiments are in the order of their keys.
            let key = index.zeroPadded(to: 9)
            return Salt(key).map { salt in
                var experiment = ExperimentDefinition(
                    key: key, status: .running, salt: salt,
                    variants: [VariantDefinition(key: key, buckets: [], overrides: [:])])
                experiment.draw = nil
                experiment.audience = .test(test)
                return experiment
            }
        }
        plan = Plan(Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: experiments))
        evaluator = Evaluator(plan: plan, at: Instant(seconds: 0))
    }

    /// The results of all tests for a subject.
    mutating func results(_ subject: Subject) -> [Bool] {
        evaluator.evaluate(PreparedSubject(subject, for: plan))
        return tests.indices.map { evaluator.decision(of: $0).variant != nil }
    }
}
