import AllotConfiguration
import AllotCore
import TestSupport
import Testing

@testable import AllotProofs

/// Proofs say what the engine does.
struct ProofSoundnessTests {
    @Test("Each unit is in one cell of each experiment, with the engine's decision", arguments: 0..<120)
    func cells(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var definitions = RandomDefinitions.make(&random).withOtherSystems(&random)
        if seed.isMultiple(of: 2) { definitions = definitions.withWindows(&random) }
        let plan = Plan(definitions)
        let everything = plan.experiments.indices.map(\.self)
        var space = AudienceSpace(plan, experiments: everything)
        for _ in 0..<6 {
            let attributes = RandomDefinitions.attributesWithParts(&random)
            let instant = Instant(seconds: Int64.random(in: -1...31, using: &random))
            // Statements take valid parts for a unit, also where their joined ID is too long.
            let names = plan.experiments.compactMap(\.unit) + plan.layers.map(\.unit) + plan.holdouts.map(\.unit)
            let isTooLong = names.contains { unit in
                let ids = CompositeUnit.parts(of: unit).compactMap { attributes[$0] }
                return ids.count > 1 && CompositeUnit.join(ids).utf8.count > UnitID.maximumLength
            }
            if isTooLong { continue }
            let subject = Subject(attributes: JSONObject(attributes.map { (key: $0.key, value: .string($0.value)) }))
            let decisions = plan.decide(subject, at: instant).decisions
            // The country alone is known, or everything.
            for known in [["country"], ["country", "user_id", "org_id"]] {
                let given = JSONObject(known.map { (key: $0, value: .string(attributes[$0] ?? "")) })
                let found = space.scenarios(known: given, present: [], includesForced: true)
                guard case .found(let scenarios, _, _) = found else { continue }
                let matching = scenarios.filter { $0.fits(attributes, plan) }
                #expect(matching.count == 1)
                for scenario in matching {
                    var cells = DecisionCells(plan, at: instant, scenario, pins: [])
                    for index in everything {
                        let all = cells.cells(of: index)
                        #expect(all.reduce(ExactShare.none) { $0 + $1.region.share } == .all)
                        let own = all.filter { cell in
                            cell.region.sets.allSatisfy { dimension, set in
                                set.contains(dimension.bucket(of: subject.unitID(dimension.unit.text) ?? ""))
                            }
                        }
                        let (variant, reason) = (decisions[index].variant, decisions[index].reason)
                        #expect(own.map(\.outcome.variant) == [variant], "\(plan.experiments[index].key) \(attributes)")
                        #expect(own.map(\.outcome.reason) == [reason], "\(plan.experiments[index].key) \(attributes)")
                    }
                }
            }
        }
    }
}

extension AudienceSpace.Scenario {
    /// Whether a unit belongs to the scenario.
    fileprivate func fits(_ attributes: [String: String], _ plan: Plan) -> Bool {
        parts.allSatisfy { name, knowledge in
            let id = Subject.Value.typed(.string(attributes[name.text] ?? "")).unitID
            let forced = plan.forcedUnitParts(of: name.text, decidingFor: Array(plan.experiments.indices))
            let isForced = id.map(forced.contains) ?? false
            return switch knowledge {
            case .absent: id == nil
            case .anyID: id != nil && !isForced
            case .oneOf(let ids): id.map(ids.contains) ?? false
            case .id(let known): id == known
            }
        }
    }
}
