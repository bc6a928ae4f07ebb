import AllotConfiguration
import AllotCore
import TestSupport
import Testing

@testable import AllotDefinitions

/// Proofs about random folders, against single decisions of the engine.
struct OverlapOracleTests {
    @Test(
        "No unit is in two experiments that are proved apart, or in one that no unit can enter",
        arguments: 1...40 * RandomOperators.seedFactor)
    func proofsHold(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        // A draft shows in every second folder that an attribute is a list.
        let hasLists = seed % 2 == 0
        var operators = RandomOperators(seed: seed, attributes: ["x", "y"], lists: hasLists ? ["y"] : [])
        let audiences = operators.conditions(6).map(\.condition)
        var definitions = RandomDefinitions.make(&random, audience: { $0.pick(audiences) })
        if hasLists {
            var draft = ExperimentDefinition.sample("lists")
            draft.status = .draft
            draft.audience = try #require(
                ConditionParser.parse(["y": ["$size": 1]], segments: SegmentTable()).condition)
            definitions.experiments.append(draft)
        }
        definitions = definitions.withOtherSystems(&random)
        let plan = Plan(definitions)
        var proof = OverlapProof(definitions.experiments)
        let pairs = definitions.experiments.indices.flatMap { left in
            definitions.experiments.indices.filter { $0 > left }.map { (left, $0) }
        }
        let apart = pairs.filter { proof.separation(of: $0, $1) != nil }
        let empty = definitions.experiments.indices.filter {
            proof.contradiction(inAudienceOf: $0).map { !$0.admitsList } ?? false
        }
        for _ in 0..<200 {
            var subject = Subject()
            for (name, id) in RandomDefinitions.attributes(&random) { subject.setUntyped(name, id) }
            random.pick(RandomOperators.values)?.set("x", of: &subject)
            random.pick(hasLists ? RandomOperators.lists : RandomOperators.values)?.set("y", of: &subject)
            let instant = Instant(seconds: Int64.random(in: -1...31, using: &random))
            // Forced units pass every check.
            let decisions = plan.decide(subject, at: instant).decisions.map { $0.reason == .forced ? nil : $0.variant }
            for (left, right) in apart {
                let areBoth = decisions[left] != nil && decisions[right] != nil
                #expect(!areBoth, "\(plan.experiments[left].key) and \(plan.experiments[right].key): \(subject)")
            }
            for index in empty { #expect(decisions[index] == nil, "\(plan.experiments[index].key): \(subject)") }
        }
    }
}
