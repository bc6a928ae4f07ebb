import AllotConfiguration
import TestSupport

@testable import AllotCore

/// Evaluates one condition by itself.
struct ConditionHarness {
    let plan: Plan

    /// Fails with the messages of everything that is wrong in the condition.
    init(_ condition: JSONValue, segments: SegmentTable = SegmentTable()) throws {
        let (parsed, problems) = ConditionParser.parse(condition, segments: segments)
        guard let parsed else { throw InvalidCondition(messages: problems.map(\.message)) }
        plan = Plan(.experiment(audience: parsed))
    }

    struct InvalidCondition: Error { let messages: [String] }

    /// Whether typed attributes satisfy the condition.
    func holds(_ attributes: JSONObject) -> Bool { holds(Subject(id: "unit", attributes: attributes)) }

    /// Whether one attribute `a` satisfies the condition.
    func holds(_ value: ConditionOracle.Value) -> Bool {
        var subject = Subject(id: "unit")
        switch value {
        case .missing: break
        case .typed(let value): subject.setTyped("a", value)
        case .untyped(let text): subject.setUntyped("a", text)
        }
        return holds(subject)
    }

    func holds(_ subject: Subject) -> Bool {
        plan.assignments(for: subject, at: Instant(seconds: 0))[0].reason == .split
    }
}

extension Plan {
    /// A plan of one experiment for each audience, in the order of these.
    static func of(audiences: [Condition]) -> Plan {
        Plan(
            Definitions(
                experiments: audiences.enumerated().map { index, audience in
                    var experiment = ExperimentDefinition.sample("e\(index.zeroPadded(to: 4))")
                    experiment.audience = audience
                    return experiment
                }))
    }
}

extension Definitions {
    /// One running experiment with one variant.
    static func experiment(audience: Condition) -> Definitions {
        var experiment = ExperimentDefinition.sample("experiment")
        experiment.audience = audience
        return Definitions(experiments: [experiment])
    }
}
