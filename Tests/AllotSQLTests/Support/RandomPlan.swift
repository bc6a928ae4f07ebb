import AllotConfiguration
import AllotCore
import TestSupport

/// Random plans whose audiences and forced units are those that ``HostileUsers`` meet.
enum RandomPlan {
    /// Within the schedules and the steps of traffic.
    static let instant = Instant(seconds: 12)

    /// A plan that uses every feature; with an odd seed also units of several attributes, and periods.
    ///
    /// - Parameter schemes: The hashes of other systems that some parts have.
    static func make(seed: Int, schemes: [HashScheme] = []) -> Plan {
        var random = SeededGenerator(seed: seed)
        var definitions = RandomDefinitions.make(&random, ids: HostileUsers.frequentUnits) { random in
            let condition = RandomCondition().condition(depth: random.number(0...3), &random)
            return ConditionParser.parse(.object(condition), segments: SegmentTable()).condition ?? .everyone
        }
        if !schemes.isEmpty { definitions = definitions.withOtherSystems(&random, schemes) }
        if !seed.isMultiple(of: 2) { definitions = forcingPairs(in: definitions.withWindows(&random), &random) }
        return Plan(definitions)
    }

    /// The definitions with forced units of several attributes, most of whose IDs have escapes.
    private static func forcingPairs(in definitions: Definitions, _ random: inout SeededGenerator) -> Definitions {
        var definitions = definitions
        for index in definitions.experiments.indices where !definitions.experiments[index].forced.isEmpty {
            let ids = Set(
                (0..<40).map { _ in CompositeUnit.join(random.pick(2, of: HostileTexts.units)) }
                    .filter { $0.utf8.count <= UnitID.maximumLength })
            let variant = definitions.experiments[index].variants[0].key
            definitions.experiments[index].forced += ids.sorted().map {
                ExperimentDefinition.ForcedUnit(unitID: $0, variant: variant)
            }
            definitions.experiments[index].forced.sort { UTF8Order.precedes($0.unitID, $1.unitID) }
        }
        return definitions
    }

    /// A plan that is about conditions alone: each experiment has everyone for whom one test or condition holds.
    static func ofConditions(seed: Int, count: Int) throws -> Plan {
        var random = SeededGenerator(seed: seed)
        var conditions = RandomCondition()
        var segments = JSONObject()
        for name in ["group-a", "Group.B"] {
            guard case .array(let values) = conditions.list(for: random.pick(HostileUsers.columns), &random) else {
                continue
            }
            segments[name] = .array(values.filter { $0 != .null } + ["DE", "free", 17])
            conditions.groups.append(name)
        }
        // Each may refer to those before it.
        for name in ["s1", "S-2", "s.3"] {
            segments[name] = .object(conditions.condition(depth: 2, &random))
            conditions.segments.append(name)
        }
        var experiments: [String: JSONObject] = [:]
        for number in 0..<count {
            let audience =
                number % 4 == 0 ? conditions.condition(depth: 3, &random) : conditions.singleTest(&random)
            experiments["test-\(number)"] = ["audience": .object(audience), "variants": [["key": "yes"]]]
        }
        return try TestDefinitions.plan(experiments, segments: segments)
    }
}
