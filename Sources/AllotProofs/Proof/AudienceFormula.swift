import AllotCore

/// An audience over the results of its tests, which are numbered across all audiences of a question.
indirect enum AudienceFormula: Sendable {
    case all([AudienceFormula])
    /// An empty list holds.
    case any([AudienceFormula])
    case not(AudienceFormula)
    case test(Int)

    /// Numbers the tests of a condition from `tests.count` on, in the order in which explanations list them.
    init(_ condition: Condition, tests: inout [Condition.Test]) {
        switch condition {
        case .all(let parts): self = .all(parts.map { AudienceFormula($0, tests: &tests) })
        case .any(let parts): self = .any(parts.map { AudienceFormula($0, tests: &tests) })
        case .not(let part): self = .not(AudienceFormula(part, tests: &tests))
        case .segment(_, let part): self.init(part, tests: &tests)
        case .test(let test):
            self = .test(tests.count)
            tests.append(test)
        }
    }

    func holds(_ results: [Bool]) -> Bool {
        switch self {
        case .all(let parts): parts.allSatisfy { $0.holds(results) }
        case .any(let parts): parts.isEmpty || parts.contains { $0.holds(results) }
        case .not(let part): !part.holds(results)
        case .test(let index): results[index]
        }
    }
}
