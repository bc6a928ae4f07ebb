import AllotCore
import Testing

/// Preconditions of the comparison with engines: random conditions are valid, and the users meet all reasons.
struct RandomPlanTests {
    @Test("Random conditions are valid", arguments: 1...60)
    func conditionsAreValid(seed: Int) {
        #expect(throws: Never.self) { try RandomPlan.ofConditions(seed: seed, count: 20) }
    }

    @Test("Random users and definitions have decisions of every reason")
    func everyReason() {
        let users = HostileUsers(seed: 1, count: 300)
        var counts: [Reason: Int] = [:]
        for seed in 1...40 {
            let plan = RandomPlan.make(seed: seed)
            for row in users.rows {
                var subject = Subject()
                for (name, text) in zip(HostileUsers.columns, row) { subject.setUntyped(name, text ?? "") }
                for assignment in plan.assignments(for: subject, at: RandomPlan.instant) {
                    counts[assignment.reason, default: 0] += 1
                }
            }
        }
        for reason in Reason.allCases { #expect(counts[reason, default: 0] >= 100, "\(reason.text) is rare") }
    }
}
